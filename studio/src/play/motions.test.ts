import { expect, test } from "vitest";
import { motionsOf, itemised } from "./motions";

const gain = {
  award: 3,
  seat: "red",
  points: 8,
  text: "red gains 8",
  items: [
    { label: "tiles", points: 6 },
    { label: "badges", points: 2 },
  ],
  rule: "r",
  cells: [
    [0, 0],
    [1, 0],
  ],
  turn: 4,
};

test("points travel with their items from the last cell of what brought them", () => {
  const [motion] = motionsOf([{ kind: "award", text: "", gain }], () => undefined);
  expect(motion).toMatchObject({ seat: "red", cell: [1, 0], points: "+8" });
  expect(motion?.text).toBe("tiles 6, badges 2");
  expect(itemised({ ...gain, items: [{ label: "tiles", points: 8 }] })).toBe("tiles");
});

test("a figure moves from where it stood, after the points", () => {
  const home = {
    kind: "home" as const,
    text: "",
    seat: "red",
    figure: "red.a.1",
    from_cell: [0, 0],
    from_at: [0.2, 0.3],
  };
  const found = motionsOf([home, { kind: "award", text: "", gain }], () => "a");
  expect(found.map((one) => one.kind)).toEqual([undefined, "a"]);
  expect(found[1]?.wait).toBeGreaterThan(found[0]?.wait ?? 0);
});

test("nothing moves without a place on the board", () => {
  const moved = { kind: "home" as const, text: "", seat: "red", figure: "red.a.1" };
  expect(motionsOf([moved], () => "a")).toEqual([]);
  expect(motionsOf([{ kind: "award", text: "", gain: { ...gain, cells: [] } }], () => "")).toEqual(
    [],
  );
});
