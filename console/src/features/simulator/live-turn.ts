import type { op } from "../../api/generated/types";
import type { Piece, TurnInput } from "./inputs";

/** A turn while it runs, as far as it is known. */
export interface LiveTurn {
  input: TurnInput;
  /** Repeats of the same request carry it, so that a broken connection costs nothing. */
  key: string;
  replies: readonly string[];
  steps: readonly op.TurnStep[];
  underWay: readonly op.TurnStep[];
  error: unknown;
  running: boolean;
}

export type LiveEvent =
  | { kind: "piece"; piece: Piece }
  | { kind: "update"; update: op.TurnUpdate }
  | { kind: "failed"; error: unknown }
  | { kind: "retried" };

export function begun(input: TurnInput, key: string): LiveTurn {
  return { input, key, replies: [], steps: [], underWay: [], error: null, running: true };
}

/** The turn after an event; the same for a stream and for its recording. */
export function after(turn: LiveTurn, event: LiveEvent): LiveTurn {
  switch (event.kind) {
    case "piece":
      return { ...turn, replies: extended(turn.replies, event.piece) };
    case "update": {
      const known = new Set(turn.steps.map(({ number }) => number ?? 0));
      const fresh = (event.update.steps ?? []).filter(({ number }) => !known.has(number ?? 0));
      return { ...turn, steps: [...turn.steps, ...fresh], underWay: event.update.underWay ?? [] };
    }
    case "failed":
      return { ...turn, error: event.error, running: false, underWay: [] };
    case "retried":
      return { ...turn, error: null, running: true, replies: [] };
  }
}

/** Replies are numbered from 1; pieces without a number belong to the last one. */
function extended(replies: readonly string[], { text, reply }: Piece): readonly string[] {
  const at = Math.max(0, (reply || replies.length || 1) - 1);
  const copy = [...replies];
  while (copy.length <= at) copy.push("");
  copy[at] += text;
  return copy;
}
