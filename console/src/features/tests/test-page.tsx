import { type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import { call } from "../../api/call";
import { cxApi } from "../../api/generated/methods";
import type { cx } from "../../api/generated/types";
import { asJson, isObject, type JsonObject } from "../../api/json";
import { lastPart, upTo } from "../../api/names";
import { forget, useRpc } from "../../api/query";
import type { ViewProps } from "../../routes";
import { list } from "../../schema-form/schema";
import { useCrumbs } from "../../shell/crumbs";
import { useCurrent } from "../../shell/current-agent";
import { useKeys } from "../../shell/keys";
import { Button } from "../../ui/button";
import { pretty } from "../../ui/code";
import { ErrorNote, Loaded } from "../../ui/states";
import { say, undoable } from "../../ui/toast";
import { ago } from "../../words/format";
import { t } from "../../words/words";
import { accepted, runTest, type TurnPair, turnsOf } from "./runs";
import { Difference, Verdict } from "./verdict";

/** One test case: what is said, what is expected, and what came of the last run. */
export function TestPage({ name }: ViewProps): ReactNode {
  const test = useRpc(cxApi.getTestCase, { name });
  return <Loaded query={test}>{(data) => <Test key={name} test={data} />}</Loaded>;
}

function Test({ test }: { test: cx.TestCase }): ReactNode {
  const name = test.name ?? "";
  const agent = upTo(name, "agents");
  const whole = useCurrent();
  const [, navigate] = useLocation();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  useCrumbs(
    { label: whole?.title ?? "", href: `/${agent}` },
    { label: t("Tests"), href: `/${agent}/testCases` },
    { label: test.displayName ?? "" },
  );
  async function doing(work: () => Promise<unknown>): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    setError(null);
    await work().catch(setError);
    setBusy(false);
  }
  const run = (): Promise<void> => doing(() => runTest(name));
  const accept = (): Promise<void> =>
    doing(async () => {
      const testCase = { name, testCaseConversationTurns: accepted(test) };
      await call(cxApi.updateTestCase, { testCase, updateMask: "testCaseConversationTurns" });
      say(t("What happened is expected from now on."));
      await runTest(name);
    });
  function remove(): void {
    navigate(`/${agent}/testCases`);
    undoable(
      name,
      t("The test is deleted."),
      (keepalive) =>
        call(cxApi.batchDeleteTestCases, { parent: agent, names: [name] }, { keepalive }).finally(() =>
          forget(cxApi.listTestCases),
        ),
      () => navigate(`/${name}`),
    );
  }
  useKeys([{ keys: "R", what: t("Run the test"), run: () => void run() }]);
  const result = test.lastTestResult;
  return (
    <div className="page">
      <header className="page-head">
        <div className="grow">
          <h1>{test.displayName}</h1>
          <p className="row wrap">
            <Verdict result={result} /> <span className="small faint">{ago(result?.testTime)}</span>
          </p>
        </div>
        {result?.testResult === "FAILED" && (
          <Button disabled={isBusy} onClick={() => void accept()}>
            {t("Accept what happened")}
          </Button>
        )}
        <Button kind="danger" onClick={remove}>
          {t("Delete")}
        </Button>
        <Button kind="primary" disabled={isBusy} onClick={() => void run()}>
          {isBusy ? t("runs…") : t("Run")}
        </Button>
      </header>
      {error ? <ErrorNote error={error} /> : null}
      {test.notes && <p className="muted">{test.notes}</p>}
      <ol className="stack">
        {turnsOf(test).map((turn, index) => (
          <Turn key={index} number={index + 1} turn={turn} hasRun={!!result} />
        ))}
      </ol>
      <Actions test={test} />
    </div>
  );
}

function Turn({ number, turn, hasRun }: { number: number; turn: TurnPair; hasRun: boolean }): ReactNode {
  const isWrong = turn.differences.length > 0 || turn.error !== "";
  return (
    <li className="card pad stack" aria-label={t("Turn {n}", { n: number })}>
      <p className="row">
        <b className="grow">{turn.said}</b>
        {hasRun && <Verdict result={{ testResult: isWrong ? "FAILED" : "PASSED" }} />}
      </p>
      {turn.expected && <p className="muted">{turn.expected}</p>}
      {turn.error && <p className="note bad">{turn.error}</p>}
      {turn.differences.map((text, index) => (
        <Difference key={index} text={text} />
      ))}
    </li>
  );
}

/** What has to be done at some point of the conversation, whatever happens between. */
function Actions({ test }: { test: cx.TestCase }): ReactNode {
  const expected = asJson(test)["expectedTestCaseResult"];
  const playbooks = useRpc(cxApi.listPlaybooks, { parent: upTo(test.name ?? "", "agents"), pageSize: 200 });
  const names = new Map(playbooks.data?.playbooks?.map((each) => [each.name, each.displayName]));
  const actions = list(isObject(expected) ? expected["expectedActions"] : []).filter(isObject);
  if (!actions.length) return null;
  return (
    <section className="gap-top stack">
      <h2>{t("Expected in this order")}</h2>
      <ol className="stack">
        {actions.map((action, index) => (
          <li key={index} className="small">
            <code>{titleOf(action, names)}</code> <span className="faint mono">{argumentsOf(action)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function titleOf(action: JsonObject, names: Map<string | undefined, string | undefined>): string {
  const use = action["toolUse"];
  if (isObject(use)) return String(use["action"] ?? "");
  const invoked = action["playbookInvocation"];
  const playbook = String(isObject(invoked) ? invoked["playbook"] : "");
  return t("a playbook begins: {name}", { name: names.get(playbook) ?? lastPart(playbook) });
}

function argumentsOf(action: JsonObject): string {
  const use = action["toolUse"];
  return isObject(use) && use["inputActionParameters"]
    ? pretty(use["inputActionParameters"]).replaceAll(/\s+/g, " ")
    : "";
}
