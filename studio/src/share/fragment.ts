// Text in the fragment of a link: deflated and written in base64url, so that nothing is sent anywhere.

/** A link longer than this many letters is not offered: programs cut it. */
export const MAX_LINK = 32_000;
/** A text is never unpacked beyond this many bytes, however small its link is. */
export const MAX_TEXT = 2_000_000;

export class TooLongError extends Error {}

/** The text in letters that an address may hold. */
export async function packed(text: string): Promise<string> {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  let binary = "";
  for (let start = 0; start < bytes.length; start += 8192)
    binary += String.fromCharCode(...bytes.subarray(start, start + 8192));
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The text of letters made by `packed`. Rejects for other letters, and beyond `MAX_TEXT`. */
export async function unpacked(letters: string): Promise<string> {
  const binary = atob(letters.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
  const found = await through(new DecompressionStream("deflate-raw"), bytes);
  return new TextDecoder("utf-8", { fatal: true }).decode(found);
}

const LINK = /[?&]s=([\w-]+)/;
const LETTERS = /^[\w-]{16,}$/;

/** What somebody was sent: a link, the letters of one, or a file. Rejects for anything else. */
export async function sharedText(given: string): Promise<string> {
  const text = given.trim();
  if (text.startsWith("{") || text.startsWith("\ufeff")) return text;
  const letters = LINK.exec(text)?.[1] ?? text.replace(/\s+/g, "");
  if (!LETTERS.test(letters)) throw new Error("neither a link nor a file");
  return unpacked(letters);
}

/** The address of a page that others can open, with what is shared in its fragment. */
export function linkTo(page: string, letters: string): string {
  return `${page.trim().replace(/#.*$/s, "")}#/share?s=${letters}`;
}

async function through(
  stream: GenericTransformStream,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array> {
  const reader = (
    new Blob([bytes]).stream().pipeThrough(stream) as ReadableStream<Uint8Array>
  ).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > MAX_TEXT) {
      await reader.cancel();
      throw new TooLongError();
    }
    parts.push(value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
