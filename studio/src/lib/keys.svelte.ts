/**
 * Keys of the page. A place binds its own while it is open; single letters work only while
 * nothing that takes text has the focus, and a reader can switch them off.
 */

import { settings } from "./settings.svelte";

export interface Binding {
  /** as in `KeyboardEvent.key`, with `Ctrl+`, `Shift+`, `Alt+` in front */
  keys: string[];
  /** the word that explains it, by key; without one it is not listed */
  word?: string;
  act: (event: KeyboardEvent) => void;
  /** whether it applies now */
  when?: () => boolean;
  /** keys as they are shown, if not as they are typed */
  shown?: string[];
}

interface Layer {
  /** the word for all of them, by key */
  group: string;
  bindings: Binding[];
}

const layers: Layer[] = [];
export const listed = $state<{ now: Layer[] }>({ now: [] });

/** Bind keys while the calling component is mounted; the innermost layer is asked first. */
export function useKeys(group: string, bindings: Binding[]): void {
  $effect(() => {
    const layer = { group, bindings };
    layers.push(layer);
    listed.now = layers.toReversed();
    return () => {
      layers.splice(layers.indexOf(layer), 1);
      listed.now = layers.toReversed();
    };
  });
}

/** Whether typing in this element writes text. */
export function takesText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement) return true;
  if (target instanceof HTMLSelectElement) return true;
  if (target.shadowRoot !== null) return true;
  return (
    target instanceof HTMLInputElement &&
    !["checkbox", "radio", "button", "range"].includes(target.type)
  );
}

/** The name of a pressed key: `Ctrl+Enter`, `Shift+R`, `a`. */
export function keyName(event: KeyboardEvent): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const name = event.key.length === 1 && event.key === key ? key : event.key;
  const parts = [];
  if (event.ctrlKey || event.metaKey) parts.push("Ctrl");
  if (event.altKey) parts.push("Alt");
  // the sign of a key already shows Shift, except for letters and named keys
  if (event.shiftKey && (/^\p{L}$/u.test(event.key) || event.key.length > 1)) parts.push("Shift");
  parts.push(/^\p{L}$/u.test(name) ? name.toUpperCase() : name);
  return parts.join("+");
}

/** Let the innermost binding of a key act; true if there was one. */
export function dispatch(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing) return false;
  const name = keyName(event);
  const isBare = !event.ctrlKey && !event.metaKey && !event.altKey;
  if (isBare && event.key !== "Escape" && takesText(event.target)) return false;
  if (isBare && event.key.length === 1 && !settings.letters) return false;
  for (const { bindings } of layers.toReversed()) {
    const found = bindings.find((b) => b.keys.includes(name) && (b.when?.() ?? true));
    if (found) {
      event.preventDefault();
      found.act(event);
      return true;
    }
  }
  return false;
}
