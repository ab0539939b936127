import { useEffect, useRef, useSyncExternalStore } from "react";

/** A key of a view: `Ctrl K`, `Shift D`, `G S` (one after the other), `E`. */
export interface KeyBinding {
  keys: string;
  what: string;
  run: () => void;
}

const KEPT = "openplaybook.single-keys";
const SEQUENCE_MS = 900;
const LETTERLESS = /^(button|checkbox|color|file|image|radio|range|reset|submit)$/;
let bindings: readonly KeyBinding[] = [];
let pending = "";
let pendingUntil = 0;
const listeners = new Set<() => void>();

export function singleKeysOn(): boolean {
  return localStorage.getItem(KEPT) !== "off";
}

export function setSingleKeys(on: boolean): void {
  localStorage.setItem(KEPT, on ? "on" : "off");
}

/** Keys that work while the caller is shown. The last view to name a key has it. */
export function useKeys(own: KeyBinding[]): void {
  const latest = useRef(own);
  latest.current = own;
  const signature = own.map(({ keys, what }) => `${keys} ${what}`).join("\n");
  useEffect(() => {
    const mine = latest.current.map(({ keys, what }, index) => ({
      keys,
      what,
      run: () => latest.current[index]?.run(),
    }));
    set([...mine, ...bindings]);
    return () => set(bindings.filter((binding) => !mine.includes(binding)));
  }, [signature]);
}

function set(next: readonly KeyBinding[]): void {
  bindings = next;
  for (const listener of listeners) listener();
}

export function useBindings(): readonly KeyBinding[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => bindings,
  );
}

/** Whether letters go into what has the focus. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !LETTERLESS.test(target.type);
  return target.isContentEditable || !!target.shadowRoot || /^(TEXTAREA|SELECT)$/.test(target.tagName);
}

function pressed(event: KeyboardEvent): string {
  const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
  const shift = event.shiftKey && /^[A-Z]$/.test(key) ? "Shift " : "";
  return `${event.ctrlKey || event.metaKey ? "Ctrl " : ""}${event.altKey ? "Alt " : ""}${shift}${key}`;
}

addEventListener("keydown", (event) => {
  if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
  const name = pressed(event);
  const single = !name.startsWith("Ctrl ") && !name.startsWith("Alt ") && name !== "Escape";
  if (single && (isTyping(event.target) || !singleKeysOn())) return;
  // When it was pressed: a busy page gets to it later.
  const time = event.timeStamp;
  const chain = time < pendingUntil ? `${pending} ${name}` : name;
  const found = bindings.find(({ keys }) => keys === chain) ?? bindings.find(({ keys }) => keys === name);
  pending = single ? name : "";
  pendingUntil = bindings.some(({ keys }) => keys.startsWith(`${name} `)) ? time + SEQUENCE_MS : 0;
  if (!found) return;
  event.preventDefault();
  found.run();
});
