/** A JSON value, as the server sends and takes it. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json | undefined;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A typed message as plain JSON: the same value, seen without its names. */
export function asJson(message: object): JsonObject {
  return message as JsonObject;
}

const written = new WeakMap<object, string>();

/** A value as JSON, written once: values are never changed in place. */
export function jsonOf(value: object): string {
  const known = written.get(value) ?? JSON.stringify(value);
  written.set(value, known);
  return known;
}

export function same(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || !left || !right) return left === right;
  return jsonOf(left) === jsonOf(right);
}

/** The JSON object of a text, an empty one of none; null: it is something else. */
export function parsedObject(text: string): JsonObject | null {
  if (!text.trim()) return {};
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : null;
  } catch {
    return null;
  }
}
