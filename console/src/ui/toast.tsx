import { type ReactNode, useSyncExternalStore } from "react";
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

/** Says a sentence at the foot of the page for eight seconds. */
export function say(text: string, action?: Toast["action"]): void {
  const id = ++lastId;
  set([...toasts.slice(-2), { id, text, action }]);
  setTimeout(() => drop(id), SHOWN_MS);
}

function drop(id: number): void {
  set(toasts.filter((toast) => toast.id !== id));
}

/**
 * Does something that destroys after eight seconds, and offers to undo it until then. Leaving the page does it at once:
 * `run` is called with `true` then, so that its request outlives the page.
 */
export function undoable(text: string, run: (leaving: boolean) => void, undo: () => void): void {
  let open = true;
  const finish = (leaving: boolean): void => {
    if (!open) return;
    open = false;
    removeEventListener("pagehide", leave);
    run(leaving);
  };
  const leave = (): void => finish(true);
  addEventListener("pagehide", leave);
  setTimeout(() => finish(false), SHOWN_MS);
  say(text, {
    label: t("Undo"),
    run: () => {
      if (!open) return;
      open = false;
      removeEventListener("pagehide", leave);
      undo();
    },
  });
}

export function Toasts(): ReactNode {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
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
