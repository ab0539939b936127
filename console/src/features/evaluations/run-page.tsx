import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { useQueries } from "@tanstack/react-query";
import { call } from "../../api/call";
import { cesApi } from "../../api/generated/methods";
import type { ces } from "../../api/generated/types";
import { lastPart, upTo } from "../../api/names";
import { keyOf, useRpc } from "../../api/query";
import type { ViewProps } from "../../routes";
import { useCrumbs } from "../../shell/crumbs";
import { useCurrent } from "../../shell/current-agent";
import { Button } from "../../ui/button";
import { Loaded } from "../../ui/states";
import { undoable } from "../../ui/toast";
import { ago, exact } from "../../words/format";
import { t } from "../../words/words";
import { ResultTag, RunBar } from "./outcome";
import { RunState, titleOfRun } from "./run-table";
import { forgetResults, isRunning, useWhileRunning } from "./runs";
import "./evaluations.css";

const SHOWN = 200;

/** One run: its results, those that failed first. */
export function RunPage({ name }: ViewProps): ReactNode {
  const run = useRpc(cesApi.getEvaluationRun, { name });
  useWhileRunning(!!run.data && isRunning(run.data), run.refetch);
  return <Loaded query={run}>{(data) => <Run run={data} />}</Loaded>;
}

function Run({ run }: { run: ces.EvaluationRun }): ReactNode {
  const name = run.name ?? "";
  const app = upTo(name, "apps");
  const [, navigate] = useLocation();
  const whole = useCurrent();
  const title = titleOfRun(run);
  useCrumbs(
    { label: whole?.title ?? "", href: `/${app}` },
    { label: t("Evaluations"), href: `/${app}/evaluations` },
    { label: title },
  );
  const results = useQueries({
    queries: (run.evaluationResults ?? []).slice(0, SHOWN).map((result) => ({
      queryKey: keyOf(cesApi.getEvaluationResult, { name: result }),
      queryFn: () => call(cesApi.getEvaluationResult, { name: result }),
      // A result is never changed.
      staleTime: Infinity,
    })),
  });
  const shown = results.flatMap(({ data }) => data ?? []).sort((left, right) => rank(left) - rank(right));
  const left = (run.evaluationResults?.length ?? 0) - SHOWN;
  function remove(): void {
    navigate(`/${app}/evaluations`);
    undoable(
      name,
      t("The run is deleted, with its results."),
      (keepalive) => call(cesApi.deleteEvaluationRun, { name }, { keepalive }).finally(forgetResults),
      () => navigate(`/${name}`),
    );
  }
  return (
    <div className="page">
      <header className="page-head">
        <div className="grow">
          <h1>{title}</h1>
          <p className="faint" title={exact(run.createTime)}>
            {ago(run.createTime)}
          </p>
        </div>
        <Button kind="danger" disabled={isRunning(run)} onClick={remove}>
          {t("Delete")}
        </Button>
      </header>
      <div role="status">
        <RunBar progress={run.progress} /> <RunState run={run} />
      </div>
      <table className="gap-top">
        <thead>
          <tr>
            <th>{t("Evaluation")}</th>
            <th>{t("Result")}</th>
            <th>{t("When")}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((result) => (
            <tr key={result.name}>
              <td>
                <Link href={`/${upTo(result.name ?? "", "evaluations")}?result=${lastPart(result.name ?? "")}`}>
                  <b>{result.displayName}</b>
                </Link>
                {result.errorInfo && <p className="small muted">{result.errorInfo.errorMessage}</p>}
              </td>
              <td>
                <ResultTag result={result} />
              </td>
              <td className="faint" title={exact(result.createTime)}>
                {ago(result.createTime)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {left > 0 && <p className="small faint">{t("The first {n} results are shown.", { n: SHOWN })}</p>}
    </div>
  );
}

function rank(result: ces.EvaluationResult): number {
  if (result.executionState === "ERROR") return 0;
  return result.evaluationStatus === "PASS" ? 2 : 1;
}
