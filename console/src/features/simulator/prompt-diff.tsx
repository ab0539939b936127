import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { call } from "../../api/call";
import { opApi } from "../../api/generated/methods";
import type { op } from "../../api/generated/types";
import { upTo } from "../../api/names";
import { Button } from "../../ui/button";
import { Diff } from "../../ui/diff";
import { Loaded } from "../../ui/states";
import { t } from "../../words/words";
import { readStep } from "./full-step";

const STEPS = 1000;

/** What a prompt has that the one before it had not: that of the decision before, or of the last one of the turn before. */
export function PromptDiff({ turn, step }: { turn: op.Turn; step: op.TurnStep }): ReactNode {
  const [isShown, setShown] = useState(false);
  const before = useQuery({
    queryKey: ["prompt-before", turn.name, step.number ?? 0],
    queryFn: ({ signal }) => promptBefore(turn, step.number ?? 0, signal),
    staleTime: Infinity,
    enabled: isShown,
  });
  if (!isShown)
    return (
      <div>
        <Button small onClick={() => setShown(true)}>
          {t("Compare with the prompt before")}
        </Button>
      </div>
    );
  return (
    <Loaded query={before}>
      {(prompt) =>
        prompt === "" ? (
          <p className="small muted">{t("There is no prompt before this one.")}</p>
        ) : (
          <Diff
            before={readable(prompt)}
            after={readable(step.decision?.prompt?.request ?? "")}
            label={t("What changed since the prompt before")}
            context={2}
          />
        )
      }
    </Loaded>
  );
}

async function promptBefore(turn: op.Turn, number: number, signal: AbortSignal): Promise<string> {
  const here = turn.name ?? "";
  const own = await lastDecision(here, number, signal);
  if (own !== null) return promptOf(here, own, signal);
  const session = upTo(here, "sessions");
  const { turns } = await call(opApi.listTurns, { parent: session, pageSize: STEPS }, { signal });
  const earlier = (turns ?? []).filter((each) => (each.number ?? 0) < (turn.number ?? 0)).at(-1)?.name;
  if (!earlier) return "";
  const last = await lastDecision(earlier, Infinity, signal);
  return last === null ? "" : promptOf(earlier, last, signal);
}

/** The number of the last decision of a turn before a step; null where there is none. */
async function lastDecision(parent: string, before: number, signal: AbortSignal): Promise<number | null> {
  const request = { parent, pageSize: STEPS, view: "STEP_VIEW_BASIC" as const };
  const { steps } = await call(opApi.listTurnSteps, request, { signal });
  return (steps ?? []).filter((each) => each.decision && (each.number ?? 0) < before).at(-1)?.number ?? null;
}

async function promptOf(turn: string, number: number, signal: AbortSignal): Promise<string> {
  return (await readStep(turn, number, signal))?.decision?.prompt?.request ?? "";
}

/** A prompt as people read it: its JSON indented, and line breaks within texts as line breaks. */
export function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2).replaceAll("\\n", "\n");
  } catch {
    return text;
  }
}
