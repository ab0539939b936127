import { isObject, type JsonObject } from "../../api/json";

const KEPT = "openplaybook.start:";

/** Session parameters that new conversations with an agent begin with here; they are kept in this browser. */
export function startingValues(agent: string): JsonObject {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT + agent) ?? "{}");
    return isObject(kept) ? kept : {};
  } catch {
    return {};
  }
}

export function keepStartingValues(agent: string, values: JsonObject): void {
  if (Object.keys(values).length) localStorage.setItem(KEPT + agent, JSON.stringify(values));
  else localStorage.removeItem(KEPT + agent);
}
