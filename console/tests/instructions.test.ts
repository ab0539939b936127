import { expect, test } from "vitest";
import {
  nearest,
  numbersOf,
  referencesIn,
  rowsOf,
  rowsOfText,
  stepsOf,
  textOf,
} from "../src/features/playbooks/instructions";

const STEPS = [
  { text: "one" },
  { text: "two", steps: [{ text: "in two", steps: [{ text: "deep" }] }, { text: "more" }] },
  { text: "three" },
];

test("steps are rows, and rows steps", () => {
  expect(stepsOf(rowsOf(STEPS))).toEqual(STEPS);
});

test("rows are numbered as the model sees them", () => {
  expect(numbersOf(rowsOf(STEPS))).toEqual(["1", "2", "2.1", "2.1.1", "2.2", "3"]);
});

test("text is rows, however it is marked", () => {
  expect(rowsOfText(textOf(rowsOf(STEPS)))).toEqual(rowsOf(STEPS));
  expect(rowsOfText("1. first\n  * inner\n\nplain")).toEqual([
    { text: "first", depth: 0 },
    { text: "inner", depth: 1 },
    { text: "plain", depth: 0 },
  ]);
});

test("references are found with their place", () => {
  expect(referencesIn("Use ${TOOL: pets} or ${PLAYBOOK:care}.")).toEqual([
    { kind: "TOOL", name: "pets", from: 4, to: 17 },
    { kind: "PLAYBOOK", name: "care", from: 21, to: 37 },
  ]);
});

test("the nearest name is offered, and none that is far", () => {
  expect(nearest("pet", ["pets", "weather"])).toBe("pets");
  expect(nearest("invoice", ["pets", "weather"])).toBe("");
});
