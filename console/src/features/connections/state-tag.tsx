import type { ReactNode } from "react";
import type { conn } from "../../api/generated/types";
import { Tag, type Tone } from "../../ui/states";
import { t } from "../../words/words";

const STATES: Record<string, { tone: Tone; label: string }> = {
  ACTIVE: { tone: "good", label: "active" },
  INACTIVE: { tone: "plain", label: "suspended" },
  AUTHORIZATION_REQUIRED: { tone: "pause", label: "needs a sign-in" },
  ERROR: { tone: "bad", label: "fails" },
};

/** How a connection is, in a word. */
export function StateTag({ connection }: { connection: conn.Connection }): ReactNode {
  const name = connection.status?.state ?? "";
  const state = STATES[name];
  return <Tag tone={state?.tone ?? "bad"}>{state ? t(state.label) : name}</Tag>;
}
