import type { ReactNode } from "react";
import { ErrorNote } from "../../ui/states";
import { t } from "../../words/words";
import { CallLine } from "./call-line";
import type { LiveTurn } from "./live-turn";

/** The turn that runs: words as they arrive, calls as they run. */
export function LiveTurnView({ live, onRetry }: { live: LiveTurn; onRetry: () => void }): ReactNode {
  return (
    <article className="turn live" aria-label={t("The turn that runs")} aria-busy={live.running}>
      {live.input.text && (
        <div className="said">
          <span className="bubble">{live.input.text}</span>
        </div>
      )}
      {live.steps.map((step) => step.call && <CallLine key={step.number ?? 0} step={step} />)}
      {live.underWay.map((step, index) => step.call && <CallLine key={`under${index}`} step={step} waiting />)}
      {live.replies.map((reply, index) => (
        <p key={index} className="reply">
          {reply}
        </p>
      ))}
      {live.running && <div className="running" aria-hidden="true" />}
      {live.error ? <ErrorNote error={live.error} what={t("The turn failed.")} onRetry={onRetry} /> : null}
    </article>
  );
}
