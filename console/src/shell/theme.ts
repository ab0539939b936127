import { useSyncExternalStore } from "react";

export type Theme = "light" | "dark";
const KEPT = "openplaybook.theme";
const listeners = new Set<() => void>();

function current(): Theme {
  return document.documentElement.dataset["theme"] === "dark" ? "dark" : "light";
}

export function switchTheme(): void {
  const next: Theme = current() === "dark" ? "light" : "dark";
  document.documentElement.dataset["theme"] = next;
  localStorage.setItem(KEPT, next);
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, current);
}
