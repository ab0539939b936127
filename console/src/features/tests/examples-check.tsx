import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Link } from "wouter";
import { stream } from "../../api/call";
import { opApi } from "../../api/generated/methods";
import type { op } from "../../api/generated/types";
import { asJson, isObject } from "../../api/json";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Diff } from "../../ui/diff";
import { CheckField } from "../../ui/field";
import { ErrorNote, Tag } from "../../ui/states";
import { count, t } from "../../words/words";
import { Evidence } from "../simulator/evidence";

type Rehearsal = op.RehearseExamplesResponse;
type Step = op.RehearseExamplesResponse_Step;

/** Of an agent, an app or one playbook: which examples the offline model would replay, and why it would not. */
export function ExamplesCheck({ parent, isBegun = false }: { parent: string; isBegun?: boolean }): ReactNode {
  const title = useId();
  const [isHeldOut, setHeldOut] = useState(false);
  const [found, setFound] = useState<Rehearsal[] | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const running = useRef<AbortController | null>(null);
  async function run(): Promise<void> {
    running.current?.abort();
    const controller = (running.current = new AbortController());
    setBusy(true);
    setError(null);
    setFound([]);
    try {
      const { signal } = controller;
      for await (const each of stream(opApi.rehearseExamples, { parent, heldOut: isHeldOut }, { signal }))
        setFound((before) => [...(before ?? []), each]);
    } catch (caught) {
      if (!controller.signal.aborted) setError(caught);
    } finally {
      if (running.current === controller) setBusy(false);
    }
  }
  useEffect(() => {
    if (isBegun) void run();
    return () => running.current?.abort();
    // It begins once for what it is shown for.
  }, [parent]);
  const total = found?.[0]?.total ?? 0;
  const good = found?.filter(({ replayed }) => replayed) ?? [];
  return (
    <section className="stack" aria-labelledby={title}>
      <h2 id={title}>{t("Check of the examples")}</h2>
      <p className="muted">
        {t(
          "Puts each example to the offline model, turn by turn, and shows where it would do something else. Nothing is called.",
        )}
      </p>
      <div className="row wrap">
        <CheckField
          label={t("Judge each without learning from it, as if a user had said it")}
          value={isHeldOut}
          onChange={setHeldOut}
        />
        <span className="grow" />
        <Button disabled={isBusy} onClick={() => void run()}>
          {isBusy && total
            ? t("Checking {n} of {all}…", { n: Math.min((found?.length ?? 0) + 1, total), all: total })
            : isBusy
              ? t("Checking…")
              : t("Check the examples")}
        </Button>
      </div>
      {error ? <ErrorNote error={error} /> : null}
      <p role="status" className={found && !isBusy ? "" : "sr"}>
        {found && !isBusy && !error
          ? found.length
            ? count(found.length, "{good} of {n} example is replayed.", "{good} of {n} examples are replayed.").replace(
                "{good}",
                String(good.length),
              )
            : t("There are no examples.")
          : ""}
      </p>
      <ul className="stack">
        {found
          ?.filter(({ replayed }) => !replayed)
          .map((each, index) => (
            <li key={index} className="card pad stack">
              <Different rehearsal={each} />
            </li>
          ))}
      </ul>
      {good.length > 0 && (
        <details>
          <summary>{count(good.length, "{n} is replayed", "{n} are replayed")}</summary>
          <ul className="gap-top">
            {good.map((each, index) => (
              <li key={index} className="row">
                <Tag tone="good">{t("replayed")}</Tag>
                <span className="grow clip">{each.example}</span>
                <small className="faint">{remarksOn(each).join(", ")}</small>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

/** The same in a dialog, which begins on its own. */
export function ExamplesCheckDialog({ parent, onClose }: { parent: string; onClose: () => void }): ReactNode {
  return (
    <Dialog label={t("Which examples would be replayed")} onClose={onClose} className="wide-dialog">
      <div className="gap-top">
        <ExamplesCheck parent={parent} isBegun />
      </div>
    </Dialog>
  );
}

function Different({ rehearsal }: { rehearsal: Rehearsal }): ReactNode {
  const { playbook = "", example = "", unusable = "", turns = [] } = rehearsal;
  return (
    <>
      <p className="row">
        <Link href={`/${playbook}`} className="grow clip">
          <b>{example}</b>
        </Link>
        <Tag tone="bad">{unusable ? t("unusable") : t("not replayed")}</Tag>
      </p>
      {unusable && <p className="small">{unusable}</p>}
      {turns
        .filter(({ replayed }) => !replayed)
        .map((turn) => (
          <section key={turn.number} className="stack">
            <h3>
              {t("Turn {n}", { n: turn.number ?? 0 })} <span className="faint">{turn.input}</span>
            </h3>
            {turn.steps
              ?.filter(({ verdict }) => verdict === "DIFFERENT")
              .map((step, index) => (
                <DifferentStep key={index} step={step} said={turn.input ?? ""} />
              ))}
          </section>
        ))}
    </>
  );
}

function DifferentStep({ step, said }: { step: Step; said: string }): ReactNode {
  const evidence = asJson(step.evidence ?? {});
  return (
    <>
      <ul>
        {step.differences?.map((difference) => (
          <li key={difference}>{difference}</li>
        ))}
      </ul>
      <Diff
        before={step.expected ?? ""}
        after={step.happened ?? ""}
        label={t("What the example shows, and what the model does")}
      />
      {isObject(evidence) && Object.keys(evidence).length > 0 && (
        <details>
          <summary>{t("Why")}</summary>
          <div className="stack gap-top">
            <Evidence evidence={evidence} said={said} calls={[]} />
          </div>
        </details>
      )}
    </>
  );
}

function remarksOn({ turns = [] }: Rehearsal): string[] {
  const verdicts = new Set(turns.flatMap(({ steps = [] }) => steps.map(({ verdict }) => verdict)));
  return [
    ...(verdicts.has("CONFIRMS") ? [t("asks for a yes before a call")] : []),
    ...(verdicts.has("OWN_WORDS") ? [t("in words of its own")] : []),
  ];
}
