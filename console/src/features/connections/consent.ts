import type { conn } from "../../api/generated/types";

/** What is waited for while a user is at a system's own page (RFC 6749 §4.1, RFC 7636). */
export interface Consent {
  connection: string;
  verifier: string;
  redirect: string;
}

/** Where a browser comes back to from there, in this console. */
export function consentAddress(): string {
  return `${location.origin}/console/consent`;
}

/** The page where a user consents, for a connection by its connector's version; null: the connector names none. */
export function pageOf(connection: conn.Connection, version: conn.ConnectorVersion): string | null {
  const link = linkOf(version);
  if (!link?.uri) return null;
  const values = new Map(connection.configVariables?.map(({ key, stringValue }) => [key, stringValue ?? ""]));
  // Without a choice, the first one counts.
  const first = new Map(
    version.configVariableTemplates?.map(({ key, enumOptions }) => [key, enumOptions?.[0]?.id ?? ""]),
  );
  return link.uri.replace(/\{config\.(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(values.get(key) || (first.get(key) ?? "")),
  );
}

function linkOf(version: conn.ConnectorVersion): conn.AuthorizationCodeLink | undefined {
  return version.authConfigTemplates
    ?.flatMap(({ configVariableTemplates }) => configVariableTemplates ?? [])
    .find(({ authorizationCodeLink }) => authorizationCodeLink)?.authorizationCodeLink;
}

/** The address to open, and what is to be known when the browser comes back. */
export async function begun(
  connection: conn.Connection,
  version: conn.ConnectorVersion,
  page: string,
): Promise<string> {
  const flow = connection.authConfig?.oauth2AuthCodeFlow;
  const [state, verifier] = [random(), random()];
  const redirect = flow?.redirectUri || consentAddress();
  const scopes = flow?.scopes?.length ? flow.scopes : (linkOf(version)?.scopes ?? []);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const query = new URLSearchParams({
    response_type: "code",
    client_id: flow?.clientId ?? "",
    redirect_uri: redirect,
    state,
    code_challenge: base64Url(new Uint8Array(digest)),
    code_challenge_method: "S256",
    ...(scopes.length ? { scope: scopes.join(" ") } : {}),
  });
  const consent: Consent = { connection: connection.name ?? "", verifier, redirect };
  sessionStorage.setItem(KEPT + state, JSON.stringify(consent));
  return `${page}${page.includes("?") ? "&" : "?"}${query.toString().replaceAll("+", "%20")}`;
}

const KEPT = "openplaybook.consent.";

export type Answer = { code: string; consent: Consent } | { refusal: string; connection: string };

/** What the address says that a browser came back to. It can be read once. */
export function answerIn(address: string): Answer {
  const given = new URL(address, location.origin).searchParams;
  const key = KEPT + (given.get("state") ?? "");
  const kept = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  if (!kept) return { refusal: "", connection: "" };
  const consent = JSON.parse(kept) as Consent;
  const code = given.get("code");
  if (code) return { code, consent };
  const said = [given.get("error"), given.get("error_description")].filter(Boolean).join(": ");
  return { refusal: said, connection: consent.connection };
}

function random(): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(36)));
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
