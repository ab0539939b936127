import { isObject, type Json, type JsonObject } from "../api/json";

export type Schema = JsonObject;
export type Kind =
  | "object"
  | "map"
  | "array"
  | "string"
  | "number"
  | "integer"
  | "boolean"
  | "choice"
  | "union"
  | "file"
  | "null"
  | "any";

const DEEPEST = 12;

/** A schema with its reference followed and its `allOf` merged, one level deep; parts keep theirs. */
export function resolved(schema: Json | undefined, root: Schema, depth = 0): Schema {
  if (!isObject(schema) || depth > DEEPEST) return {};
  let result: Schema = schema;
  if (typeof schema["$ref"] === "string") {
    const { $ref, ...rest } = schema;
    result = { ...resolved(at(root, $ref as string), root, depth + 1), ...rest };
  }
  if (Array.isArray(result["allOf"])) {
    const { allOf, ...rest } = result;
    result = [rest, ...(allOf as Json[])].map((part) => resolved(part, root, depth + 1)).reduce(merged, {});
  }
  return result;
}

function merged(left: Schema, right: Schema): Schema {
  const required = [...list(left["required"]), ...list(right["required"])];
  const properties = { ...members(left["properties"]), ...members(right["properties"]) };
  return {
    ...left,
    ...right,
    ...(required.length ? { required } : {}),
    ...(Object.keys(properties).length ? { properties } : {}),
  };
}

/** What a local reference names: `#/$defs/Pet`. */
function at(root: Schema, reference: string): Json | undefined {
  if (!reference.startsWith("#")) return undefined;
  const parts = reference.slice(1).split("/").slice(1);
  return parts.reduce<Json | undefined>((value, part) => {
    const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    return isObject(value) ? value[key] : undefined;
  }, root);
}

export function types(schema: Schema): string[] {
  const type = schema["type"];
  return Array.isArray(type) ? (type as string[]) : typeof type === "string" ? [type] : [];
}

/** The alternatives of a schema besides null. */
export function variants(schema: Schema): Schema[] {
  const found = [schema["oneOf"], schema["anyOf"]].find(Array.isArray) as Schema[] | undefined;
  if (found) return found.filter((each) => !isNull(each));
  const named = types(schema).filter((type) => type !== "null");
  return named.length > 1 ? named.map((type) => ({ ...schema, type })) : [];
}

function isNull(schema: Schema): boolean {
  return schema["type"] === "null" || schema["const"] === null;
}

/** Whether null is a value: by type, by an alternative, or by OpenAPI 3.0's `nullable`. */
export function isNullable(schema: Schema): boolean {
  const alternatives = [...list(schema["oneOf"]), ...list(schema["anyOf"])] as Schema[];
  return schema["nullable"] === true || types(schema).includes("null") || alternatives.some(isNull);
}

/** A schema whose only alternative besides null stands in its place. */
export function simplified(schema: Schema, root: Schema): Schema {
  const alternatives = variants(schema);
  const only = alternatives[0];
  if (alternatives.length !== 1 || !only || types(schema).length > 1) return schema;
  const { oneOf: _one, anyOf: _any, ...rest } = schema;
  return { ...rest, ...resolved(only, root) };
}

export function kindOf(schema: Schema): Kind {
  if (Array.isArray(schema["enum"]) || "const" in schema) return "choice";
  if (variants(schema).length > 1) return "union";
  const type = types(schema).find((each) => each !== "null");
  if (type === "string" && (schema["format"] === "binary" || schema["contentEncoding"] === "base64")) return "file";
  if (type === "string" && schema["format"] === "byte") return "file";
  if (type === "object" || (!type && isObject(schema["properties"]))) {
    return Object.keys(members(schema["properties"])).length ? "object" : "map";
  }
  if (type === "array" || (!type && schema["items"])) return "array";
  if (type === "string" || type === "number" || type === "integer" || type === "boolean" || type === "null")
    return type;
  return "any";
}

/** What a field says of its kind at its right: `string`, `date`, `integer[]`. */
export function kindWord(schema: Schema, root: Schema): string {
  const kind = kindOf(schema);
  if (kind === "array") {
    const items = kindWord(resolved(schema["items"], root), root);
    return items ? `${items}[]` : "array";
  }
  if (kind === "string" && typeof schema["format"] === "string") return schema["format"];
  if (kind === "choice") return types(schema)[0] ?? "";
  return kind === "any" || kind === "union" ? "" : kind === "map" ? "object" : kind;
}

export function members(value: Json | undefined): Record<string, Schema> {
  return isObject(value) ? (value as Record<string, Schema>) : {};
}

export function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** A value to begin with: what is required, with defaults. */
export function starting(schema: Json | undefined, root: Schema, depth = 0): Json | undefined {
  const found = simplified(resolved(schema, root), root);
  if ("default" in found) return found["default"];
  if ("const" in found) return found["const"];
  if (kindOf(found) !== "object" || depth > DEEPEST) return undefined;
  const required = list(found["required"]);
  const value: JsonObject = {};
  for (const [name, part] of Object.entries(members(found["properties"]))) {
    const inner = starting(part, root, depth + 1);
    if (inner !== undefined && (required.includes(name) || !isObject(inner))) value[name] = inner;
  }
  return value;
}

/** A fresh item of a list or variant, which is there because somebody asked for it. */
export function blank(schema: Schema, root: Schema): Json {
  const begun = starting(schema, root);
  if (begun !== undefined) return begun;
  const kind = kindOf(simplified(resolved(schema, root), root));
  return kind === "object" || kind === "map" ? {} : kind === "array" ? [] : kind === "boolean" ? false : "";
}
