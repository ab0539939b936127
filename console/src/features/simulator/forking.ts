import { call } from "../../api/call";
import { opApi } from "../../api/generated/methods";
import type { op } from "../../api/generated/types";
import { newId, upTo } from "../../api/names";

/** A new session with everything before a turn; the old one stays as it is. Returns its name. */
export async function forkBefore(turn: op.Turn): Promise<string> {
  const session = upTo(turn.name ?? "", "sessions");
  const beforeTurn = turn.number ?? 1;
  // Nothing comes before the first turn: any session that is not there yet will do.
  if (beforeTurn <= 1) return `${session.slice(0, session.lastIndexOf("/"))}/${newId()}`;
  const forked = await call(opApi.forkSession, { session, beforeTurn });
  return forked.name ?? "";
}
