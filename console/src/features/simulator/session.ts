import { useCallback, useEffect, useReducer, useRef } from "react";
import { stream } from "../../api/call";
import { ApiError, Unreachable } from "../../api/errors";
import { opApi } from "../../api/generated/methods";
import type { op } from "../../api/generated/types";
import { newId } from "../../api/names";
import { cache, keyOf, useRpc } from "../../api/query";
import { runTurn, type TurnInput } from "./inputs";
import { TURNS_SHOWN } from "../../shell/first-requests";
import { after, begun, type LiveEvent, type LiveTurn } from "./live-turn";

const RECONNECTS = 3;
const WAIT_MS = 800;

export interface SessionState {
  turns: op.Turn[] | undefined;
  error: unknown;
  live: LiveTurn | null;
  send: (input: TurnInput) => void;
  retry: () => void;
  /** Stops listening; the turn ends on the server. */
  stop: () => void;
  reload: () => Promise<void>;
}

type Action = LiveEvent | { kind: "begin"; live: LiveTurn } | { kind: "done" };

function reduce(live: LiveTurn | null, action: Action): LiveTurn | null {
  if (action.kind === "begin") return action.live;
  if (action.kind === "done" || !live) return null;
  return after(live, action);
}

/** A conversation: the turns that ended, and the one that runs. */
export function useSession(session: string): SessionState {
  const request = { parent: session, pageSize: TURNS_SHOWN };
  const query = useRpc(opApi.listTurns, request);
  const [live, dispatch] = useReducer(reduce, null);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);

  const reload = useCallback(async () => {
    await cache.invalidateQueries({ queryKey: keyOf(opApi.listTurns, { parent: session, pageSize: TURNS_SHOWN }) });
  }, [session]);

  const run = useCallback(
    async (turn: LiveTurn) => {
      const controller = new AbortController();
      abort.current = controller;
      void watch(session, controller.signal, dispatch);
      try {
        await converse(session, turn, controller.signal, dispatch);
        await reload();
        dispatch({ kind: "done" });
      } catch (error) {
        if (controller.signal.aborted) {
          await reload();
          dispatch({ kind: "done" });
        } else dispatch({ kind: "failed", error });
      } finally {
        controller.abort();
      }
    },
    [session, reload],
  );

  // A conversation is there from its first turn on; before that its address leads to an empty one.
  const isNew = query.error instanceof ApiError && query.error.code === "NOT_FOUND";
  return {
    turns: query.data ? (query.data.turns ?? []) : isNew ? [] : undefined,
    error: isNew ? null : query.error,
    live,
    send: (input) => {
      const turn = begun(input, newId());
      dispatch({ kind: "begin", live: turn });
      void run(turn);
    },
    retry: () => {
      if (!live) return;
      dispatch({ kind: "retried" });
      void run(live);
    },
    stop: () => abort.current?.abort(),
    reload,
  };
}

/** Runs the turn; where the connection breaks, the same request with the same key gets its answer. */
async function converse(
  session: string,
  turn: LiveTurn,
  signal: AbortSignal,
  dispatch: (event: LiveEvent) => void,
): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      for await (const piece of runTurn(session, turn.input, { signal, key: turn.key }))
        dispatch({ kind: "piece", piece });
      return;
    } catch (error) {
      if (!(error instanceof Unreachable) || attempt >= RECONNECTS || signal.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS * (attempt + 1)));
      dispatch({ kind: "retried" });
    }
  }
}

/** The steps as they happen. What the conversation shows does not depend on them: they are there again when it ended. */
async function watch(session: string, signal: AbortSignal, dispatch: (event: LiveEvent) => void): Promise<void> {
  try {
    const name = `${session}/turns/-`;
    for await (const update of stream(opApi.watchTurn, { name, view: "STEP_VIEW_BASIC" }, { signal }))
      dispatch({ kind: "update", update });
  } catch {
    return;
  }
}
