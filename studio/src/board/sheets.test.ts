import { expect, test, vi } from "vitest";

const asked: unknown[] = [];
vi.mock("../lib/channel.svelte", () => ({
  call: (_: string, params: { pieces?: string[] }) => {
    asked.push(params.pieces);
    return Promise.resolve(sheet(params.pieces ?? ["A", "B", "C"]));
  },
}));
vi.mock("../lib/settings.svelte", () => ({ shade: () => 0 }));

const { imageOf, joined, missingOn, sheetOf } = await import("./sheets.svelte");

function sheet(pieces: string[]) {
  const drawing = (piece: string): string =>
    `<symbol id="s-${piece}" viewBox="0 0 100 100"><path d="${piece}"/></symbol>`;
  return {
    svg: `<svg>${pieces.map(drawing).join("")}</svg>`,
    pieces: Object.fromEntries(pieces.map((piece) => [piece, { label: piece }])),
    colours: Object.fromEntries(pieces.map((piece) => [piece, ["", "", ""]])),
    seats: [],
  } as never;
}

test("a sheet has the drawings of both that it is made of", () => {
  const both = joined(sheet(["A"]), sheet(["B"]));
  expect(missingOn(both, ["A", "B", "C", "C"])).toEqual(["C"]);
  expect(Object.keys(both.colours)).toEqual(["A", "B"]);
  for (const piece of ["A", "B"])
    expect(decodeURIComponent(imageOf(both, `s-${piece}`))).toContain(`d="${piece}"`);
  expect(imageOf(both, "s-C")).toBe("");
});

test("a piece is asked for once, and many at once with all others", async () => {
  await sheetOf("game", ["A", "A"]);
  const { pieces } = await sheetOf("game", ["A", "B"]);
  expect(Object.keys(pieces)).toEqual(["A", "B"]);
  await sheetOf("game", ["B"]);
  expect(asked).toEqual([["A"], ["B"]]);
  await sheetOf("other", []);
  await sheetOf("other", []);
  await sheetOf(
    "other",
    Array.from({ length: 40 }, (_, n) => `${n}`),
  );
  expect(asked.slice(2)).toEqual([[], undefined]);
});
