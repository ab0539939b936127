import { expect, test } from "vitest";
import { filterFields, withCondition } from "../src/features/data-stores/filter-help";
import { importState, secondsLeft } from "../src/features/data-stores/progress";

test("an import says how fast it is, and how long the rest takes", () => {
  const state = importState({ successCount: "30", failureCount: "10", totalCount: "100" }, 8);
  expect(state).toMatchObject({ good: 30, bad: 10, all: 100, rate: 5, isDone: false });
  expect(secondsLeft(state)).toBe(12);
  expect(secondsLeft(importState({ successCount: "3" }, 1))).toBeNull();
  const running = importState({ failureCount: "1", errorSamples: [{ message: "b.pdf: no text" }] }, 2);
  expect([running.isDone, running.errors]).toEqual([false, ["b.pdf: no text"]]);
  const done = importState({}, 9, { errorSamples: [{ message: "a.pdf: no text" }] });
  expect([done.isDone, done.errors]).toEqual([true, ["a.pdf: no text"]]);
});

test("fields of a schema can be filtered by, nested ones by their paths", () => {
  const tags = { type: "array", items: { type: "string" } };
  const price = { type: "object", properties: { amount: { type: "number" } } };
  const fields = filterFields({ type: "object", properties: { tags, price } });
  expect(fields).toEqual([
    { name: "tags", isNumber: false },
    { name: "price.amount", isNumber: true },
  ]);
  const filter = withCondition("", fields[0]!, "=", 'a "b"');
  expect(filter).toBe('tags: ANY("a \\"b\\"")');
  expect(withCondition(filter, fields[1]!, "<", "20")).toBe(`${filter} AND price.amount < 20`);
});
