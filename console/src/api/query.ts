import { QueryClient, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { call } from "./call";
import { ApiError } from "./errors";
import type { Method } from "./method";

export const cache = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // Twice in a second and a half: a server that starts again is met, and of one that is gone one hears soon.
      retryDelay: (times) => 500 * 2 ** times,
      retry: (times, error) => times < 2 && !(error instanceof ApiError && error.status < 500),
    },
  },
});

/** A response, kept by method and request. `null` as the request asks for nothing. */
export function useRpc<Request extends object, Response>(
  method: Method<Request, Response>,
  request: NoInfer<Request> | null,
): UseQueryResult<Response> {
  return useQuery({
    queryKey: keyOf(method, request),
    queryFn: ({ signal }) => call(method, request as Request, { signal }),
    enabled: request !== null,
  });
}

export function keyOf(method: { templates: string[]; verb: string }, request: object | null): unknown[] {
  return [method.templates[0] ?? "", method.verb, request];
}

/** Everything that was read by a method, or all: ask again where it is shown. */
export function forget(...methods: { templates: string[]; verb: string }[]): void {
  for (const method of methods) void cache.invalidateQueries({ queryKey: keyOf(method, null).slice(0, 2) });
  if (!methods.length) void cache.invalidateQueries();
}
