import { stream } from "../../api/call";
import { opApi } from "../../api/generated/methods";
import type { op } from "../../api/generated/types";

/** A step with its prompt: the stream of a turn that ended begins with the first one from a number on. */
export async function readStep(turn: string, number: number, signal: AbortSignal): Promise<op.TurnStep | null> {
  const request = { name: turn, firstStep: number, view: "STEP_VIEW_FULL" as const };
  for await (const update of stream(opApi.watchTurn, request, { signal })) {
    const found = update.steps?.find((each) => (each.number ?? 0) === number);
    if (found) return found;
  }
  return null;
}
