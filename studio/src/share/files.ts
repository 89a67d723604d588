// Files that the reader keeps: a text as a download, a text that the reader chooses.

/** Offer a text as a file. */
export function saveFile(name: string, text: string | Blob, type = "text/plain"): void {
  const blob = text instanceof Blob ? text : new Blob([text], { type });
  const address = URL.createObjectURL(blob);
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Bytes that came as base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let n = 0; n < binary.length; n++) bytes[n] = binary.charCodeAt(n);
  return bytes;
}
