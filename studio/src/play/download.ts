/** A match as a file: the same one that the command line writes and reads. */

import type { Table } from "./Table.svelte";

export async function download(table: Table): Promise<void> {
  const saved = await table.saved();
  if (!saved) return;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([saved.text], { type: "application/json" }));
  link.download = saved.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
