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

/** Milliseconds from the last key until a text is saved. */
const PAUSE = 350;
const CONFLICT = -32002;

export class Desk {
  files = $state<FileRow[]>([]);
  isListed = $state(false);
  open = $state.raw<OpenFile | null>(null);
  saving = $state<"saved" | "waiting" | "conflict" | "failed">("saved");
  fault = $state("");
  /** the text on the disk, when it is another one than was read */
  theirs = $state<{ text: string; stamp: string } | null>(null);
  /** counts saves: results belong to the text of one of them */
  revision = $state(0);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private waiting: Promise<void> = Promise.resolve();
  /** the file that is being read; of two, the later one is opened */
  private reading: { path: string; file: Promise<OpenFile | null> } | null = null;

  /** The ruleset of the open file. */
  get ruleset(): string {
    return this.open ? this.rulesetOf(this.open.path) : "";
  }

  /** The ruleset in whose folder a file is. */
  rulesetOf(path: string): string {
    const folders = this.files.filter((file) => file.ruleset && path.startsWith(`${file.path}/`));
    return folders.sort((one, other) => other.path.length - one.path.length)[0]?.ruleset ?? "";
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
    const found = await call("file.read", { path });
    if (this.reading?.path !== path) return null;
    this.open = { path, uri: found.uri, text: found.text, stamp: found.stamp };
    this.theirs = null;
    this.fault = "";
    this.saving = "saved";
    return this.open;
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
      this.revision++;
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      if (error.code === CONFLICT) {
        const found = await call("file.read", { path: file.path });
        this.theirs = { text: found.text, stamp: found.stamp };
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
    this.open = null;
    this.saving = "saved";
    this.revision++;
  }

  /** Settle a file that was changed outside: the text of the disk, or the own one. */
  settle(which: "theirs" | "own"): string {
    const { open, theirs } = this;
    if (!open || !theirs) return open?.text ?? "";
    this.theirs = null;
    if (which === "theirs") {
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
    let stamp: string | undefined;
    try {
      const found = await call("file.read", { path });
      text = found.text;
      stamp = found.stamp;
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error; // it is to be created
    }
    await call("file.write", { path, text: edited(text, edits), ...(stamp ? { stamp } : {}) });
    this.revision++;
    await this.list();
  }
}
