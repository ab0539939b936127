import type { conn } from "../../api/generated/types";

const DESTINATION = /^(https?:\/\/)?(\[[\da-fA-F:.]+\]|[^\s:/[\]]+)(?::(\d{1,5}))?\/?$/;

/** Host and port of `[http://]HOST[:PORT]`; null for what is none. An address of IPv6 is in brackets. */
export function destinationIn(text: string): conn.Destination | null {
  const found = DESTINATION.exec(text.trim());
  if (!found) return null;
  const [, scheme = "", host = "", port] = found;
  if (Number(port ?? 0) > 65535) return null;
  return { host: scheme + host, ...(port ? { port: Number(port) } : {}) };
}
