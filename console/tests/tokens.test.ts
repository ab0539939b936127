import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const CSS = readFileSync("src/styles/tokens.css", "utf-8");
const TEXTS = ["text", "text-2", "text-3", "accent", "model", "code", "retrieval", "pause", "hand", "bad", "good"];
const GROUNDS = ["surface", "bg", "sunken"];
const SOFT = ["accent", "model", "code", "retrieval", "pause", "hand", "bad", "good"];

function tokens(selector: string): Map<string, string> {
  const block = CSS.slice(CSS.indexOf(selector)).split("}")[0] ?? "";
  return new Map([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map((match) => [match[1]!, match[2]!]));
}

/** WCAG 2.2, "relative luminance". */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(left: string, right: string): number {
  const [dark, bright] = [luminance(left), luminance(right)].sort((a, b) => a - b) as [number, number];
  return (bright + 0.05) / (dark + 0.05);
}

test.each([":root", '[data-theme="dark"]'])("in %s every text can be read", (selector) => {
  const all = tokens(selector);
  const pairs = [
    ...TEXTS.flatMap((text) => GROUNDS.map((ground) => [text, ground] as const)),
    ...SOFT.map((name) => [name, `${name}-soft`] as const),
    ["on-accent", "accent"] as const,
  ];
  const low = pairs.filter(([text, ground]) => contrast(all.get(text)!, all.get(ground)!) < 4.5);
  expect(low).toEqual([]);
  expect(GROUNDS.filter((ground) => contrast(all.get("edge")!, all.get(ground)!) < 3)).toEqual([]);
});
