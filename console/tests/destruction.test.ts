import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** Takes back what it created itself a moment before. */
const OWN = ["features/agents/templates.ts"];

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? sources(join(folder, entry.name)) : [join(folder, entry.name)],
  );
}

test("whoever deletes or overwrites asks, or can take it back", () => {
  const destroying = sources("src").filter((path) =>
    /call\(\s*\w+Api\.(delete|purge|restore|remove)\w*/.test(readFileSync(path, "utf-8")),
  );
  expect(destroying.length).toBeGreaterThan(8);
  const unasked = destroying.filter((path) => !/undoable\(|<Confirm|<Dialog/.test(readFileSync(path, "utf-8")));
  expect(unasked.map((path) => path.replace("src/", ""))).toEqual(OWN);
});
