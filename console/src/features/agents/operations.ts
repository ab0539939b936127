import { call, stream } from "../../api/call";
import { ApiError } from "../../api/errors";
import { lroApi, opApi } from "../../api/generated/methods";
import type { lro, op } from "../../api/generated/types";

/**
 * Waits for a long-running operation, watching it; throws its error. `onProgress` is told whenever its metadata change.
 * A watch ends after some minutes; then another one begins.
 */
export async function finished(
  operation: lro.Operation,
  onProgress?: (now: op.OperationUpdate) => void,
): Promise<lro.Operation> {
  const name = operation.name ?? "";
  for (let done = operation.done ?? false; !done; ) {
    for await (const update of stream(opApi.watchOperation, { name })) {
      onProgress?.(update);
      done = update.done ?? false;
    }
  }
  const now = operation.done ? operation : await call(lroApi.getOperation, { name });
  const error = now.error as { code?: number; message?: string } | undefined;
  if (error) throw new ApiError(0, `CODE ${error.code ?? 0}`, error.message ?? "");
  return now;
}
