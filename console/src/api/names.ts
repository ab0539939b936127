/** Resource names and their parts. */

/** The name up to and including a collection's id: `upTo(…/agents/A/tools/T, "agents")` is …/agents/A. */
export function upTo(name: string, collection: string): string {
  const parts = name.split("/");
  const at = parts.lastIndexOf(collection);
  return at < 0 ? "" : parts.slice(0, at + 2).join("/");
}

export function lastPart(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

export function locationOf(name: string): string {
  return upTo(name, "locations");
}

/** A new identifier that URLs and resource names take. */
export function newId(): string {
  return crypto.randomUUID();
}
