import { call } from "../../api/call";
import { cxApi } from "../../api/generated/methods";
import type { cx } from "../../api/generated/types";
import { asJson, isObject } from "../../api/json";
import { forget } from "../../api/query";
import { finished } from "../agents/operations";

/** Runs a test case against the agent as it is now, and gives its result. Throws what keeps it from being run. */
export async function runTest(name: string): Promise<cx.TestCaseResult> {
  const done = await finished(await call(cxApi.runTestCase, { name }));
  const response = asJson(done)["response"];
  forget(cxApi.listTestCases, cxApi.getTestCase);
  return (isObject(response) ? response["result"] : {}) as cx.TestCaseResult;
}

export interface TurnPair {
  said: string;
  expected: string;
  happened: string;
  differences: string[];
  error: string;
}

/** The turns of a test case, each with what came of it; of one that was not run, with nothing. */
export function turnsOf(test: cx.TestCase): TurnPair[] {
  const results = [...(test.lastTestResult?.conversationTurns ?? [])];
  return (test.testCaseConversationTurns ?? []).map((turn) => {
    // A result leaves out the turns whose kind of input is not run.
    const result = saidIn(results[0]) === saidIn(turn) ? results.shift() : undefined;
    const output = result?.virtualAgentOutput;
    return {
      said: saidIn(turn),
      expected: wordsOf(turn.virtualAgentOutput),
      happened: wordsOf(output),
      differences: output?.differences?.map(({ description }) => description ?? "") ?? [],
      error: output?.status?.message ?? "",
    };
  });
}

function saidIn(turn: cx.ConversationTurn | undefined): string {
  const input = turn?.userInput?.input;
  const result = input?.toolCallResult;
  if (result) return `${result.action ?? ""} → ${JSON.stringify(result.outputParameters ?? result.error ?? {})}`;
  return input?.text?.text ?? input?.event?.event ?? "";
}

function wordsOf(output: cx.ConversationTurn_VirtualAgentOutput | undefined): string {
  return output?.textResponses?.flatMap(({ text }) => text ?? []).join("\n") ?? "";
}

/** The test case as it would be had the last run been right: its words and session parameters are expected from now. */
export function accepted(test: cx.TestCase): cx.ConversationTurn[] {
  const results = [...(test.lastTestResult?.conversationTurns ?? [])];
  return (test.testCaseConversationTurns ?? []).map((turn) => {
    if (saidIn(results[0]) !== saidIn(turn)) return turn;
    const { differences: _differences, status: _status, ...output } = results.shift()?.virtualAgentOutput ?? {};
    return { ...turn, virtualAgentOutput: output };
  });
}
