import { call } from "../../api/call";
import { sentence } from "../../api/errors";
import { opApi } from "../../api/generated/methods";
import type { cx, op } from "../../api/generated/types";
import { upTo } from "../../api/names";
import { download } from "../../ui/code";
import { say } from "../../ui/toast";
import { t } from "../../words/words";
import { isAppSession } from "./inputs";

export const DRAFT_EXAMPLE = "openplaybook.draft-example";
const STEPS_READ = 200;

/** Opens the example editor with what was said and done in a turn; nothing is stored before it is saved there. */
export async function keepAsExample(turn: op.Turn, navigate: (path: string) => void): Promise<void> {
  if (!turn.name || isAppSession(turn.name)) {
    say(t("Examples are made of conversations with Dialogflow agents."));
    return;
  }
  try {
    const response = await call(opApi.listTurnSteps, {
      parent: turn.name,
      pageSize: STEPS_READ,
      view: "STEP_VIEW_FULL",
    });
    sessionStorage.setItem(DRAFT_EXAMPLE, JSON.stringify(exampleOf(turn, response.steps ?? [])));
    navigate(`/${turn.playbook}/examples/new`);
  } catch (error) {
    say(sentence(error));
  }
}

export function exampleOf(turn: op.Turn, steps: readonly op.TurnStep[]): cx.Example {
  const actions: cx.Action[] = [];
  if (turn.text) actions.push({ userUtterance: { text: turn.text } });
  for (const { agent, call: made } of steps) {
    if (made?.tool)
      actions.push({
        toolUse: {
          tool: made.tool,
          action: made.action ?? "",
          inputActionParameters: made.arguments ?? {},
          outputActionParameters: (made.output ?? {}) as Record<string, never>,
        },
      });
    if (agent?.text) actions.push({ agentUtterance: { text: agent.text } });
  }
  return { displayName: (turn.text ?? "").slice(0, 60), languageCode: turn.languageCode || "en", actions };
}

/** Downloads the conversation as a recording, which `openplaybook replay` compares with today's agent. */
export async function saveAsTest(session: string): Promise<void> {
  try {
    const { recording } = await call(opApi.recordSession, { session });
    download(recording ?? "", `${upTo(session, "sessions").split("/").at(-1)}.yaml`);
    say(t("The conversation is saved as a test: openplaybook replay compares it with the agent."));
  } catch (error) {
    say(sentence(error));
  }
}
