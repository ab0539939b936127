import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { sentence } from "../../api/errors";
import { cxApi } from "../../api/generated/methods";
import type { cx } from "../../api/generated/types";
import { useRpc } from "../../api/query";
import type { ViewProps } from "../../routes";
import { useCrumbs } from "../../shell/crumbs";
import { useCurrent } from "../../shell/current-agent";
import { useKeys } from "../../shell/keys";
import { simulatorOf } from "../../shell/navigation";
import { Button, LinkButton } from "../../ui/button";
import { Empty, Loaded, Tag } from "../../ui/states";
import { useDoomed } from "../../ui/toast";
import { ago, exact } from "../../words/format";
import { count, t } from "../../words/words";
import { Coverage } from "./coverage";
import { ExamplesCheck } from "./examples-check";
import { runTest } from "./runs";
import { TestFiles } from "./test-files";
import { Verdict } from "./verdict";

const PAGE = 1000;

interface Run {
  at: string;
  done: number;
  all: number;
}

/** The test cases of an agent, with what came of each last; one after the other they are run. */
export function TestList({ name }: ViewProps): ReactNode {
  const whole = useCurrent();
  useCrumbs({ label: whole?.title ?? "", href: `/${name}` }, { label: t("Tests") });
  const tests = useRpc(cxApi.listTestCases, { parent: name, pageSize: PAGE });
  const [run, setRun] = useState<Run | null>(null);
  const [problems, setProblems] = useState<Record<string, string>>({});
  const doomed = useDoomed();
  const all = (tests.data?.testCases ?? []).filter((test) => !doomed.has(test.name ?? ""));
  async function runAll(chosen: cx.TestCase[]): Promise<void> {
    if (run) return;
    for (const [done, test] of chosen.entries()) {
      const at = test.name ?? "";
      setRun({ at, done, all: chosen.length });
      const problem = await runTest(at).then(() => "", sentence);
      setProblems((before) => ({ ...before, [at]: problem }));
      await tests.refetch();
    }
    setRun(null);
  }
  useKeys([{ keys: "R", what: t("Run all tests"), run: () => void runAll(all) }]);
  const failed = all.filter((test) => test.lastTestResult?.testResult === "FAILED").length;
  return (
    <div className="page">
      <header className="page-head">
        <div className="grow">
          <h1>{t("Tests")}</h1>
          <p>
            {t("Conversations that the agent should repeat. A run calls no service: tools return what is in the test.")}
          </p>
        </div>
        {all.length > 0 && (
          <Button kind="primary" disabled={run !== null} onClick={() => void runAll(all)}>
            {t("Run all")}
          </Button>
        )}
      </header>
      <p role="status" className="small muted">
        {run
          ? t("Running {n} of {all}…", { n: run.done + 1, all: run.all })
          : failed
            ? count(failed, "{n} test failed.", "{n} tests failed.")
            : ""}
      </p>
      <Loaded query={tests}>
        {() =>
          all.length ? (
            <table>
              <thead>
                <tr>
                  <th>{t("Name")}</th>
                  <th>{t("Last result")}</th>
                  <th>{t("Run")}</th>
                  <th>
                    <span className="sr">{t("Actions")}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {all.map((test) => (
                  <tr key={test.name}>
                    <td>
                      <Link href={`/${test.name}`}>
                        <b>{test.displayName}</b>
                      </Link>
                      {problems[test.name ?? ""] && <p className="small bad-text">{problems[test.name ?? ""]}</p>}
                    </td>
                    <td>
                      {run?.at === test.name ? (
                        <Tag tone="model">{t("runs…")}</Tag>
                      ) : (
                        <Verdict result={test.lastTestResult} />
                      )}
                    </td>
                    <td className="faint" title={exact(test.lastTestResult?.testTime)}>
                      {ago(test.lastTestResult?.testTime)}
                    </td>
                    <td>
                      <Button
                        small
                        disabled={run !== null}
                        aria-label={t("Run {name}", { name: test.displayName ?? "" })}
                        onClick={() => void runAll([test])}
                      >
                        {t("Run")}
                      </Button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          ) : (
            <Empty title={t("No tests yet")}>
              <p>{t("Talk to the agent, and save a conversation that went well as a test.")}</p>
              <LinkButton href={simulatorOf(name)}>{t("Talk")}</LinkButton>
            </Empty>
          )
        }
      </Loaded>
      <TestFiles agent={name} title={whole?.title ?? ""} hasTests={all.length > 0} />
      <Coverage agent={name} tests={all} />
      <hr />
      <ExamplesCheck parent={name} />
    </div>
  );
}
