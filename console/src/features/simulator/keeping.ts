import { call } from "../../api/call";
import { ApiError, sentence } from "../../api/errors";
import { cesApi, cxApi, opApi } from "../../api/generated/methods";
import type { ces, cx, op } from "../../api/generated/types";
import { upTo } from "../../api/names";
import { forget } from "../../api/query";
import { download } from "../../ui/code";
import { say } from "../../ui/toast";
import { t } from "../../words/words";
import { finished } from "../agents/operations";
import { isAppSession, wholeOf } from "./inputs";

const LONGEST_NAME = 200;
const MOST_NAMESAKES = 50;
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

/** Stores the conversation, up to a turn, as a test case of its agent, or as an evaluation of its app. */
export async function saveAsTest(session: string, navigate: (path: string) => void, lastTurn = 0): Promise<void> {
  if (isAppSession(session)) return saveAsEvaluation(session, navigate, lastTurn);
  try {
    const draft = await call(opApi.draftTestCase, { session, lastTurn });
    const stored = await createTest(wholeOf(session), (draft.testCase ?? {}) as cx.TestCase);
    forget(cxApi.listTestCases);
    const remarks = draft.remarks?.join(" ") ?? "";
    say(`${t("Saved as the test “{name}”.", { name: stored.displayName ?? "" })} ${remarks}`.trim(), {
      label: t("Open it"),
      run: () => navigate(`/${stored.name}`),
    });
  } catch (error) {
    say(sentence(error));
  }
}

async function saveAsEvaluation(session: string, navigate: (path: string) => void, lastTurn: number): Promise<void> {
  try {
    const conversation = session.replace("/sessions/", "/conversations/");
    const { response } = await finished(await call(cesApi.generateEvaluation, { conversation }));
    let evaluation = (response ?? {}) as ces.Evaluation;
    const turns = evaluation.golden?.turns ?? [];
    if (lastTurn && lastTurn < turns.length) {
      const golden = { ...evaluation.golden, turns: turns.slice(0, lastTurn) };
      const change = { evaluation: { name: evaluation.name ?? "", golden }, updateMask: "golden" };
      evaluation = await call(cesApi.updateEvaluation, change);
    }
    forget(cesApi.listEvaluations);
    say(t("Saved as the evaluation “{name}”.", { name: evaluation.displayName ?? "" }), {
      label: t("Open it"),
      run: () => navigate(`/${evaluation.name}`),
    });
  } catch (error) {
    say(sentence(error));
  }
}

/** Names of test cases are there once: the next free one is taken. */
async function createTest(parent: string, testCase: cx.TestCase): Promise<cx.TestCase> {
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? "" : ` (${number})`;
    const displayName = (testCase.displayName ?? "").slice(0, LONGEST_NAME - suffix.length) + suffix;
    try {
      return await call(cxApi.createTestCase, { parent, testCase: { ...testCase, displayName } });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409 || number === MOST_NAMESAKES) throw error;
    }
  }
}

/** Downloads the conversation, up to a turn, as a recording that `openplaybook replay` compares with the agent. */
export async function downloadRecording(session: string, lastTurn = 0): Promise<void> {
  try {
    const { recording, title } = await call(opApi.draftTestCase, { session, lastTurn });
    const name = (title || "conversation").replaceAll(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60);
    download(recording ?? "", `${name}.yaml`);
    say(t("The recording is downloaded: openplaybook replay compares it with the agent."));
  } catch (error) {
    say(sentence(error));
  }
}
