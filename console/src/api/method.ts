/** One RPC over REST (google.api.http): the verb, which field is the body, and its path templates, first one first. */
export interface Method<Request, Response> {
  verb: string;
  body: string;
  templates: string[];
  /** Never set: they carry the types. */
  request?: Request;
  response?: Response;
}

export function rpc(verb: string, body: string, ...templates: string[]): Method<unknown, unknown> {
  return { verb, body, templates };
}

type Fields = Record<string, unknown>;

/** URL and body of a request; throws when its resource names fit none of the method's templates. */
export function address(method: Method<never, never>, request: object): { url: string; body: unknown } {
  for (const template of method.templates) {
    const rest: Fields = { ...(request as Fields) };
    const path = filled(template, rest);
    if (path === null) continue;
    if (method.body === "*") return { url: path, body: rest };
    const field = camel(method.body);
    const body = field ? rest[field] : undefined;
    delete rest[field];
    const query = new URLSearchParams(pairs(rest, "")).toString();
    return { url: query ? `${path}?${query}` : path, body };
  }
  throw new Error(`No path of this method fits: ${method.templates.join(", ")}`);
}

/** The path with the variables of a template replaced; what came from the top of `rest` is taken out of it. */
function filled(template: string, rest: Fields): string | null {
  let fits = true;
  const path = template.replace(/\{([a-z_.]+)=([^}]+)\}/g, (_, variable: string, pattern: string) => {
    const [head = "", ...tail] = variable.split(".").map(camel);
    let value: unknown = rest[head];
    for (const part of tail) value = (value as Fields | undefined)?.[part];
    const text = String(value ?? "");
    const expression = pattern.split("*").map(escaped).join("[^/]+");
    fits &&= new RegExp(`^${expression}$`).test(text);
    if (tail.length === 0) delete rest[head];
    return text.split("/").map(encodeURIComponent).join("/");
  });
  return fits ? path : null;
}

function pairs(fields: Fields, prefix: string): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]): [string, string][] => {
    if (value === undefined || value === null || value === "") return [];
    if (Array.isArray(value)) return value.map((item) => [prefix + name, String(item)]);
    if (typeof value === "object") return pairs(value as Fields, `${prefix}${name}.`);
    return [[prefix + name, String(value)]];
  });
}

function camel(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function escaped(text: string): string {
  return text.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
}
