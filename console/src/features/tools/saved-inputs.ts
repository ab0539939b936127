import { useSyncExternalStore } from "react";
import type { JsonObject } from "../../api/json";
import { say } from "../../ui/toast";
import { t } from "../../words/words";

const KEPT = "openplaybook.inputs:";
const MOST = 12;
const NONE: readonly JsonObject[] = [];
const listeners = new Set<() => void>();
const read = new Map<string, readonly JsonObject[]>();

function get(key: string): readonly JsonObject[] {
  const known = read.get(key);
  if (known) return known;
  const found = JSON.parse(localStorage.getItem(KEPT + key) ?? "[]") as JsonObject[];
  read.set(key, found.length ? found : NONE);
  return read.get(key) ?? NONE;
}

function set(key: string, inputs: readonly JsonObject[]): void {
  read.set(key, inputs);
  try {
    localStorage.setItem(KEPT + key, JSON.stringify(inputs));
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "QuotaExceededError")) throw error;
    say(t("The browser has no room for this input: it is kept until the page is left."));
  }
  for (const listener of listeners) listener();
}

/** Test inputs that were kept in this browser, newest first. */
export const savedInputs = {
  add(tool: string, action: string, input: JsonObject): void {
    const key = `${tool}#${action}`;
    const text = JSON.stringify(input);
    set(key, [input, ...get(key).filter((each) => JSON.stringify(each) !== text)].slice(0, MOST));
  },
  drop(tool: string, action: string, index: number): void {
    const key = `${tool}#${action}`;
    set(
      key,
      get(key).filter((_, at) => at !== index),
    );
  },
};

export function useSavedInputs(tool: string, action: string): readonly JsonObject[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => get(`${tool}#${action}`),
  );
}
