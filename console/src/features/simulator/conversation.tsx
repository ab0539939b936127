import { type ReactNode, useEffect, useRef } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import type { op } from "../../api/generated/types";
import { Empty, ErrorNote, Loading } from "../../ui/states";
import { t } from "../../words/words";
import type { TurnInput } from "./inputs";
import { LiveTurnView } from "./live-turn-view";
import type { SessionState } from "./session";
import { TurnView } from "./turn-view";

/** The turns in order, windowed, with the one that runs at the end. */
export function Conversation(props: {
  session: string;
  state: SessionState;
  selected: op.Turn | undefined;
  onSelect: (turn: op.Turn) => void;
  onSend: (input: Partial<TurnInput>) => void;
  onChip: (text: string) => void;
}): ReactNode {
  const { state } = props;
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const turns = state.turns ?? [];
  const live = state.live;
  const size = turns.length + (live ? 1 : 0);
  const grown = live ? live.replies.join("").length + live.steps.length : 0;
  useEffect(() => {
    if (size) list.current?.scrollToIndex(size - 1, { align: "end" });
  }, [size, grown]);
  return (
    <div className="turns" ref={box} role="log" aria-label={t("Turns")} aria-live="polite">
      {state.error ? <ErrorNote error={state.error} onRetry={() => void state.reload()} /> : null}
      {!state.turns && !state.error && <Loading />}
      {state.turns && !size && (
        <Empty title={t("Say something")}>
          <p>{t("The conversation is here, and what happens for it at the side: every prompt, call and reply.")}</p>
        </Empty>
      )}
      <Virtualizer ref={list} scrollRef={box}>
        {turns.map((turn, index) => (
          <TurnView
            key={turn.name}
            turn={turn}
            session={props.session}
            isSelected={turn === props.selected}
            isLast={index === turns.length - 1 && !live}
            onSelect={() => props.onSelect(turn)}
            onSend={props.onSend}
            onChip={props.onChip}
          />
        ))}
      </Virtualizer>
      {live && <LiveTurnView live={live} onRetry={state.retry} />}
    </div>
  );
}
