import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { call, stream } from "../../api/call";
import { opApi } from "../../api/generated/methods";
import type { op } from "../../api/generated/types";
import { pretty } from "../../ui/code";
import { Dialog } from "../../ui/dialog";
import { Diff } from "../../ui/diff";
import { Loaded } from "../../ui/states";
import { t } from "../../words/words";

/** The conversation with today's agent: which turns go as they did. Nothing is called; recorded results stand in. */
export function ReplayDialog({
  session,
  agent,
  onClose,
}: {
  session: string;
  agent: string;
  onClose: () => void;
}): ReactNode {
  const query = useQuery({ queryKey: ["replay", session], queryFn: () => replayed(session, agent), staleTime: 0 });
  return (
    <Dialog label={t("Replay with today’s agent")} onClose={onClose} className="wide-dialog">
      <div className="stack gap-top">
        <Loaded query={query}>{(result) => <ReplayResult result={result} />}</Loaded>
      </div>
    </Dialog>
  );
}

async function replayed(session: string, agent: string): Promise<op.ReplayTestsResponse> {
  const { recording } = await call(opApi.recordSession, { session });
  const tests = [{ id: "conversation", recording: recording ?? "" }];
  for await (const result of stream(opApi.replayTests, { agent, tests })) return result;
  throw new Error(t("The server replayed nothing."));
}

export function ReplayResult({ result }: { result: op.ReplayTestsResponse }): ReactNode {
  if (result.outcome === "SAME") return <p className="note good">{t("Every turn goes as it did.")}</p>;
  if (result.outcome === "UNREADABLE") return <p className="note bad">{result.problem}</p>;
  const turns = result.turns?.filter(({ differences }) => differences?.length) ?? [];
  return (
    <>
      {turns.map((turn) => (
        <section key={turn.number} className="stack">
          <h3>
            {t("Turn {n}", { n: turn.number ?? 0 })} <span className="faint">{turn.input}</span>
          </h3>
          {turn.differences?.map((difference, index) => (
            <div key={index}>
              <p className="small mono">{difference.where}</p>
              <Diff
                before={pretty(difference.expected)}
                after={pretty(difference.happened)}
                label={difference.where ?? ""}
              />
            </div>
          ))}
        </section>
      ))}
      {result.notReplayed?.map((note) => (
        <p key={note} className="small muted">
          {note}
        </p>
      ))}
    </>
  );
}
