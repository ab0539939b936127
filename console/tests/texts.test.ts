import { expect, test } from "vitest";
import { fixed, inspected } from "../src/features/tools/inspection";
import { placed } from "../src/features/apps/tree";
import { safeUrl } from "../src/messenger/rich-content";
import { readable } from "../src/features/simulator/prompt-diff";
import { diffLines, folded } from "../src/ui/diff";

test("a difference keeps what is the same", () => {
  expect(diffLines("a\nb\nc", "a\nx\nc")).toEqual([
    { kind: "same", text: "a" },
    { kind: "gone", text: "b" },
    { kind: "came", text: "x" },
    { kind: "same", text: "c" },
  ]);
});

test("of a long text that is nearly the same only what changed is shown, with a line around it", () => {
  const lines = diffLines("a\nb\nc\nd\ne\nf", "a\nb\nc\nd\nX\nf");
  expect(folded(lines, 1).map(({ text }) => text)).toEqual(["3 lines are the same", "d", "e", "X", "f"]);
  expect(folded(diffLines("a\nb", "a\nb"), 1).map(({ text }) => text)).toEqual(["2 lines are the same"]);
});

test("a prompt is read with its line breaks", () => {
  expect(readable('{"text":"one\\ntwo"}')).toBe('{\n  "text": "one\ntwo"\n}');
});

test("long texts are compared as blocks", () => {
  const long = (word: string): string => Array.from({ length: 1600 }, (_, n) => `${word}${n}`).join("\n");
  expect(diffLines(long("a"), long("b")).length).toBe(3200);
});

test("a remark is at its characters, and its fix in their place", () => {
  const { remarks } = inspected({
    problems: [{ line: 2, column: 7, length: 5, message: "?", fix: "petId", severity: "WARNING" }],
  });
  expect(remarks[0]).toMatchObject({ line: 2, column: 7, endColumn: 12, severity: "warning" });
  expect(fixed("a:\nname: petID\n", remarks[0]!)).toBe("a:\nname: petId\n");
});

test("agents are a tree, also where they hand over in circles", () => {
  const agents = [
    { name: "a", childAgents: ["b", "c"] },
    { name: "b", childAgents: ["a"] },
    { name: "c" },
    { name: "alone" },
  ];
  const { nodes, edges, down } = placed(agents, "a");
  expect(nodes.map(({ agent, row }) => [agent.name, row])).toEqual([
    ["a", 0],
    ["b", 1],
    ["c", 1],
    ["alone", 0],
  ]);
  expect([edges.length, down]).toEqual([3, 2]);
});

test.each(["javascript:alert(1)", "data:text/html,x", "vbscript:x", ""])("%s is no link", (url) => {
  Object.assign(globalThis, { location: { href: "https://site.example/" } });
  expect(safeUrl(url)).toBe("");
});
