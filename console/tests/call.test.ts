import { afterEach, describe, expect, it, vi } from "vitest";
import { call, loginNeeded } from "../src/api/call";
import { rpc } from "../src/api/method";

const method = rpc("GET", "", "/v3/things") as never;
const SESSION = "/console/session/refresh";

/** A server whose session has ended; `renewals` says whether each renewal is given. */
function server(...renewals: boolean[]): string[] {
  const asked: string[] = [];
  vi.stubGlobal("navigator", {});
  let isOpen = false;
  vi.stubGlobal("fetch", (address: string) => {
    asked.push(address);
    if (address === SESSION) isOpen = renewals.shift() ?? false;
    const status = isOpen ? 200 : 401;
    const body = isOpen ? { value: 7 } : { error: { code: 401, message: "No.", status: "UNAUTHENTICATED" } };
    const headers: HeadersInit = isOpen ? {} : { "WWW-Authenticate": "Bearer" };
    return Promise.resolve(new Response(JSON.stringify(body), { status, headers }));
  });
  return asked;
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("a session whose token has ended", () => {
  it("is renewed once, and what was refused is sent again", async () => {
    const asked = server(true);
    const both = await Promise.all([call(method, {}), call(method, {})]);
    expect(both).toEqual([{ value: 7 }, { value: 7 }]);
    expect(asked.filter((each) => each === SESSION)).toHaveLength(1);
  });

  it("asks for a login where it cannot be renewed", async () => {
    const asked = server(false);
    const needed = vi.fn();
    loginNeeded.addEventListener("login", needed, { once: true });
    await expect(call(method, {})).rejects.toThrow("No.");
    expect(needed).toHaveBeenCalledOnce();
    expect(asked).toHaveLength(2);
  });

  it("is not meant by a system behind the server that does not take a credential", async () => {
    const asked: string[] = [];
    vi.stubGlobal("fetch", (address: string) => {
      asked.push(address);
      const body = { error: { code: 401, message: "Wrong password.", status: "UNAUTHENTICATED" } };
      return Promise.resolve(new Response(JSON.stringify(body), { status: 401 }));
    });
    const needed = vi.fn();
    loginNeeded.addEventListener("login", needed, { once: true });
    await expect(call(method, {})).rejects.toThrow("Wrong password.");
    loginNeeded.removeEventListener("login", needed);
    expect(needed).not.toHaveBeenCalled();
    expect(asked).toEqual(["/v3/things"]);
  });
});
