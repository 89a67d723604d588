import { expect, test } from "vitest";
import { namedColours } from "./svg";

test("names of properties have their colours", () => {
  const drawing =
    '<path fill="var(--tw-b7cf82-ffffff)" stroke="var(--tw-none-111111)" color="var(--tw-2c5fa8)"/>';
  expect(namedColours(drawing)).toEqual({
    "--tw-b7cf82-ffffff": ["#b7cf82", "#b7cf82", "#ffffff"],
    "--tw-none-111111": ["none", "none", "#111111"],
    "--tw-2c5fa8": ["#2c5fa8", "#2c5fa8", "#2c5fa8"],
  });
});
