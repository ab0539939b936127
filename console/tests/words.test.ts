import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const LANGUAGES = ["de", "ko", "pt"];
const PLACES = /\{\w+\}/g;

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? entry.name === "generated"
        ? []
        : sources(join(folder, entry.name))
      : /\.tsx?$/.test(entry.name)
        ? [join(folder, entry.name)]
        : [],
  );
}

/** English texts that are given to `t` and `count` as they stand. */
function texts(): string[] {
  const found = new Set<string>();
  for (const path of sources("src")) {
    const code = readFileSync(path, "utf-8");
    for (const match of code.matchAll(/\bt\(\s*"((?:[^"\\]|\\.)*)"/g)) found.add(JSON.parse(`"${match[1]}"`) as string);
    for (const match of code.matchAll(/\bcount\(\s*[^"]*?"((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)"/g)) {
      found.add(match[1]!);
      found.add(match[2]!);
    }
  }
  return [...found];
}

test.each(LANGUAGES)("every text is in %s, with its places", (language) => {
  const catalogue = JSON.parse(readFileSync(`src/words/${language}.json`, "utf-8")) as Record<string, string>;
  expect(texts().filter((text) => !catalogue[text])).toEqual([]);
  for (const [text, translated] of Object.entries(catalogue))
    expect([text, (translated.match(PLACES) ?? []).sort()]).toEqual([text, (text.match(PLACES) ?? []).sort()]);
});
