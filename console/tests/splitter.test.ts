import { expect, test } from "vitest";
import { Splitter } from "../src/api/splitter";

const ITEMS = [{ a: 'a "quoted" ] }, text', b: [1, { c: "\\" }] }, { responseType: "FINAL" }];
const TEXT = `[${JSON.stringify(ITEMS[0])},\n${JSON.stringify(ITEMS[1])}\n]`;

test("an array is the same however it is cut", () => {
  for (let cut = 0; cut <= TEXT.length; cut++) {
    const splitter = new Splitter();
    expect([...splitter.push(TEXT.slice(0, cut)), ...splitter.push(TEXT.slice(cut))]).toEqual(ITEMS);
  }
});

test("items come as soon as they are complete", () => {
  const splitter = new Splitter();
  expect(splitter.push(`[${JSON.stringify(ITEMS[0])}`)).toEqual([ITEMS[0]]);
  expect(splitter.push(',{"a":')).toEqual([]);
  expect(splitter.push("1}")).toEqual([{ a: 1 }]);
});
