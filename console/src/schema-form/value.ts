import { isObject, type Json } from "../api/json";

export type Path = readonly (string | number)[];

export function getAt(value: Json | undefined, path: Path): Json | undefined {
  let found: Json | undefined = value;
  for (const part of path) {
    if (Array.isArray(found) && typeof part === "number") found = found[part];
    else if (isObject(found)) found = found[String(part)];
    else return undefined;
  }
  return found;
}

/** A copy in which one place has another value; undefined takes the member away. */
export function setAt(value: Json | undefined, path: Path, next: Json | undefined): Json | undefined {
  const [head, ...rest] = path;
  if (head === undefined) return next;
  if (typeof head === "number") {
    const items = Array.isArray(value) ? [...value] : [];
    const inner = setAt(items[head], rest, next);
    if (inner === undefined) items.splice(head, 1);
    else items[head] = inner;
    return items;
  }
  const members = isObject(value) ? { ...value } : {};
  const inner = setAt(members[head], rest, next);
  if (inner === undefined) delete members[head];
  else members[head] = inner;
  return members;
}

/** JSON pointer (RFC 6901). */
export function pointer(path: Path): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
