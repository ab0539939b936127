import { cesApi, cxApi, opApi } from "../api/generated/methods";
import type { Method } from "../api/method";
import { cache, keyOf } from "../api/query";
import { call } from "../api/call";
import { upTo } from "../api/names";

/** Of a conversation, in one request. */
export const TURNS_SHOWN = 1000;
/** Of the server's agents and apps, each in one request. */
export const WHOLES_SHOWN = 200;
export const EVERYWHERE = "projects/-/locations/-";

/** Asks for what the page at this path shows first, while its scripts are still on the way. */
export function askAhead(path: string): void {
  ahead(cxApi.listAgents, { parent: EVERYWHERE, pageSize: WHOLES_SHOWN });
  ahead(cesApi.listApps, { parent: EVERYWHERE, pageSize: WHOLES_SHOWN });
  const session = upTo(decodeURIComponent(path).replace(/^\/console\//, ""), "sessions");
  if (session.includes("/sessions/")) ahead(opApi.listTurns, { parent: session, pageSize: TURNS_SHOWN });
  ahead(opApi.getServerInfo, {});
}

function ahead<Request extends object, Response>(method: Method<Request, Response>, request: NoInfer<Request>): void {
  // What fails is asked again by the view, which says why.
  void cache.prefetchQuery({ queryKey: keyOf(method, request), queryFn: () => call(method, request), retry: false });
}
