/**
 * The desk of an author: files of opened folders, the one that is edited, and when it is saved. A
 * text is a draft of the program a moment after the last key, and is saved when it is free of errors
 * or its author says so; a file that was changed outside is never overwritten without being asked.
 */

import { call, RefusedError, type Result } from "../lib/channel.svelte";
import { edited, type TextEdit } from "./edits";

export type FileRow = Result<"file.list">["files"][number];

interface OpenFile {
  path: string;
  uri: string;
  text: string;
  /** the text of the file, which `stamp` belongs to; empty stamps are those of no file, no draft */
  saved: string;
  stamp: string;
  draft: string;
}

/** What the program has under a path: the file, with the draft that lies over it. */
interface Found extends OpenFile {
  /** whether the draft was begun on another text than the file has now */
  isOld: boolean;
}

/** The other text of a conflict, over the file and the draft that the program has; null for none. */
interface Theirs {
  text: string | null;
  saved: string;
  stamp: string;
  draft: string;
}

/**
 * Texts that the program could not take, by path: their file has changed or is gone. They stay until
 * they are saved or given up, also while other files are read.
 */
const held = new Map<string, OpenFile>();

/** Whether leaving the page now would lose a text. */
export function isTextHeld(): boolean {
  return held.size > 0;
}

/** Milliseconds from the last key until the program has a text. */
const PAUSE = 350;

export class Desk {
  files = $state<FileRow[]>([]);
  /** drafts whose files are gone, and files that cannot be edited because of their names */
  orphans = $state<string[]>([]);
  unlisted = $state<string[]>([]);
  isListed = $state(false);
  open = $state.raw<OpenFile | null>(null);
  saving = $state<"saved" | "waiting" | "draft" | "conflict" | "failed">("saved");
  fault = $state("");
  /** the other text of a conflict, when it is another one than was read; null for no file */
  theirs = $state<Theirs | null>(null);
  /** counts the texts: diagnostics and results belong to one of them */
  version = $state(0);
  /** the latest version that the program has */
  given = $state(0);
  /** one after the other, so that the last text of the disk is the last one here */
  private refreshing: Promise<unknown> = Promise.resolve();
  /** why a file could not be read last */
  private reason = "";
  private timer: ReturnType<typeof setTimeout> | undefined;
  private waiting: Promise<unknown> = Promise.resolve();
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
    const there = new Set(found.files.map((file) => file.path));
    this.orphans = found.drafts.map((one) => one.path).filter((path) => !there.has(path));
    this.unlisted = found.unlisted;
    this.isListed = true;
  }

  /** Something that the program has was changed: what was computed of it belongs to the past. */
  renew(): void {
    this.given = ++this.version;
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
    await this.keep();
    const own = held.get(path);
    const found = await this.disk(path);
    if (!found && !own) throw new RefusedError(0, this.reason);
    if (this.reading?.path !== path) return null;
    this.fault = "";
    if (own && own.text !== found?.text) this.part(own, found);
    else if (found) this.take(found);
    return this.open;
  }

  /** A file as the program has it, with its draft; null if it cannot be read. */
  private async disk(path: string): Promise<Found | null> {
    try {
      const { uri, text, stamp, ...more } = await call("file.read", { path });
      const draft = more.draft_stamp ?? "";
      const isOld = draft !== "" && (more.draft_base ?? stamp) !== stamp;
      return { path, uri, text: more.draft ?? text, saved: text, stamp, draft, isOld };
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      this.reason = error.message;
      return null;
    }
  }

  /** Go on with what the program has. */
  private take(found: Found): void {
    held.delete(found.path);
    this.theirs = null;
    this.open = found;
    this.saving = found.draft ? "draft" : "saved";
    if (found.isOld) this.part(found, found);
    this.renew();
  }

  /** Two texts are there, or an own one without a file: the author decides. */
  private part(own: OpenFile, found: Found | null): void {
    clearTimeout(this.timer);
    this.open = own;
    if (found?.draft && found.text === own.text) held.delete(own.path);
    else held.set(own.path, own);
    const { saved = "", stamp = "", draft = "" } = found ?? {};
    const isDraft = draft !== "" && draft !== own.draft;
    const text = found && isDraft ? found.text : stamp ? saved : null;
    this.theirs = { text, saved, stamp, draft };
    this.saving = "conflict";
  }

  /**
   * Files have changed outside or in another window. The new text of the open one if nothing of its
   * own waits here; where both have changed, they part.
   */
  refresh(): Promise<string | null> {
    const found = this.refreshing.then(() => this.refreshed());
    this.refreshing = found.catch(() => null);
    return found;
  }

  private async refreshed(): Promise<string | null> {
    const before = this.open;
    if (!before || this.saving === "failed") {
      this.renew();
      return null;
    }
    const found = await this.disk(before.path);
    if (this.open?.path !== before.path || this.open.stamp !== before.stamp) return null;
    if (this.saving === "conflict" && found?.text === this.open.text) {
      this.take(found); // both are the same again
      return null;
    } else if (this.saving === "conflict") {
      this.part(this.open, found); // the other text may be another one now
    } else if (!found) {
      this.part(this.open, null);
    } else if (this.saving === "waiting") {
      // the own text is on its way: another draft would refuse it, another file is seen here. What
      // the program has now is not the text of this version
      if (found.stamp !== before.stamp) this.part(this.open, found);
      return null;
    } else if (found.stamp !== before.stamp && before.draft && found.draft === before.draft) {
      this.part(this.open, found);
    } else if (found.text !== this.open.text) {
      this.take(found);
      return found.text;
    } else {
      this.open = found;
      this.saving = found.draft ? "draft" : "saved";
    }
    this.renew();
    return null;
  }

  /** The text was changed; the program has it a moment later. */
  changed(text: string): void {
    if (!this.open || this.open.text === text) return;
    this.open = { ...this.open, text };
    this.version++;
    if (this.saving === "conflict") {
      held.set(this.open.path, this.open);
      return;
    }
    this.saving = "waiting";
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.keep(), PAUSE);
  }

  /** Give the program a text that waits, as a draft. */
  keep(): Promise<void> {
    clearTimeout(this.timer);
    return this.next(async () => {
      if (this.open && this.saving === "waiting") await this.give(this.open);
    });
  }

  /** Save the text, whatever is in it. */
  save(): Promise<void> {
    clearTimeout(this.timer);
    return this.next(async () => {
      const file = this.open;
      if (file && (this.saving === "waiting" || this.saving === "draft")) await this.write(file);
    });
  }

  /** Save the text of a version, which has no errors; a later one is checked first. */
  saveChecked(version: number): Promise<void> {
    return this.next(async () => {
      const file = this.open;
      if (file && this.saving === "draft" && this.version === version) await this.write(file);
    });
  }

  private next(act: () => Promise<void>): Promise<void> {
    const done = this.waiting.then(act);
    this.waiting = done.catch(() => undefined);
    return done;
  }

  private async give(file: OpenFile): Promise<void> {
    const version = this.version;
    const isSaved = file.text === file.saved && file.stamp !== "";
    await this.told(file, async () => {
      const { stamp } = await call("file.draft", {
        path: file.path,
        text: isSaved ? null : file.text,
        stamp: file.draft,
        base: file.stamp,
      });
      return { draft: stamp };
    });
    if (this.saving === "conflict" || this.saving === "failed") return;
    const isNewest = this.open?.path === file.path && this.open.text === file.text;
    if (this.saving === "waiting" && isNewest) this.saving = isSaved ? "saved" : "draft";
    if (isNewest && this.version !== version) this.renew();
    else this.given = Math.max(this.given, version);
  }

  private async write(file: OpenFile): Promise<void> {
    const version = this.version;
    const isNew = this.saving === "waiting";
    await this.told(file, async () => {
      const { path, text, stamp } = file;
      const found = await call("file.write", { path, text, stamp, draft_stamp: file.draft });
      return { saved: text, stamp: found.stamp, draft: "" };
    });
    if (this.saving === "conflict" || this.saving === "failed") return;
    if (this.version === version) this.saving = "saved";
    if (isNew) this.given = Math.max(this.given, version);
  }

  /** Let the program have a text; where it refuses, the text is held. */
  private async told(file: OpenFile, act: () => Promise<Partial<OpenFile>>): Promise<void> {
    try {
      const found = await act();
      if (this.open?.path === file.path) this.open = { ...this.open, ...found };
      held.delete(file.path);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      held.set(file.path, file);
      if (this.open?.path !== file.path) return;
      if (error.isConflict) {
        const found = await this.disk(file.path);
        if (this.open.path === file.path) this.part(this.open, found);
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
    this.renew();
  }

  /** Settle a file that was changed outside: the other text, or the own one. */
  async settle(which: "theirs" | "own"): Promise<string> {
    const { open, theirs } = this;
    if (!open || !theirs) return open?.text ?? "";
    const { text, saved, stamp, draft } = theirs;
    this.theirs = null;
    held.delete(open.path);
    if (which === "theirs" && text === null) {
      if (draft) await call("file.draft", { path: open.path, text: null, stamp: draft });
      this.close();
      return "";
    }
    this.open = { ...open, text: which === "own" ? open.text : (text ?? ""), saved, stamp, draft };
    this.version++;
    this.saving = "waiting";
    await (which === "own" ? this.save() : this.keep());
    return this.open?.text ?? "";
  }

  /** Change a file that is not open. */
  async change(path: string, edits: TextEdit[]): Promise<void> {
    const found = await this.disk(path);
    await call("file.write", {
      path,
      text: edited(found?.text ?? "", edits),
      stamp: found?.stamp ?? "", // that of a file to be created
      draft_stamp: found?.draft ?? "",
    });
    this.renew();
    await this.list();
  }
}
