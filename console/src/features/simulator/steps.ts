import type { op } from "../../api/generated/types";
import { isObject, type Json } from "../../api/json";
import type { Tone } from "../../ui/states";
import { t } from "../../words/words";

/** What a row of the timeline says of a step. */
export interface StepLine {
  tone: Tone;
  icon: "user" | "agent" | "model" | "tool" | "pause" | "hand" | "code" | "retrieval" | "notice";
  name: string;
  gist: string;
}

export function lineOf(step: op.TurnStep): StepLine {
  if (step.user) return { tone: "plain", icon: "user", name: t("User"), gist: step.user.text ?? "" };
  if (step.agent) return { tone: "plain", icon: "agent", name: t("Agent"), gist: step.agent.text ?? "" };
  if (step.decision) return decisionLine(step.decision);
  if (step.call) return callLine(step.call);
  if (step.entry) return { tone: "hand", icon: "hand", name: t("Enters"), gist: step.playbookDisplayName ?? "" };
  if (step.departure)
    return {
      tone: "hand",
      icon: "hand",
      name: t("Leaves"),
      gist: step.departure.summary || step.departure.state || "",
    };
  if (step.transition)
    return { tone: "hand", icon: "hand", name: t("Hands over to"), gist: step.playbookDisplayName ?? "" };
  if (step.handler)
    return {
      tone: "plain",
      icon: "notice",
      name: t("Handler"),
      gist: step.handler.event || step.handler.condition || "",
    };
  return {
    tone: "bad",
    icon: "notice",
    name: step.notice?.guardrail || step.notice?.code || t("Notice"),
    gist: step.notice?.message ?? "",
  };
}

function decisionLine(decision: op.TurnStep_Decision): StepLine {
  const names = (decision.calls ?? []).map(({ action, name }) => action || name || "");
  const gist = decision.error
    ? (decision.error.message ?? "")
    : names.length
      ? t("decides to call {what}", { what: names.join(", ") })
      : decision.text
        ? t("answers")
        : t("decides");
  return { tone: decision.error ? "bad" : "model", icon: "model", name: decision.model ?? t("model"), gist };
}

function callLine(call: op.TurnStep_Call): StepLine {
  const name = nameOf(call);
  const gist = call.error ? `${call.error.code ?? ""} ${call.error.message ?? ""}` : short(call.arguments);
  const tone = call.error ? "bad" : call.client ? "pause" : toneOf(call.toolKind);
  return { tone, icon: call.client ? "pause" : iconOf(call.toolKind), name, gist };
}

export function nameOf(call: op.TurnStep_Call): string {
  const { toolDisplayName: tool = "", action = "" } = call;
  return tool && action && tool !== action ? `${tool}.${action}` : tool || action;
}

function toneOf(kind: string | undefined): Tone {
  return kind === "code_interpreter" || kind === "python_function"
    ? "code"
    : kind === "data_store"
      ? "retrieval"
      : "tool";
}

function iconOf(kind: string | undefined): StepLine["icon"] {
  return kind === "code_interpreter" || kind === "python_function"
    ? "code"
    : kind === "data_store"
      ? "retrieval"
      : "tool";
}

const SHORT = 120;

export function short(value: Json | undefined): string {
  if (value === undefined || (isObject(value) && !Object.keys(value).length)) return "";
  const text = JSON.stringify(value);
  return text.length > SHORT ? `${text.slice(0, SHORT)}…` : text;
}

/** The status of the last exchange of a call, such as 201; else whether it worked. */
export function statusOf(call: op.TurnStep_Call): string {
  const status = call.exchanges?.at(-1)?.status;
  if (status) return String(status);
  return call.error ? (call.error.code ?? t("failed")) : "";
}

export interface Span {
  from: number;
  ms: number;
}

/** Where each step is in the turn's time, idle time cut out where nothing happens for most of it. */
export function spansOf(steps: readonly op.TurnStep[]): { spans: Span[]; total: number } {
  const times = steps.map(({ startTime, endTime }) => {
    const from = micros(startTime);
    return { from, to: endTime ? Math.max(from, micros(endTime)) : from };
  });
  const start = Math.min(...times.map(({ from }) => from));
  const total = Math.max(0.1, Math.max(...times.map(({ to }) => to)) - start);
  return { spans: times.map(({ from, to }) => ({ from: from - start, ms: to - from })), total };
}

/** Milliseconds with fractions: `Date` drops the microseconds that quick steps take. */
function micros(time: string | undefined): number {
  if (!time) return 0;
  const fraction = /\.(\d+)Z?$/.exec(time)?.[1] ?? "";
  const whole = Date.parse(time.replace(/\.\d+/, ""));
  return whole + Number(`0.${fraction || "0"}`) * 1000;
}

export function endedIn(turn: op.Turn): number {
  return turn.startTime && turn.endTime ? micros(turn.endTime) - micros(turn.startTime) : 0;
}
