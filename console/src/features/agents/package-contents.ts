/** What is in an exported package, read from the list of its files; nothing is unpacked or sent. */
export interface PackageContents {
  kind: "agent" | "app" | "unknown";
  /** Word for a kind of resource → how many. */
  counts: [string, number][];
  files: string[];
}

const END_OF_DIRECTORY = 0x06054b50;
const ENTRY = 0x02014b50;
const TAIL = 66_000;
const MOST_FILES = 20_000;

/** Reads the directory of a zip file (APPNOTE 4.3.12); throws where it is none. */
export async function contentsOf(file: Blob): Promise<PackageContents> {
  const tail = new DataView(await file.slice(-TAIL).arrayBuffer());
  let end = tail.byteLength - 22;
  while (end >= 0 && tail.getUint32(end, true) !== END_OF_DIRECTORY) end--;
  if (end < 0) throw new Error("This is no zip file, or its end is missing.");
  const size = tail.getUint32(end + 12, true);
  const from = tail.getUint32(end + 16, true);
  const view = new DataView(await file.slice(from, from + size).arrayBuffer());
  const files: string[] = [];
  for (let at = 0; at + 46 <= view.byteLength && files.length < MOST_FILES; ) {
    if (view.getUint32(at, true) !== ENTRY) throw new Error(`The zip file's directory is broken at byte ${from + at}.`);
    const length = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + at + 46, length));
    if (!name.endsWith("/")) files.push(name);
    at += 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return { kind: kindOf(files), counts: countsOf(files), files };
}

function kindOf(files: string[]): PackageContents["kind"] {
  const names = new Set(files.map((name) => name.slice(name.lastIndexOf("/") + 1)));
  if (names.has("app.json") || names.has("app.yaml")) return "app";
  return names.has("agent.json") ? "agent" : "unknown";
}

const KINDS: [string, RegExp][] = [
  ["playbooks", /(^|\/)playbooks\/[^/]+\/[^/]+\.json$/],
  ["examples", /\/examples\//],
  ["tools", /(^|\/)tools\/[^/]+\/[^/]+\.(json|yaml)$/],
  ["agents", /(^|\/)agents\/[^/]+\/[^/]+\.(json|yaml)$/],
  ["toolsets", /(^|\/)toolsets\/[^/]+\/[^/]+\.(json|yaml)$/],
  ["guardrails", /(^|\/)guardrails\//],
  ["flows", /(^|\/)flows\/[^/]+\/[^/]+\.json$/],
  ["intents", /(^|\/)intents\/[^/]+\/[^/]+\.json$/],
];

function countsOf(files: string[]): [string, number][] {
  return KINDS.flatMap(([word, pattern]): [string, number][] => {
    const folders = new Set(
      files
        .filter((name) => pattern.test(name))
        .map((name) => (word === "examples" || word === "guardrails" ? name : name.slice(0, name.lastIndexOf("/")))),
    );
    return folders.size ? [[word, folders.size]] : [];
  });
}
