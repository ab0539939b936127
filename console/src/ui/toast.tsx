import { type ReactNode, useSyncExternalStore } from "react";
import { sentence } from "../api/errors";
import { t } from "../words/words";
import { Button } from "./button";

interface Toast {
  id: number;
  text: string;
  action?: { label: string; run: () => void } | undefined;
}

const SHOWN_MS = 8000;
let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Says a sentence at the foot of the page for eight seconds. */
export function say(text: string, action?: Toast["action"]): void {
  const id = ++lastId;
  set([...toasts.slice(-2), { id, text, action }]);
  setTimeout(() => drop(id), SHOWN_MS);
}

function drop(id: number): void {
  set(toasts.filter((toast) => toast.id !== id));
}

/** Says that something was taken away on this page, and offers to bring it back. */
export function tookAway(text: string, undo: () => void): void {
  say(text, { label: t("Undo"), run: undo });
}

let doomed: ReadonlySet<string> = new Set();

function doom(name: string, isDoomed: boolean): void {
  const next = new Set(doomed);
  if (isDoomed) next.add(name);
  else next.delete(name);
  doomed = next;
  set([...toasts]);
}

/** Names of what is deleted but can be brought back yet: lists leave it out. */
export function useDoomed(): ReadonlySet<string> {
  return useSyncExternalStore(listen, () => doomed);
}

/**
 * Deletes a resource after eight seconds, and offers to undo it until then. Leaving the page does it immediately: `run`
 * is called with `true` then, so that its request outlives the page. Where `run` fails, its error is said.
 */
export function undoable(
  name: string,
  text: string,
  run: (leaving: boolean) => Promise<unknown>,
  undo: () => void = () => undefined,
): void {
  let open = true;
  const close = (): boolean => {
    const was = open;
    open = false;
    removeEventListener("pagehide", leave);
    return was;
  };
  const finish = (leaving: boolean): void => {
    if (!close()) return;
    run(leaving)
      .catch((error: unknown) => say(sentence(error)))
      .finally(() => doom(name, false));
  };
  const leave = (): void => finish(true);
  addEventListener("pagehide", leave);
  setTimeout(() => finish(false), SHOWN_MS);
  doom(name, true);
  tookAway(text, () => {
    if (!close()) return;
    doom(name, false);
    undo();
  });
}

export function Toasts(): ReactNode {
  const shown = useSyncExternalStore(listen, () => toasts);
  return (
    <div className="toasts" role="status">
      {shown.map((toast) => (
        <div className="toast appear" key={toast.id}>
          <span>{toast.text}</span>
          {toast.action && (
            <Button
              kind="quiet"
              small
              onClick={() => {
                toast.action?.run();
                drop(toast.id);
              }}
            >
              {toast.action.label}
            </Button>
          )}
        </div>
      ))}
    </div>
  );
}
