import { expect, test } from "vitest";
import { address, rpc } from "../src/api/method";

const get = rpc("GET", "", "/v3/{name=projects/*/agents/*}", "/v1/{name=projects/*/apps/*}") as never;
const update = rpc("PATCH", "tool", "/v3/{tool.name=projects/*/tools/*}") as never;

test("the template that fits the name is taken", () => {
  expect(address(get, { name: "projects/p/agents/a" })).toEqual({ url: "/v3/projects/p/agents/a", body: undefined });
  expect(address(get, { name: "projects/p/apps/a b" }).url).toBe("/v1/projects/p/apps/a%20b");
});

test("what is not in the path is in the query, lists repeated and messages with a point", () => {
  const { url } = address(get, {
    name: "projects/p/agents/a",
    pageSize: 5,
    id: ["x", "y"],
    of: { it: "z" },
    empty: "",
  });
  expect(url).toBe("/v3/projects/p/agents/a?pageSize=5&id=x&id=y&of.it=z");
});

test("the body is the field that the rule names", () => {
  const tool = { name: "projects/p/tools/t", description: "d" };
  expect(address(update, { tool, updateMask: "description" })).toEqual({
    url: "/v3/projects/p/tools/t?updateMask=description",
    body: tool,
  });
});

test("a name that fits nowhere is an error", () => {
  expect(() => address(get, { name: "agents/a" })).toThrow("/v3/{name=projects/*/agents/*}");
});

test("a body of several words is the field as JSON spells it", () => {
  const create = rpc("POST", "test_case", "/v3/{parent=projects/*}/testCases") as never;
  expect(address(create, { parent: "projects/p", testCase: { turns: [{}] } })).toEqual({
    url: "/v3/projects/p/testCases",
    body: { turns: [{}] },
  });
});
