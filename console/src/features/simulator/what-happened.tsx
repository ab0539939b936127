import type { ReactNode } from "react";
import type { op } from "../../api/generated/types";
import { isObject, type JsonObject } from "../../api/json";
import { useParam } from "../../shell/address";
import { Tabs } from "../../ui/tabs";
import { Empty, Tag, type Tone } from "../../ui/states";
import { t } from "../../words/words";
import { ApiCall } from "./api-call";
import type { LiveTurn } from "./live-turn";
import { Parameters } from "./parameters";
import { LiveTimeline, Timeline } from "./timeline";

const STATES: Record<string, { tone: Tone; label: string }> = {
  ANSWERED: { tone: "good", label: "Answered" },
  PAUSED: { tone: "pause", label: "Waits for you" },
  STOPPED: { tone: "bad", label: "Cut short" },
  FAILED: { tone: "bad", label: "Failed" },
  RUNNING: { tone: "model", label: "Runs" },
};

/** The turn that is selected, or runs: its steps, its parameters, the request that made it. */
export function WhatHappened(props: {
  session: string;
  /** Whether parameters have a place of their own. */
  isWide?: boolean;
  turn: op.Turn | undefined;
  previous: op.Turn | undefined;
  live: LiveTurn | null;
  step: string;
  onStep: (step: string) => void;
  pending: JsonObject;
  onPending: (next: JsonObject) => void;
  onChanged: () => Promise<void>;
}): ReactNode {
  const { turn, live } = props;
  const [asked, setTab] = useParam("tab", "timeline");
  const tab = props.isWide && asked === "parameters" ? "timeline" : asked;
  const state = STATES[live?.running ? "RUNNING" : (turn?.state ?? "")];
  const known = Object.keys(isObject(turn?.parametersAfter) ? turn.parametersAfter : {}).length;
  return (
    <>
      <div className="look-head">
        <h1>{turn ? t("Turn {n}", { n: turn.number ?? 0 }) : live ? t("The turn that runs") : t("What happened")}</h1>
        {state && <Tag tone={state.tone}>{t(state.label)}</Tag>}
        {turn?.playbookDisplayName && <span className="small faint clip">{turn.playbookDisplayName}</span>}
      </div>
      <Tabs
        label={t("What happened")}
        at={tab}
        onChange={setTab}
        tabs={[
          { id: "timeline", label: t("Timeline"), note: turn?.stepCount },
          ...(props.isWide ? [] : [{ id: "parameters", label: t("Parameters"), note: known || "" }]),
          { id: "call", label: t("API call") },
        ]}
      />
      <div className="look-body">
        {tab === "parameters" ? (
          <Parameters {...props} />
        ) : tab === "call" ? (
          <ApiCall session={props.session} turn={turn} />
        ) : live ? (
          <LiveTimeline live={live} />
        ) : turn ? (
          <Timeline key={turn.name} turn={turn} step={props.step} onStep={props.onStep} />
        ) : (
          <Empty title={t("Nothing happened yet")}>
            <p>{t("After you say something, its steps are here: model, tools, retrieval, code, and why.")}</p>
          </Empty>
        )}
      </div>
    </>
  );
}
