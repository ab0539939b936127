import type { ReactNode } from "react";
import type { ces } from "../../api/generated/types";
import { Diff } from "../../ui/diff";
import { t } from "../../words/words";
import { agentTitle, compared, json, kindOf, kindTitles, toolTitle, wordsOf } from "./golden-steps";
import { OutcomeTag } from "./outcome";

type Outcome = ces.EvaluationResult_GoldenExpectationOutcome;

/** The turns of a golden conversation, each with what came of it in a result, if there is one. */
export function GoldenTurns(props: {
  turns: ces.Evaluation_GoldenTurn[];
  result: ces.EvaluationResult | undefined;
  agents: Map<string, string>;
}): ReactNode {
  const results = props.result?.goldenResult?.turnReplayResults ?? [];
  return (
    <ol className="golden">
      {props.turns.map((turn, index) => (
        <Turn key={index} number={index + 1} turn={turn} result={results[index]} agents={props.agents} />
      ))}
    </ol>
  );
}

function Turn(props: {
  number: number;
  turn: ces.Evaluation_GoldenTurn;
  result: ces.EvaluationResult_GoldenResult_TurnReplayResult | undefined;
  agents: Map<string, string>;
}): ReactNode {
  const { turn, result, agents } = props;
  const steps = turn.steps ?? [];
  // A result says itself what was expected: the evaluation may have been changed since.
  const expected: Outcome[] =
    result?.expectationOutcome ?? steps.flatMap(({ expectation }) => (expectation ? [{ expectation }] : []));
  const calls = result?.overallToolInvocationResult;
  const areOthersCalled = calls?.outcome === "FAIL" && (calls.toolInvocationScore ?? 0) >= 1;
  return (
    <li className="card pad stack" aria-label={t("Turn {n}", { n: props.number })}>
      {steps
        .filter(({ expectation }) => !expectation)
        .map((step, index) => (
          <Input key={index} step={step} agents={agents} />
        ))}
      <ul className="stack">
        {expected.map((outcome, index) => (
          <Expectation key={index} outcome={outcome} agents={agents} />
        ))}
      </ul>
      {areOthersCalled && <p className="note bad">{t("A tool was called that the turn does not expect.")}</p>}
      {result?.errorInfo && <p className="note bad">{result.errorInfo.errorMessage}</p>}
    </li>
  );
}

function Input({ step, agents }: { step: ces.Evaluation_Step; agents: Map<string, string> }): ReactNode {
  const kind = kindOf(step);
  return (
    <div>
      <p className="small faint">{kind ? kindTitles()[kind] : t("Another kind of input")}</p>
      <b>{inputText(step, agents)}</b>
    </div>
  );
}

function inputText({ userInput, agentTransfer }: ces.Evaluation_Step, agents: Map<string, string>): string {
  if (agentTransfer) return agentTitle(agentTransfer, agents);
  const responses = userInput?.toolResponses?.toolResponses;
  if (responses) return responses.map((each) => `${toolTitle(each)} → ${json(each.response)}`).join("\n");
  return userInput?.text ?? userInput?.event?.event ?? JSON.stringify(userInput?.variables ?? userInput ?? {});
}

function Expectation({ outcome, agents }: { outcome: Outcome; agents: Map<string, string> }): ReactNode {
  const { expectation = {} } = outcome;
  const kind = kindOf({ expectation });
  const isFailed = outcome.outcome === "FAIL";
  const tone = isFailed ? "bad" : outcome.outcome === "PASS" ? "good" : "";
  const texts = isFailed ? compared(outcome, agents) : null;
  const why = outcome.toolInvocationResult?.explanation ?? outcome.semanticSimilarityResult?.explanation;
  return (
    <li className={`golden-step ${tone}`}>
      <p className="row small">
        <span className="faint grow">{kind ? kindTitles()[kind] : t("Another kind of expectation")}</span>
        {outcome.outcome && kind !== "mockToolResponse" && <OutcomeTag outcome={outcome.outcome} />}
      </p>
      {texts ? (
        <Diff {...texts} label={t("What was expected, and what happened")} />
      ) : (
        <p>{expectedText(expectation, agents)}</p>
      )}
      {isFailed && why && <p className="small muted">{why}</p>}
      {expectation.note && <p className="small muted">{expectation.note}</p>}
    </li>
  );
}

function expectedText(expectation: ces.Evaluation_GoldenExpectation, agents: Map<string, string>): ReactNode {
  const { toolCall, agentTransfer, updatedVariables } = expectation;
  const response = expectation.mockToolResponse ?? expectation.toolResponse;
  if (expectation.agentResponse) return wordsOf(expectation.agentResponse);
  if (agentTransfer) return agentTitle(agentTransfer, agents);
  if (toolCall) return <Code name={toolTitle(toolCall)} value={JSON.stringify(toolCall.args ?? {})} />;
  if (response) return <Code name={toolTitle(response)} value={JSON.stringify(response.response ?? {})} />;
  return updatedVariables ? <Code name="" value={JSON.stringify(updatedVariables)} /> : null;
}

function Code({ name, value }: { name: string; value: string }): ReactNode {
  return (
    <>
      {name && <code>{name} </code>}
      <span className="faint mono small">{value.length > 300 ? `${value.slice(0, 300)}…` : value}</span>
    </>
  );
}
