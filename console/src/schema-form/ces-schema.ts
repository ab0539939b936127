import { isObject, type Json, type JsonObject } from "../api/json";
import type { Schema } from "./schema";

const TYPES: Record<string, string> = {
  STRING: "string",
  INTEGER: "integer",
  NUMBER: "number",
  BOOLEAN: "boolean",
  OBJECT: "object",
  ARRAY: "array",
};

/** A Schema message of CX Agent Studio as JSON Schema. */
export function plainSchema(schema: Json | undefined): Schema {
  if (!isObject(schema)) return {};
  const { type, properties, items, anyOf, additionalProperties, ref, defs, ...rest } = schema;
  const result: JsonObject = { ...rest };
  if (typeof type === "string" && TYPES[type]) result["type"] = TYPES[type];
  if (isObject(properties)) result["properties"] = each(properties);
  if (isObject(defs)) result["$defs"] = each(defs);
  if (items) result["items"] = plainSchema(items);
  if (additionalProperties) result["additionalProperties"] = plainSchema(additionalProperties);
  if (Array.isArray(anyOf)) result["anyOf"] = anyOf.map(plainSchema);
  if (typeof ref === "string") result["$ref"] = ref.replace("#/defs/", "#/$defs/");
  return result;
}

function each(schemas: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schemas).map(([name, part]) => [name, plainSchema(part)]));
}
