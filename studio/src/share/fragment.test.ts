import { expect, test } from "vitest";
import { MAX_TEXT, packed, TooLongError, unpacked } from "./fragment";

test("a text comes back as it was, in letters that an address may hold", async () => {
  const text = 'rules:\n  - {id: a.b, says: "Łąka — поле"}\n'.repeat(40);
  const letters = await packed(text);
  expect(letters).toMatch(/^[A-Za-z0-9_-]+$/);
  expect(letters.length).toBeLessThan(text.length / 4);
  expect(await unpacked(letters)).toBe(text);
});

test("letters that were not packed are refused", async () => {
  await expect(unpacked("!!")).rejects.toThrow();
  await expect(unpacked("AAAA")).rejects.toThrow();
});

test("a small link cannot unpack to a huge text", async () => {
  const letters = await packed(" ".repeat(MAX_TEXT + 1));
  expect(letters.length).toBeLessThan(10_000);
  await expect(unpacked(letters)).rejects.toThrow(TooLongError);
});
