import { type ReactNode, useEffect, useRef, useState } from "react";
import { useLocation, useSearch } from "wouter";
import type { op } from "../../api/generated/types";
import type { JsonObject } from "../../api/json";
import { lastPart, newId } from "../../api/names";
import { useCrumbs } from "../../shell/crumbs";
import { useCurrent } from "../../shell/current-agent";
import { useParam } from "../../shell/address";
import { useKeys } from "../../shell/keys";
import { rememberSession } from "../../shell/navigation";
import type { ViewProps } from "../../routes";
import { Tabs } from "../../ui/tabs";
import { useIsWide } from "../../ui/width";
import { t } from "../../words/words";
import { Composer } from "./composer";
import { Conversation } from "./conversation";
import { keepAsExample, saveAsTest } from "./keeping";
import { isAppSession, type TurnInput, wholeOf } from "./inputs";
import { Parameters } from "./parameters";
import { useSession } from "./session";
import { startingValues } from "./starting-values";
import { WhatHappened } from "./what-happened";
import "./simulator.css";

const THREE_COLUMNS = 1600;

/** A conversation on the left; what happened in it on the right; on wide screens its parameters beside that. */
export function Simulator({ name }: ViewProps): ReactNode {
  const agent = wholeOf(name);
  const whole = useCurrent();
  const session = useSession(name);
  const [, navigate] = useLocation();
  const [turnParam, setTurn] = useParam("turn");
  const [stepParam, setStep] = useParam("step");
  const [pane, setPane] = useState("talk");
  const [pending, setPending] = useState<JsonObject>({});
  const [model, setModel] = useState("");
  const [language, setLanguage] = useState("en");
  const isWide = useIsWide(THREE_COLUMNS);
  const turns = session.turns ?? [];
  const selected =
    turns.find(({ number }) => String(number) === turnParam) ?? (session.live ? undefined : turns.at(-1));

  useCrumbs(
    { label: whole?.title ?? "", href: `/${agent}` },
    { label: t("Simulator") },
    { label: lastPart(name).slice(0, 8) },
  );
  useEffect(() => rememberSession(agent, name), [agent, name]);
  const isNew = session.turns?.length === 0 && !session.live;
  useEffect(() => setPending(isNew ? startingValues(agent) : {}), [agent, isNew, name]);

  function send(input: Partial<TurnInput>): void {
    setTurn("");
    setStep("");
    const parameters = Object.keys(pending).length ? { parameters: pending } : {};
    session.send({ language, ...parameters, ...(model ? { model } : {}), ...input });
    setPending({});
  }
  useSayOnArrival((text) => send({ text }), session.turns !== undefined);

  function select(turn: op.Turn | undefined): void {
    if (!turn) return;
    setTurn(String(turn.number));
    setStep("");
  }
  const at = selected ? turns.indexOf(selected) : -1;
  useKeys([
    { keys: "J", what: t("Next turn"), run: () => select(turns[Math.min(turns.length - 1, at + 1)]) },
    { keys: "K", what: t("Previous turn"), run: () => select(turns[Math.max(0, at - 1)]) },
    { keys: "]", what: t("Next step"), run: () => setStep(String(Number(stepParam || 0) + 1)) },
    { keys: "[", what: t("Previous step"), run: () => setStep(String(Math.max(0, Number(stepParam || 0) - 1))) },
    {
      keys: "X",
      what: t("Make an example of this turn"),
      run: () => selected && void keepAsExample(selected, navigate),
    },
    { keys: "S", what: t("Save the conversation as a test"), run: () => void saveAsTest(name, navigate) },
    { keys: "N", what: t("New conversation"), run: () => navigate(`/${agent}/sessions/${newId()}`) },
    { keys: "Escape", what: t("Stop listening"), run: session.stop },
  ]);

  return (
    <div className={isWide ? "sim three" : "sim"} data-pane={pane}>
      <div className="panes">
        <Tabs
          segmented
          label={t("What to show")}
          at={pane}
          onChange={setPane}
          tabs={[
            { id: "talk", label: t("Conversation") },
            { id: "look", label: t("What happened") },
          ]}
        />
      </div>
      <section className="talk" aria-label={t("Conversation")}>
        <Conversation
          session={name}
          state={session}
          selected={selected}
          onSelect={select}
          onSend={send}
          onChip={(text) => send({ text })}
        />
        <Composer
          onSend={(text) => send({ text })}
          onStop={session.stop}
          running={!!session.live?.running}
          hasOpenCall={!!turns.at(-1)?.openCalls?.length}
          model={model}
          onModel={isAppSession(name) ? null : setModel}
          language={language}
          onLanguage={setLanguage}
          pending={Object.keys(pending).length}
          onNew={() => navigate(`/${agent}/sessions/${newId()}`)}
        />
      </section>
      <section className="look" aria-label={t("What happened")}>
        <WhatHappened
          session={name}
          turn={selected}
          live={selected ? null : session.live}
          previous={at > 0 ? turns[at - 1] : undefined}
          step={stepParam}
          onStep={setStep}
          pending={pending}
          onPending={setPending}
          onChanged={session.reload}
          isWide={isWide}
        />
      </section>
      {isWide && (
        <section className="values" aria-label={t("Parameters")}>
          <h2>{t("Parameters")}</h2>
          <Parameters
            session={name}
            turn={selected}
            previous={at > 0 ? turns[at - 1] : undefined}
            pending={pending}
            onPending={setPending}
          />
        </section>
      )}
    </div>
  );
}

/** `?say=…`: the words that another view, or a link, brings along are said once. */
function useSayOnArrival(say: (text: string) => void, ready: boolean): void {
  const words = new URLSearchParams(useSearch()).get("say");
  const [, setWords] = useParam("say");
  const said = useRef("");
  useEffect(() => {
    if (!ready || !words || said.current === words) return;
    said.current = words;
    setWords("");
    say(words);
  }, [ready, words, say, setWords]);
}
