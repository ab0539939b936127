import { type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import { call } from "../../api/call";
import { cxApi, opApi } from "../../api/generated/methods";
import { lastPart, upTo } from "../../api/names";
import { useRpc } from "../../api/query";
import type { ViewProps } from "../../routes";
import { useParam } from "../../shell/address";
import { useCrumbs } from "../../shell/crumbs";
import { useCurrent } from "../../shell/current-agent";
import { Button, LinkButton } from "../../ui/button";
import { Loaded } from "../../ui/states";
import { undoable } from "../../ui/toast";
import { t } from "../../words/words";
import { downloadRecording, saveAsTest } from "../simulator/keeping";
import { TurnView } from "../simulator/turn-view";
import { WhatHappened } from "../simulator/what-happened";
import { forgetConversations } from "./conversation-list";
import { ReplayDialog } from "./replay-dialog";
import "../simulator/simulator.css";

const TURNS = 1000;

/** A past conversation: it reads like the simulator, and nothing is said in it. */
export function ConversationView({ name }: ViewProps): ReactNode {
  const owner = name.includes("/apps/") ? upTo(name, "apps") : upTo(name, "agents");
  const session = `${owner}/sessions/${lastPart(name)}`;
  const whole = useCurrent();
  const [, navigate] = useLocation();
  const turns = useRpc(opApi.listTurns, { parent: session, pageSize: TURNS });
  const [turnParam, setTurn] = useParam("turn");
  const [step, setStep] = useParam("step");
  const [isReplaying, setReplaying] = useState(false);
  useCrumbs(
    { label: whole?.title ?? "", href: `/${owner}` },
    { label: t("Conversations"), href: `/${owner}/conversations` },
    { label: lastPart(name).slice(0, 12) },
  );
  function remove(): void {
    navigate(`/${owner}/conversations`);
    undoable(
      name,
      t("The conversation is deleted."),
      (keepalive) => call(cxApi.deleteConversation, { name }, { keepalive }).finally(forgetConversations),
      () => navigate(`/${name}`),
    );
  }
  return (
    <Loaded query={turns}>
      {(data) => {
        const all = data.turns ?? [];
        const selected = all.find(({ number }) => String(number) === turnParam) ?? all[0];
        const at = selected ? all.indexOf(selected) : -1;
        return (
          <div className="sim" data-pane="talk">
            <section className="talk" aria-label={t("Conversation")}>
              <div className="bar-top row">
                <span className="grow small faint clip mono">{lastPart(name)}</span>
                <LinkButton small href={`/${session}`}>
                  {t("Open in the simulator")}
                </LinkButton>
                <Button small onClick={() => setReplaying(true)}>
                  {t("Replay")}
                </Button>
                <Button small onClick={() => void saveAsTest(session, navigate)}>
                  {t("Save as a test")}
                </Button>
                <Button small onClick={() => void downloadRecording(session)}>
                  {t("Download the recording")}
                </Button>
                {!name.includes("/apps/") && (
                  <Button small kind="danger" onClick={remove}>
                    {t("Delete")}
                  </Button>
                )}
              </div>
              {isReplaying && <ReplayDialog session={session} agent={owner} onClose={() => setReplaying(false)} />}
              <div className="turns">
                {all.map((turn) => (
                  <TurnView
                    key={turn.name}
                    turn={turn}
                    session={session}
                    isSelected={turn === selected}
                    isLast={false}
                    onSelect={() => {
                      setTurn(String(turn.number));
                      setStep("");
                    }}
                    onSend={() => undefined}
                    onChip={() => undefined}
                  />
                ))}
              </div>
            </section>
            <section className="look" aria-label={t("What happened")}>
              <WhatHappened
                session={session}
                turn={selected}
                previous={at > 0 ? all[at - 1] : undefined}
                live={null}
                step={step}
                onStep={setStep}
                pending={{}}
                onPending={() => undefined}
                onChanged={async () => undefined}
              />
            </section>
          </div>
        );
      }}
    </Loaded>
  );
}
