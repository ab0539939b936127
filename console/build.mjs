// Builds the console and the messenger into the Python package, and compresses each file once, as the server sends it.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "vite";

const OUTPUT = new URL("../src/openplaybook/console/built", import.meta.url).pathname;
/** Pages that name the files of their view too, so that a browser need not run the first script to find them. */
const PAGES = { "start.html": "src/features/start/start.tsx", "talk.html": "src/features/simulator/simulator.tsx" };
const SMALLEST = 600; // bytes; compression of less saves no packet

await build({ logLevel: "warn" });
const page = readFileSync(join(OUTPUT, "index.html"), "utf-8");
const manifest = JSON.parse(readFileSync(join(OUTPUT, "manifest.json"), "utf-8"));
for (const [name, view] of Object.entries(PAGES)) writeFileSync(join(OUTPUT, name), pageOf(view));
process.env.PART = "messenger";
await build({ logLevel: "warn" });
for (const path of files(OUTPUT)) {
  const content = readFileSync(path);
  if (content.length < SMALLEST || !/\.(js|css|html|svg|json)$/.test(path)) continue;
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
  writeFileSync(`${path}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
}

/** The page with what a view imports, itself and through others, and with its styles. */
function pageOf(view) {
  const names = new Set();
  const add = (name) => {
    if (names.has(name)) return;
    names.add(name);
    manifest[name].imports?.forEach(add);
  };
  add(view);
  const chunks = [...names].map((name) => manifest[name]);
  const links = [
    ...chunks.map(({ file }) => [file, `<link rel="modulepreload" crossorigin href="/console/${file}">`]),
    ...chunks.flatMap(({ css = [] }) => css).map((file) => [file, `<link rel="stylesheet" href="/console/${file}">`]),
  ];
  const missing = new Map(links.filter(([file]) => !page.includes(file)));
  return page.replace("</head>", `  ${[...missing.values()].join("\n    ")}\n  </head>`);
}

function* files(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* files(path);
    else yield path;
  }
}
