/**
 * The desk of an author: files of opened folders, the one that is edited, and when it is saved. A
 * text is saved a moment after the last key; a file that was changed outside is never overwritten
 * without being asked.
 */

import { call, RefusedError, type Result } from "../lib/channel.svelte";
import { edited, type TextEdit } from "./edits";

export type FileRow = Result<"file.list">["files"][number];

interface OpenFile {
  path: string;
  uri: string;
  text: string;
  stamp: string;
}

/**
 * Texts that could not be saved, by path: their file has changed or is gone. They stay until they
 * are saved or given up, also while other files are read.
 */
const held = new Map<string, OpenFile>();

/** Whether leaving the page now would lose a text. */
export function isTextHeld(): boolean {
  return held.size > 0;
}

/** Milliseconds from the last key until a text is saved. */
const PAUSE = 350;
const CONFLICT = -32002;

export class Desk {
  files = $state<FileRow[]>([]);
  isListed = $state(false);
  open = $state.raw<OpenFile | null>(null);
  saving = $state<"saved" | "waiting" | "conflict" | "failed">("saved");
  fault = $state("");
  /** the text on the disk, when it is another one than was read; null when the file is gone */
  theirs = $state<{ text: string | null; stamp: string } | null>(null);
  /** counts saves: results belong to the text of one of them */
  revision = $state(0);
  /** one after the other, so that the last text of the disk is the last one here */
  private refreshing: Promise<unknown> = Promise.resolve();
  /** why a file could not be read last */
  private reason = "";
  private timer: ReturnType<typeof setTimeout> | undefined;
  private waiting: Promise<void> = Promise.resolve();
  /** the file that is being read; of two, the later one is opened */
  private reading: { path: string; file: Promise<OpenFile | null> } | null = null;

  /** The ruleset of the open file. */
  get ruleset(): string {
    return this.open ? this.rulesetOf(this.open.path) : "";
  }

  /** The ruleset that a file is, or in whose folder it is. */
  rulesetOf(path: string): string {
    const places = this.files.filter(
      (file) => file.ruleset && `${path}/`.startsWith(`${file.path}/`),
    );
    return places.sort((one, other) => other.path.length - one.path.length)[0]?.ruleset ?? "";
  }

  async list(): Promise<void> {
    const found = await call("file.list");
    this.files = found.files;
    this.isListed = true;
  }

  /** Open a file. Null if another one was asked for meanwhile. */
  read(path: string): Promise<OpenFile | null> {
    if (this.reading?.path !== path) {
      const reading = { path, file: this.opened(path) };
      this.reading = reading;
      const end = (): void => {
        if (this.reading === reading) this.reading = null;
      };
      reading.file.then(end, end);
    }
    return this.reading.file;
  }

  private async opened(path: string): Promise<OpenFile | null> {
    await this.save();
    const own = held.get(path);
    const found = await this.disk(path);
    if (!found && !own) throw new RefusedError(0, this.reason);
    if (this.reading?.path !== path) return null;
    this.fault = "";
    this.open = own ?? { path, uri: "", text: "", stamp: "", ...found };
    const isTheirs = own !== undefined && own.text !== found?.text;
    this.theirs = isTheirs ? { text: found?.text ?? null, stamp: found?.stamp ?? "" } : null;
    this.saving = isTheirs ? "conflict" : "saved";
    return this.open;
  }

  /** A file as it is on the disk; null if it cannot be read. */
  private async disk(path: string): Promise<OpenFile | null> {
    try {
      const { uri, text, stamp } = await call("file.read", { path });
      return { path, uri, text, stamp };
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      this.reason = error.message;
      return null;
    }
  }

  /**
   * The open file may have changed outside. Its new text if nobody has changed the own one; else
   * the next save finds it out.
   */
  refresh(): Promise<string | null> {
    const found = this.refreshing.then(() => this.refreshed());
    this.refreshing = found;
    return found;
  }

  private async refreshed(): Promise<string | null> {
    const before = this.open;
    if (!before || this.saving !== "saved") return null;
    const found = await this.disk(before.path);
    if (this.open !== before || found?.stamp === before.stamp) return null;
    if (found) {
      this.open = found;
      this.revision++;
      return found.text;
    }
    held.set(before.path, before);
    this.theirs = { text: null, stamp: "" };
    this.saving = "conflict";
    return null;
  }

  /** The text was changed; it is saved a moment later. */
  changed(text: string): void {
    if (!this.open || this.open.text === text) return;
    this.open = { ...this.open, text };
    this.saving = "waiting";
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.save(), PAUSE);
  }

  /** Save what waits. */
  save(): Promise<void> {
    clearTimeout(this.timer);
    this.waiting = this.waiting.then(() => this.write());
    return this.waiting;
  }

  private async write(): Promise<void> {
    const file = this.open;
    if (!file || this.saving !== "waiting") return;
    try {
      const { stamp } = await call("file.write", {
        path: file.path,
        text: file.text,
        stamp: file.stamp,
      });
      if (this.open?.path === file.path) {
        const isSame = this.open.text === file.text;
        this.open = { ...this.open, stamp };
        if (isSame) this.saving = "saved";
      }
      held.delete(file.path);
      this.revision++;
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      held.set(file.path, file);
      if (error.code === CONFLICT) {
        const found = await this.disk(file.path);
        this.theirs = { text: found?.text ?? null, stamp: found?.stamp ?? "" };
        this.saving = "conflict";
      } else {
        this.saving = "failed";
        this.fault = error.message;
      }
    }
  }

  /** Forget the open file: it has another name or is gone. */
  close(): void {
    clearTimeout(this.timer);
    if (this.open) held.delete(this.open.path);
    this.open = null;
    this.theirs = null;
    this.saving = "saved";
    this.revision++;
  }

  /** Settle a file that was changed outside: the text of the disk, or the own one. */
  settle(which: "theirs" | "own"): string {
    const { open, theirs } = this;
    if (!open || !theirs) return open?.text ?? "";
    this.theirs = null;
    held.delete(open.path);
    if (which === "theirs" && theirs.text === null) {
      this.close();
      return "";
    }
    if (which === "theirs" && theirs.text !== null) {
      this.open = { ...open, text: theirs.text, stamp: theirs.stamp };
      this.saving = "saved";
      this.revision++;
    } else {
      this.open = { ...open, stamp: theirs.stamp };
      this.saving = "waiting";
      void this.save();
    }
    return this.open.text;
  }

  /** Change a file that is not open. */
  async change(path: string, edits: TextEdit[]): Promise<void> {
    let text = "";
    let stamp = ""; // of a file that is to be created
    try {
      const found = await call("file.read", { path });
      text = found.text;
      stamp = found.stamp;
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
    }
    await call("file.write", { path, text: edited(text, edits), stamp });
    this.revision++;
    await this.list();
  }
}
