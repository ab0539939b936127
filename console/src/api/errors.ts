import type { Json } from "./json";

/** What the server answered instead of a result, in the words of google.rpc.Status. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: Json[] = [],
  ) {
    super(message);
  }

  /** Whether another edit came first (etags). */
  get isConflict(): boolean {
    return this.code === "ABORTED" || (this.code === "FAILED_PRECONDITION" && /etag/i.test(this.message));
  }
}

/** The server was not reached at all. */
export class Unreachable extends Error {}

export async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text();
  try {
    const parsed: unknown = JSON.parse(text);
    const item = Array.isArray(parsed) ? parsed[0] : parsed;
    return errorFrom(item, response.status);
  } catch {
    return new ApiError(response.status, `HTTP ${response.status}`, text.slice(0, 500) || response.statusText);
  }
}

export function errorFrom(item: unknown, status = 0): ApiError {
  const error =
    (item as { error?: { code?: number; status?: string; message?: string; details?: Json[] } }).error ?? {};
  return new ApiError(
    error.code ?? status,
    error.status ?? `HTTP ${status}`,
    error.message ?? "The server sent an error without a message.",
    error.details ?? [],
  );
}

export function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
