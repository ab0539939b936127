import type { op } from "../../api/generated/types";
import { newId, upTo } from "../../api/names";
import { t } from "../../words/words";

/** A new session with everything before a turn; the old one stays as it is. Returns its name. */
export async function forkBefore(turn: op.Turn): Promise<string> {
  const session = upTo(turn.name ?? "", "sessions");
  if ((turn.index ?? 1) <= 1) return `${session.slice(0, session.lastIndexOf("/"))}/${newId()}`;
  throw new Error(t("This server cannot branch a conversation; start a new one instead."));
}
