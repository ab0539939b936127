import { call } from "../../api/call";
import { sentence } from "../../api/errors";
import { opApi } from "../../api/generated/methods";
import type { op } from "../../api/generated/types";
import { upTo } from "../../api/names";
import { download } from "../../ui/code";
import { say } from "../../ui/toast";
import { t } from "../../words/words";
import { isAppSession } from "./inputs";

export const DRAFT_EXAMPLE = "openplaybook.draft-example";

/** Opens the example editor with what was said and done in a turn; nothing is stored before it is saved there. */
export async function keepAsExample(turn: op.Turn, navigate: (path: string) => void): Promise<void> {
  if (!turn.name || isAppSession(turn.name)) {
    say(t("Examples are made of conversations with Dialogflow agents."));
    return;
  }
  try {
    const number = turn.number ?? 0;
    const request = { session: upTo(turn.name, "sessions"), firstTurn: number, lastTurn: number };
    const draft = await call(opApi.draftExample, request);
    sessionStorage.setItem(DRAFT_EXAMPLE, JSON.stringify(draft.example ?? {}));
    navigate(`/${draft.playbook}/examples/new`);
    if (draft.remarks?.length) say(draft.remarks.join(" "));
  } catch (error) {
    say(sentence(error));
  }
}

/** Downloads the conversation, up to a turn, as a recording that `openplaybook replay` compares with today's agent. */
export async function saveAsTest(session: string, lastTurn = 0): Promise<void> {
  try {
    const { recording, title } = await call(opApi.draftTestCase, { session, lastTurn });
    const name = (title || "conversation").replaceAll(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60);
    download(recording ?? "", `${name}.yaml`);
    say(t("The conversation is saved as a test: openplaybook replay compares it with the agent."));
  } catch (error) {
    say(sentence(error));
  }
}
