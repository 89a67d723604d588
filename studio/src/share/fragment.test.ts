import { expect, test } from "vitest";
import { linkTo, MAX_TEXT, packed, sharedText, TooLongError, unpacked } from "./fragment";

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

test("a link, its letters and the text of a file are all understood", async () => {
  const text = '{"tilewright": "match"}';
  const letters = await packed(text);
  const link = linkTo("https://example.org/studio/#/library", letters);
  expect(link).toBe(`https://example.org/studio/#/share?s=${letters}`);
  for (const given of [link, ` ${letters.slice(0, 9)}\n${letters.slice(9)} `, `${text}\n`])
    expect((await sharedText(given)).trim()).toBe(text);
  for (const given of ["", "hello", "https://example.org/"])
    await expect(sharedText(given)).rejects.toThrow();
});
