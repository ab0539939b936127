import { useEffect } from "react";
import { call } from "../../api/call";
import { cesApi } from "../../api/generated/methods";
import type { ces, lro } from "../../api/generated/types";
import { asJson, isObject } from "../../api/json";
import { forget } from "../../api/query";
import { finished } from "../agents/operations";

const LOOK_MS = 1000;

/** What is run, how often, and whether tools that have a fake use it. */
export interface RunChoice {
  evaluations?: string[];
  dataset?: string;
  title?: string;
  times: number;
  hasFakes: boolean;
  /** Each turn begins with what was expected before it, not with what came of the turns before. */
  isStable?: boolean;
}

/** Starts a run and gives its name; `after` is told once it has ended, with the error that ended it, if any. */
export async function startRun(app: string, choice: RunChoice, after: (error: unknown) => void): Promise<string> {
  const operation = await call(cesApi.runEvaluation, {
    app,
    evaluations: choice.evaluations ?? [],
    evaluationDataset: choice.dataset ?? "",
    displayName: choice.title ?? "",
    runCount: choice.times,
    goldenRunMethod: choice.isStable ? "STABLE" : "NAIVE",
    config: { toolCallBehaviour: choice.hasFakes ? "FAKE" : "REAL" },
  });
  forget(cesApi.listEvaluationRuns);
  void followed(operation, after);
  const { evaluationRun } = asJson(isObject(operation.metadata) ? operation.metadata : {});
  return String(evaluationRun ?? "");
}

async function followed(operation: lro.Operation, after: (error: unknown) => void): Promise<void> {
  const error = await finished(operation).then(
    () => null,
    (caught: unknown) => caught,
  );
  forgetResults();
  after(error);
}

export function forgetResults(): void {
  forget(
    cesApi.listEvaluations,
    cesApi.getEvaluation,
    cesApi.listEvaluationResults,
    cesApi.listEvaluationRuns,
    cesApi.getEvaluationRun,
  );
}

/** Asks again each second as long as a run goes. */
export function useWhileRunning(isRunning: boolean, again: () => unknown): void {
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => void again(), LOOK_MS);
    return () => clearInterval(timer);
  }, [isRunning, again]);
}

export function isRunning(run: ces.EvaluationRun): boolean {
  return run.state === "RUNNING" || run.state === "QUEUED";
}
