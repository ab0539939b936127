import { type ReactNode, useRef, useState } from "react";
import { stream } from "../../api/call";
import { opApi } from "../../api/generated/methods";
import type { op } from "../../api/generated/types";
import { ErrorNote, Tag, type Tone } from "../../ui/states";
import { duration } from "../../words/format";
import { count, t } from "../../words/words";

const KINDS: Record<string, string> = {
  SETTINGS: "Settings",
  SECRETS: "Read the secrets",
  RESOLVE: "Find the addresses",
  CONNECT: "Reach the system",
  AUTHENTICATE: "Prove the credential",
  LIST_ENTITIES: "List the entities",
};
const STATES: Record<string, { tone: Tone; label: string }> = {
  RUNNING: { tone: "model", label: "runs…" },
  DONE: { tone: "good", label: "works" },
  FAILED: { tone: "bad", label: "fails" },
};

export interface Trial {
  steps: op.ConnectionTestStep[];
  isBusy: boolean;
  error: unknown;
  run: (request: op.TestConnectionRequest) => Promise<void>;
}

/** A test of a connection: its steps as they begin and end. */
export function useTrial(): Trial {
  const [steps, setSteps] = useState<op.ConnectionTestStep[]>([]);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const abort = useRef<AbortController | null>(null);
  async function run(request: op.TestConnectionRequest): Promise<void> {
    abort.current?.abort();
    const own = (abort.current = new AbortController());
    setBusy(true);
    setError(null);
    setSteps([]);
    try {
      for await (const step of stream(opApi.testConnection, request, { signal: own.signal }))
        setSteps((before) => [...before.filter(({ kind }) => kind !== step.kind), step]);
    } catch (caught) {
      if (!own.signal.aborted) setError(caught);
    } finally {
      if (abort.current === own) setBusy(false);
    }
  }
  return { steps, isBusy, error, run };
}

export function TrialSteps({ trial }: { trial: Trial }): ReactNode {
  const { steps, error } = trial;
  return (
    <div className="stack" aria-live="polite">
      {steps.length > 0 && (
        <ol className="trial" aria-label={t("Steps of the test")}>
          {steps.map((step) => {
            const state = STATES[step.state ?? ""];
            return (
              <li key={step.kind}>
                <span>{t(KINDS[step.kind ?? ""] ?? step.kind ?? "")}</span>
                {state && <Tag tone={state.tone}>{t(state.label)}</Tag>}
                <span className="small faint num">{duration(1000 * Number.parseFloat(step.elapsed ?? "0"))}</span>
                {wordsOf(step) && (
                  <p className={step.state === "FAILED" ? "small bad-text" : "small muted"}>{wordsOf(step)}</p>
                )}
              </li>
            );
          })}
        </ol>
      )}
      {error ? <ErrorNote error={error} /> : null}
    </div>
  );
}

function wordsOf(step: op.ConnectionTestStep): string {
  if (step.kind !== "LIST_ENTITIES" || step.state !== "DONE") return step.message ?? "";
  return count(step.entityCount ?? 0, "{n} entity", "{n} entities");
}
