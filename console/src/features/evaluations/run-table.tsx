import type { ReactNode } from "react";
import { Link } from "wouter";
import { cesApi } from "../../api/generated/methods";
import type { ces } from "../../api/generated/types";
import { useRpc } from "../../api/query";
import { Tag } from "../../ui/states";
import { useDoomed } from "../../ui/toast";
import { ago, exact } from "../../words/format";
import { count, t } from "../../words/words";
import { RunBar } from "./outcome";
import { forgetResults, isRunning, useWhileRunning } from "./runs";

const PAGE = 1000;
const SHOWN = 50;

/** The runs of an app's evaluations over time, the latest first. */
export function RunTable({ app }: { app: string }): ReactNode {
  const query = useRpc(cesApi.listEvaluationRuns, { parent: app, pageSize: PAGE });
  const doomed = useDoomed();
  const runs = (query.data?.evaluationRuns ?? []).filter(({ name }) => !doomed.has(name ?? "")).toReversed();
  useWhileRunning(runs.some(isRunning), forgetResults);
  if (!runs.length) return null;
  return (
    <section className="gap-top">
      <h2>{t("Runs over time")}</h2>
      <table>
        <thead>
          <tr>
            <th>{t("When")}</th>
            <th>{t("What")}</th>
            <th>{t("How it went")}</th>
          </tr>
        </thead>
        <tbody>
          {runs.slice(0, SHOWN).map((run) => (
            <tr key={run.name}>
              <td title={exact(run.createTime)}>
                <Link href={`/${run.name}`}>{ago(run.createTime)}</Link>
              </td>
              <td className="muted">{titleOfRun(run)}</td>
              <td>
                <RunBar progress={run.progress} /> <RunState run={run} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {runs.length > SHOWN && (
        <p className="small faint">{count(runs.length - SHOWN, "{n} earlier run", "{n} earlier runs")}</p>
      )}
    </section>
  );
}

export function titleOfRun(run: ces.EvaluationRun): string {
  const n = run.evaluations?.length ?? 0;
  return run.displayName || count(n, "{n} evaluation", "{n} evaluations");
}

/** Whether a run goes, or broke; nothing of one that ended as it should. */
export function RunState({ run }: { run: ces.EvaluationRun }): ReactNode {
  if (isRunning(run)) return <Tag tone="model">{t("runs…")}</Tag>;
  if (run.state === "COMPLETED") return null;
  return (
    <>
      <Tag tone="bad">{t("broke off")}</Tag> <span className="small muted">{run.errorInfo?.errorMessage}</span>
    </>
  );
}
