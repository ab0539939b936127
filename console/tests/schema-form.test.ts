import { expect, test } from "vitest";
import { plainSchema } from "../src/schema-form/ces-schema";
import { isNullable, kindOf, kindWord, resolved, simplified, starting, variants } from "../src/schema-form/schema";
import { problemsOf } from "../src/schema-form/validate";
import { getAt, pointer, setAt } from "../src/schema-form/value";

const PET = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string" },
    age: { type: "integer", minimum: 0 },
    owner: { $ref: "#/$defs/Owner" },
    tags: { type: "array", items: { type: "string", enum: ["cat", "dog"] } },
  },
  $defs: { Owner: { type: "object", properties: { mail: { type: "string", format: "email" } } } },
};

test.each([
  [{ type: "string" }, "string"],
  [{ type: ["integer", "null"] }, "integer"],
  [{ enum: [1, 2] }, "choice"],
  [{ const: 1 }, "choice"],
  [{ type: "string", format: "binary" }, "file"],
  [{ type: "string", contentEncoding: "base64" }, "file"],
  [{ type: "object", properties: { a: {} } }, "object"],
  [{ type: "object", additionalProperties: { type: "string" } }, "map"],
  [{ items: {} }, "array"],
  [{ oneOf: [{ type: "string" }, { type: "integer" }] }, "union"],
  [{ type: ["string", "integer"] }, "union"],
  [{}, "any"],
] as const)("the kind of %j is %s", (schema, kind) => {
  expect(kindOf(schema as never)).toBe(kind);
});

test("references are followed and allOf is merged", () => {
  expect(resolved({ $ref: "#/$defs/Owner", title: "The owner" }, PET)["title"]).toBe("The owner");
  const both = resolved(
    {
      allOf: [
        { required: ["a"], properties: { a: {} } },
        { required: ["b"], properties: { b: {} } },
      ],
    },
    {},
  );
  expect(both["required"]).toEqual(["a", "b"]);
  expect(Object.keys(both["properties"] as object)).toEqual(["a", "b"]);
});

test("a schema that refers to itself ends", () => {
  const root = { $defs: { Node: { $ref: "#/$defs/Node" } } };
  expect(resolved({ $ref: "#/$defs/Node" }, root)).toEqual({});
});

test("null is a value by type, by alternative and by OpenAPI 3.0", () => {
  for (const schema of [
    { type: ["string", "null"] },
    { anyOf: [{ type: "string" }, { type: "null" }] },
    { type: "string", nullable: true },
  ])
    expect(isNullable(schema)).toBe(true);
  expect(isNullable({ type: "string" })).toBe(false);
});

test("the only alternative besides null takes its place", () => {
  const schema = simplified({ anyOf: [{ type: "integer" }, { type: "null" }], title: "Age" }, {});
  expect([kindOf(schema), schema["title"], variants(schema).length]).toEqual(["integer", "Age", 0]);
});

test("a field says its kind", () => {
  expect(kindWord(PET.properties.tags as never, PET)).toBe("string[]");
  expect(kindWord({ type: "string", format: "date" }, {})).toBe("date");
});

test("a form begins with defaults and required groups", () => {
  const schema = {
    type: "object",
    required: ["in"],
    properties: {
      n: { default: 3 },
      in: { type: "object", properties: { a: { default: 1 } } },
      out: { type: "object", properties: { b: { default: 1 } } },
    },
  };
  expect(starting(schema, schema)).toEqual({ n: 3, in: { a: 1 } });
});

test("problems are at their place", () => {
  const problems = problemsOf(PET as never, { age: -1, tags: ["cow"], owner: {} });
  expect([...problems.keys()].sort()).toEqual(["/age", "/name", "/tags/0"]);
  expect(problems.get("/name")).toBe("This is needed.");
  expect(problemsOf(PET as never, { name: "Rex" }).size).toBe(0);
});

test("a file is no text to the check, and null fits what is nullable", () => {
  const schema = {
    type: "object",
    properties: { file: { type: "string", format: "binary" }, note: { type: "string", nullable: true } },
  };
  expect(problemsOf(schema, { file: { name: "a.png", contents: "AA==" }, note: null }).size).toBe(0);
});

test("a schema that cannot be read checks nothing", () => {
  expect(problemsOf({ type: "object", properties: { a: { pattern: "(" } } }, { a: "x" }).size).toBe(0);
});

test("values are set without changing what was there", () => {
  const value = { a: [1, { b: 2 }] };
  expect(setAt(value, ["a", 1, "b"], 3)).toEqual({ a: [1, { b: 3 }] });
  expect(setAt(value, ["a", 0], undefined)).toEqual({ a: [{ b: 2 }] });
  expect(value).toEqual({ a: [1, { b: 2 }] });
  expect(getAt(value, ["a", 1, "b"])).toBe(2);
  expect(pointer(["a/b", 0, "c~d"])).toBe("/a~1b/0/c~0d");
});

test("a schema of CX Agent Studio is read as JSON Schema", () => {
  const schema = { type: "OBJECT", properties: { a: { type: "ARRAY", items: { type: "STRING" } } }, required: ["a"] };
  expect(plainSchema(schema)).toEqual({
    type: "object",
    properties: { a: { type: "array", items: { type: "string" } } },
    required: ["a"],
  });
});
