import { IconArrowBackUp, IconFlask, IconPencil, IconStar } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import { opApi } from "../../api/generated/methods";
import type { op } from "../../api/generated/types";
import { useRpc } from "../../api/query";
import { Button, IconButton } from "../../ui/button";
import { ErrorNote } from "../../ui/states";
import { say } from "../../ui/toast";
import { t } from "../../words/words";
import { sentence } from "../../api/errors";
import { CallLine } from "./call-line";
import { forkBefore } from "./forking";
import type { TurnInput } from "./inputs";
import { keepAsExample, saveAsTest } from "./keeping";
import { PauseCard } from "./pause-card";
import { Payload } from "./payload";

const CALLS_SHOWN = 100;

export function TurnView(props: {
  turn: op.Turn;
  session: string;
  isSelected: boolean;
  isLast: boolean;
  onSelect: () => void;
  onSend: (input: Partial<TurnInput>) => void;
  onChip: (text: string) => void;
}): ReactNode {
  const { turn } = props;
  const [editing, setEditing] = useState(false);
  const parent = turn.callCount
    ? { parent: turn.name ?? "", pageSize: CALLS_SHOWN, view: "STEP_VIEW_BASIC" as const }
    : null;
  const steps = useRpc(opApi.listTurnSteps, parent).data?.steps ?? [];
  const open = props.isLast ? (turn.openCalls ?? []) : [];
  return (
    <article
      className={props.isSelected ? "turn on" : "turn"}
      aria-label={t("Turn {n}", { n: turn.number ?? 0 })}
      onClick={props.onSelect}
    >
      {!editing && <TurnActions {...props} onEdit={() => setEditing(true)} />}
      {editing ? (
        <Rerun turn={turn} session={props.session} onClose={() => setEditing(false)} />
      ) : (
        <Said turn={turn} onSelect={props.onSelect} />
      )}
      {steps.map((step) => step.call && <CallLine key={step.number ?? 0} step={step} />)}
      {turn.replies?.map((reply, index) => (
        <p key={index} className="reply">
          {reply}
        </p>
      ))}
      {turn.messages?.map((message, index) => (
        <Payload key={index} message={message} onChip={props.onChip} />
      ))}
      {turn.error && <ErrorNote error={new Error(turn.error.message)} what={turn.error.code ?? ""} />}
      {!!open.length && (
        <PauseCard calls={open} session={props.session} onAnswer={(results) => props.onSend({ results })} />
      )}
    </article>
  );
}

function Said({ turn, onSelect }: { turn: op.Turn; onSelect: () => void }): ReactNode {
  const text = turn.text ?? (turn.event ? t("Event: {name}", { name: turn.event }) : "");
  const results = turn.results?.results ?? [];
  return (
    <>
      {text && (
        <div className="said">
          <button type="button" className="bubble" onClick={onSelect}>
            {text}
          </button>
        </div>
      )}
      {results.map((result) => (
        <div className="call-line tone-pause" key={result.callId}>
          <code>{result.action}</code>
          <span className="arguments clip mono">{result.error || JSON.stringify(result.output ?? {})}</span>
          <span className="status">{t("answered by you")}</span>
        </div>
      ))}
    </>
  );
}

function TurnActions(props: { turn: op.Turn; session: string; onEdit: () => void }): ReactNode {
  const [, navigate] = useLocation();
  const { turn, session } = props;
  async function goBack(): Promise<void> {
    try {
      navigate(`/${await forkBefore(turn)}`);
      say(t("Back to before turn {n}, in a new branch. What was called stays called.", { n: turn.number ?? 0 }));
    } catch (error) {
      say(sentence(error));
    }
  }
  return (
    <div
      className="turn-actions"
      role="toolbar"
      aria-label={t("Turn {n}", { n: turn.number ?? 0 })}
      onClick={(event) => event.stopPropagation()}
    >
      {turn.text && (
        <IconButton
          small
          label={t("Edit this message and run on from here")}
          icon={<IconPencil size={15} />}
          onClick={props.onEdit}
        />
      )}
      <IconButton
        small
        label={t("Go back to before this turn")}
        icon={<IconArrowBackUp size={15} />}
        onClick={() => void goBack()}
      />
      <IconButton
        small
        label={t("Make this an example")}
        icon={<IconStar size={15} />}
        onClick={() => void keepAsExample(turn, navigate)}
      />
      <IconButton
        small
        label={t("Save as a test")}
        icon={<IconFlask size={15} />}
        onClick={() => void saveAsTest(session, navigate, turn.number)}
      />
    </div>
  );
}

/** The message as a field; running on from here is a branch, and leaves this conversation as it is. */
function Rerun({ turn, onClose }: { turn: op.Turn; session: string; onClose: () => void }): ReactNode {
  const [, navigate] = useLocation();
  const [text, setText] = useState(turn.text ?? "");
  const [error, setError] = useState<unknown>(null);
  async function run(): Promise<void> {
    try {
      navigate(`/${await forkBefore(turn)}?say=${encodeURIComponent(text)}`);
    } catch (caught) {
      setError(caught);
    }
  }
  return (
    <form
      className="rerun"
      onClick={(event) => event.stopPropagation()}
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <textarea
        autoFocus
        className="input"
        aria-label={t("Your message")}
        rows={2}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {error ? <ErrorNote error={error} /> : null}
      <div className="row">
        <span className="small faint grow">
          {t("Runs from here in a new branch. Calls already made are not undone.")}
        </span>
        <Button small kind="quiet" onClick={onClose}>
          {t("Cancel")}
        </Button>
        <Button small kind="primary" type="submit" disabled={!text.trim()}>
          {t("Run from here")}
        </Button>
      </div>
    </form>
  );
}
