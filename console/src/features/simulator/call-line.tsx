import { IconCode, IconDatabaseSearch, IconPlayerPause, IconTool } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { op } from "../../api/generated/types";
import { duration } from "../../words/format";
import { t } from "../../words/words";
import { lineOf, spansOf, statusOf } from "./steps";

const ICONS = { tool: IconTool, code: IconCode, retrieval: IconDatabaseSearch, pause: IconPlayerPause } as const;

/** One tool call in the conversation: name, arguments, how it ended. */
export function CallLine({ step, waiting }: { step: op.TurnStep; waiting?: boolean }): ReactNode {
  const call = step.call;
  if (!call) return null;
  const line = lineOf(step);
  const Shown = ICONS[line.icon as keyof typeof ICONS] ?? IconTool;
  const ms = spansOf([step]).spans[0]?.ms ?? 0;
  const byClient = step.endTime ? t("answered by you") : t("waits for you");
  const status = [statusOf(call), call.client ? byClient : duration(ms)].filter(Boolean).join(" · ");
  return (
    <div className={`call-line tone-${line.tone}`}>
      <Shown size={15} aria-hidden="true" />
      <code>{line.name}</code>
      <span className="arguments clip mono">{call.error ? call.error.message : line.gist}</span>
      <span className="status num">{waiting ? t("running") : status}</span>
    </div>
  );
}
