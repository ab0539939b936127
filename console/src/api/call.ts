import { ApiError, errorFrom, errorOf, Unreachable } from "./errors";
import { address, type Method } from "./method";
import { Splitter } from "./splitter";

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Repeats with the same key are one request (docs/durability.md). */
  key?: string | undefined;
  /** Let the request outlive the page. */
  keepalive?: boolean;
}

/** Called when the server asks who is there. */
export const loginNeeded = new EventTarget();

let isIn = false;

/** Whether the server has answered this page before: then there may be work in it that is not to be lost. */
export function wasIn(): boolean {
  return isIn;
}

/** Sends one request and returns its response. Throws `ApiError` or `Unreachable`. */
export async function call<Request extends object, Response>(
  method: Method<Request, Response>,
  request: NoInfer<Request>,
  options: CallOptions = {},
): Promise<Response> {
  const response = await sent(method as never, request, options);
  return (await response.json()) as Response;
}

/** Sends one request and yields the items of its streamed response as they arrive. */
export async function* stream<Request extends object, Item>(
  method: Method<Request, Item>,
  request: NoInfer<Request>,
  options: CallOptions = {},
): AsyncGenerator<Item> {
  const response = await sent(method as never, request, options);
  if (!response.body) return;
  const splitter = new Splitter();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      for (const item of splitter.push(value)) {
        if (item && typeof item === "object" && "error" in item) throw errorFrom(item);
        yield item as Item;
      }
    }
  } catch (error) {
    if (error instanceof ApiError || options.signal?.aborted) throw error;
    throw new Unreachable("The connection broke before the answer was complete.", { cause: error });
  } finally {
    reader.cancel().catch(() => undefined); // The server may have closed it already.
  }
}

let renewing: Promise<boolean> | undefined;

/** Whether the session has a new token in place of one that ended. */
function renewed(): Promise<boolean> {
  renewing ??= alone(renew).finally(() => {
    renewing = undefined;
  });
  return renewing;
}

async function renew(): Promise<boolean> {
  try {
    const headers = { "X-OpenPlaybook-Console": "1" };
    return (await fetch("/console/session/refresh", { method: "POST", headers })).ok;
  } catch {
    return false; // The request that needs the token says what is wrong.
  }
}

/** Does it in one tab at a time: a refresh token may be good for once. Pages without TLS have no locks. */
function alone(work: () => Promise<boolean>): Promise<boolean> {
  const locks = navigator.locks as LockManager | undefined;
  return locks ? locks.request("openplaybook-session", work) : work();
}

async function sent(method: Method<never, never>, request: object, options: CallOptions): Promise<Response> {
  let response = await fetched(method, request, options);
  if (isLocked(response) && (await renewed())) response = await fetched(method, request, options);
  if (isLocked(response)) loginNeeded.dispatchEvent(new Event("login"));
  if (!response.ok) throw await errorOf(response);
  isIn = true;
  return response;
}

/** Whether the server asks who is there. Without the challenge it is a system behind it that does not take a credential. */
function isLocked(response: Response): boolean {
  return response.status === 401 && response.headers.has("WWW-Authenticate");
}

async function fetched(method: Method<never, never>, request: object, options: CallOptions): Promise<Response> {
  const { url, body } = address(method, request);
  const headers: Record<string, string> = { "X-OpenPlaybook-Console": "1" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (options.key) headers["Idempotency-Key"] = options.key;
  try {
    return await fetch(url, {
      method: method.verb,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: options.signal ?? null,
      keepalive: options.keepalive ?? false,
      credentials: "same-origin",
    });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new Unreachable("The server does not answer. Is it still running?", { cause: error });
  }
}
