// Builds the console and the messenger into the Python package, and compresses each file once, as the server sends it.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "vite";

const OUTPUT = new URL("../src/openplaybook/console/built", import.meta.url).pathname;
const SMALLEST = 600; // bytes; compression of less saves no packet

await build({ logLevel: "warn" });
process.env.PART = "messenger";
await build({ logLevel: "warn" });
for (const path of files(OUTPUT)) {
  const content = readFileSync(path);
  if (content.length < SMALLEST || !/\.(js|css|html|svg|json)$/.test(path)) continue;
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
  writeFileSync(`${path}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
}

function* files(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* files(path);
    else yield path;
  }
}
