// Changes that the language server proposes, as data: for one file or several.

export interface Position {
  line: number;
  character: number;
}
export interface Range {
  start: Position;
  end: Position;
}
export interface TextEdit {
  range: Range;
  newText: string;
}
export interface WorkspaceEdit {
  changes?: Record<string, TextEdit[]>;
  documentChanges?: (
    | { textDocument: { uri: string }; edits: TextEdit[] }
    | { kind: "create" | "rename" | "delete"; uri?: string }
  )[];
}

/** The edits by file; files to be created have an edit of an empty text. */
export function byFile(edit: WorkspaceEdit): Map<string, TextEdit[]> {
  const found = new Map(Object.entries(edit.changes ?? {}));
  for (const change of edit.documentChanges ?? [])
    if ("edits" in change)
      found.set(change.textDocument.uri, [
        ...(found.get(change.textDocument.uri) ?? []),
        ...change.edits,
      ]);
  return found;
}

/** The place of a position in a text; a position behind the end of a line is its end. */
export function offsetOf(text: string, { line, character }: Position): number {
  let start = 0;
  for (let n = 0; n < line; n++) {
    const next = text.indexOf("\n", start);
    if (next < 0) return text.length;
    start = next + 1;
  }
  const end = text.indexOf("\n", start);
  return Math.min(start + character, end < 0 ? text.length : end);
}

/** The place of a line and a column of the program in a text: both from 1, columns in characters. */
export function placeOf(text: string, line: number, column: number): Position {
  const start = offsetOf(text, { line: line - 1, character: 0 });
  const before = Array.from(text.slice(start).split("\n", 1)[0] ?? "").slice(0, column - 1);
  return { line: line - 1, character: before.join("").length };
}

/** A text with edits made, which do not overlap. */
export function edited(text: string, edits: readonly TextEdit[]): string {
  const placed = edits
    .map((edit, order) => ({
      from: offsetOf(text, edit.range.start),
      to: offsetOf(text, edit.range.end),
      text: edit.newText,
      order,
    }))
    .sort((one, other) => other.from - one.from || other.order - one.order);
  return placed.reduce(
    (now, { from, to, text: put }) => now.slice(0, from) + put + now.slice(to),
    text,
  );
}
