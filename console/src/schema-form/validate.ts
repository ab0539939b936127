import { type OutputUnit, Validator } from "@cfworker/json-schema";
import { isObject, type Json } from "../api/json";
import { t } from "../words/words";
import type { Schema } from "./schema";

/** JSON pointer of a value → what is wrong with it. */
export type Problems = ReadonlyMap<string, string>;

export const NO_PROBLEMS: Problems = new Map();

/** Checks a value. The server judges by the same schema again: this is for the eye, and a schema it cannot read passes. */
export function problemsOf(schema: Schema, value: Json | undefined): Problems {
  if (value === undefined) return NO_PROBLEMS;
  let units: OutputUnit[];
  try {
    units = new Validator(known(schema) as object, "2020-12", false).validate(value).errors;
  } catch {
    return NO_PROBLEMS;
  }
  const problems = new Map<string, string>();
  for (const unit of units) {
    const [place, text] = told(unit);
    if (text && !problems.has(place)) problems.set(place, text);
  }
  return problems;
}

/** Keywords that only report what others inside them report. */
const WRAPPERS = new Set([
  "properties",
  "items",
  "allOf",
  "$ref",
  "additionalProperties",
  "prefixItems",
  "dependentSchemas",
]);

function told(unit: OutputUnit): [string, string] {
  const place = unit.instanceLocation.replace(/^#/, "");
  if (WRAPPERS.has(unit.keyword)) return [place, ""];
  const named = /property "(.*)"\.$/.exec(unit.error)?.[1];
  switch (unit.keyword) {
    case "required":
      return [`${place}/${(named ?? "").replaceAll("~", "~0").replaceAll("/", "~1")}`, t("This is needed.")];
    case "type":
      return [place, t("This has another type: {what}", { what: unit.error.replace(/^Instance type /, "") })];
    case "pattern":
      return [place, t("This does not have the form that is asked for.")];
    case "anyOf":
    case "oneOf":
      return [place, t("This fits none of the alternatives.")];
    default:
      return [place, unit.error];
  }
}

/** The schema in JSON Schema's words: OpenAPI 3.0 says `nullable`, and its files are strings that JSON has as objects. */
function known(schema: Json | undefined): Json {
  if (Array.isArray(schema)) return schema.map(known);
  if (!isObject(schema)) return schema ?? null;
  const result: { [key: string]: Json } = {};
  for (const [name, part] of Object.entries(schema)) {
    if (name !== "enum" && name !== "const" && name !== "default" && name !== "example") result[name] = known(part);
    else result[name] = part ?? null;
  }
  if (result["format"] === "binary") return {};
  if (result["nullable"] === true && typeof result["type"] === "string") result["type"] = [result["type"], "null"];
  return result;
}
