import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { op } from "../../api/generated/types";
import { isObject, type Json } from "../../api/json";
import { LinkButton } from "../../ui/button";
import { CopyButton, JsonView, pretty, TextView } from "../../ui/code";
import { ErrorNote, Tag } from "../../ui/states";
import { count, t } from "../../words/words";
import { Evidence } from "./evidence";
import { Exchange } from "../tools/exchange";
import { readStep } from "./full-step";
import { PromptDiff } from "./prompt-diff";
import { nameOf, statusOf } from "./steps";

/** One step in full. Prompts and evidence come with it alone: a list of thousands would carry them for nothing. */
export function StepDetail({ turn, step, said }: { turn: op.Turn; step: op.TurnStep; said: string }): ReactNode {
  const full = useQuery({
    queryKey: ["step", turn.name, step.number ?? 0],
    queryFn: ({ signal }) => readStep(turn.name ?? "", step.number ?? 0, signal),
    staleTime: Infinity,
  });
  const shown = full.data ?? step;
  return (
    <section className="detail appear" aria-label={t("The selected step")}>
      {full.error ? <ErrorNote error={full.error} onRetry={() => void full.refetch()} /> : null}
      {shown.decision ? (
        <Decision turn={turn} step={shown} decision={shown.decision} said={said} />
      ) : shown.call ? (
        <Call call={shown.call} />
      ) : (
        <Other step={shown} />
      )}
    </section>
  );
}

function Decision(props: {
  turn: op.Turn;
  step: op.TurnStep;
  decision: op.TurnStep_Decision;
  said: string;
}): ReactNode {
  const { decision, said } = props;
  const prompt = decision.prompt;
  const counts = [
    decision.inputTokens ? t("{n} tokens in", { n: decision.inputTokens }) : "",
    decision.outputTokens ? t("{n} tokens out", { n: decision.outputTokens }) : "",
    decision.cachedTokens ? t("{n} of them cached", { n: decision.cachedTokens }) : "",
    decision.attempts && decision.attempts > 1 ? count(decision.attempts, "{n} attempt", "{n} attempts") : "",
    decision.finishReason ?? "",
    decision.responseModel ?? "",
    decision.server ?? "",
  ].filter(Boolean);
  return (
    <>
      {decision.error && <ErrorNote error={new Error(decision.error.message)} what={decision.error.code ?? ""} />}
      {isObject(decision.evidence) && Object.keys(decision.evidence).length > 0 ? (
        <Evidence evidence={decision.evidence} said={said} calls={decision.calls ?? []} />
      ) : (
        <header className="row">
          <h2>{decision.model}</h2>
        </header>
      )}
      {!!counts.length && <p className="small faint num">{counts.join(" · ")}</p>}
      {decision.text && <Block title={t("Words")} text={decision.text} />}
      {decision.calls?.map((call) => (
        <Block
          key={call.id}
          title={t("Calls {name}", { name: call.action || call.name || "" })}
          value={call.arguments}
        />
      ))}
      {prompt && (
        <>
          {prompt.truncated && (
            <p className="small muted">{t("Something in the middle is left out: it is very long.")}</p>
          )}
          <PromptDiff turn={props.turn} step={props.step} />
          <Block title={t("Prompt as sent")} text={formatted(prompt.request ?? "")} json />
          <Block title={t("Reply as received")} text={formatted(prompt.reply ?? "")} json />
        </>
      )}
    </>
  );
}

function Call({ call }: { call: op.TurnStep_Call }): ReactNode {
  const isTool = call.tool?.includes("/tools/") && !call.tool.includes("/apps/");
  const input = encodeURIComponent(JSON.stringify(call.arguments ?? {}));
  return (
    <>
      <header className="row">
        <h2 className="mono">{nameOf(call)}</h2>
        {(call.error || statusOf(call)) && <Tag tone={call.error ? "bad" : "good"}>{statusOf(call)}</Tag>}
        <span className="grow" />
        {isTool && (
          <LinkButton small href={`/${call.tool}?test=${encodeURIComponent(call.action ?? "")}&input=${input}`}>
            {t("Test again")}
          </LinkButton>
        )}
      </header>
      {call.error && <ErrorNote error={new Error(call.error.message)} what={call.error.code ?? ""} />}
      {call.note && <p className="note plain">{call.note}</p>}
      <Block title={t("Input")} value={call.arguments} />
      {call.code && (
        <>
          <Block title={t("Code")} text={call.code.code ?? ""} />
          {call.code.result && <Block title={t("Result")} text={call.code.result} />}
          {call.code.error && <Block title={t("Error")} text={call.code.error} />}
        </>
      )}
      {call.exchanges?.map((exchange, index) => (
        <Exchange key={index} exchange={exchange} />
      ))}
      {call.output !== undefined && <Block title={t("Output, as the model sees it")} value={call.output} />}
      {isObject(call.retrieval) && <Block title={t("How the answer came about")} value={call.retrieval} />}
      {isObject(call.parameters) && <Block title={t("Parameters that it set")} value={call.parameters} />}
    </>
  );
}

function Other({ step }: { step: op.TurnStep }): ReactNode {
  const words = step.user?.text ?? step.agent?.text;
  if (words !== undefined)
    return <Block title={step.user ? t("What was said") : t("What was answered")} text={words} />;
  if (step.notice)
    return (
      <p className="note bad">
        <span>
          {step.notice.message}
          <small className="mono">
            {[step.notice.guardrail, step.notice.stage, step.notice.code].filter(Boolean).join(" · ")}
          </small>
        </span>
      </p>
    );
  const value = step.entry ?? step.departure ?? step.transition ?? step.handler ?? {};
  return <Block title={step.playbookDisplayName ?? t("Step")} value={value as Json} />;
}

export function Block({
  title,
  value,
  text,
  json,
}: {
  title: string;
  value?: Json | undefined;
  text?: string;
  json?: boolean;
}): ReactNode {
  const content = text ?? pretty(value);
  if (!content) return null;
  return (
    <div className="block">
      <h3 className="row">
        <span className="grow">{title}</span>
        <CopyButton text={content} label={t("Copy")} />
      </h3>
      {text === undefined ? (
        <JsonView value={value} label={title} />
      ) : (
        <TextView text={text} label={title} json={json ?? false} />
      )}
    </div>
  );
}

function formatted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
