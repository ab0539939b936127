import { call } from "../../api/call";
import { ApiError } from "../../api/errors";
import { lroApi } from "../../api/generated/methods";
import type { lro } from "../../api/generated/types";

const FIRST_WAIT_MS = 150;
const LONGEST_WAIT_MS = 2000;

/** Waits for a long-running operation; throws its error. `onProgress` is told what is known on the way. */
export async function finished(
  operation: lro.Operation,
  onProgress?: (now: lro.Operation) => void,
): Promise<lro.Operation> {
  let now = operation;
  for (let wait = FIRST_WAIT_MS; !now.done; wait = Math.min(LONGEST_WAIT_MS, wait * 1.6)) {
    await new Promise((resolve) => setTimeout(resolve, wait));
    now = await call(lroApi.getOperation, { name: now.name ?? "" });
    onProgress?.(now);
  }
  const error = now.error as { code?: number; message?: string } | undefined;
  if (error) throw new ApiError(0, `CODE ${error.code ?? 0}`, error.message ?? "");
  return now;
}
