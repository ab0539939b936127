import { type ReactNode, useState } from "react";
import { opApi } from "../../api/generated/methods";
import type { cx, op } from "../../api/generated/types";
import { useRpc } from "../../api/query";
import { useWholes } from "../../shell/current-agent";
import { Dialog } from "../../ui/dialog";
import { SelectField } from "../../ui/field";
import { Loaded, Tag, type Tone } from "../../ui/states";
import { t } from "../../words/words";

/** Two agents, file by file as an export has them; names of resources say nothing about what they do. */
export function CompareAgents({ agent, onClose }: { agent: cx.Agent; onClose: () => void }): ReactNode {
  const others = (useWholes() ?? []).filter(({ name, isApp }) => !isApp && name !== agent.name);
  const [chosen, setChosen] = useState("");
  const other = chosen || others[0]?.name || "";
  const query = useRpc(opApi.diffAgents, other ? { agent: agent.name ?? "", otherAgent: other } : null);
  return (
    <Dialog label={t("Compare with another agent")} onClose={onClose} className="wide-dialog">
      <div className="stack gap-top">
        <SelectField
          label={t("Other agent")}
          value={other}
          options={others.map(({ name, title }) => ({ value: name, label: title }))}
          onChange={setChosen}
        />
        {other ? (
          <Loaded query={query}>{(data) => <Differences found={data} />}</Loaded>
        ) : (
          <p className="muted">{t("There is no other agent.")}</p>
        )}
      </div>
    </Dialog>
  );
}

function Differences({ found }: { found: op.DiffAgentsResponse }): ReactNode {
  const changes: Record<string, { tone: Tone; label: string }> = {
    ADDED: { tone: "good", label: t("only there") },
    REMOVED: { tone: "bad", label: t("only here") },
    CHANGED: { tone: "retrieval", label: t("differs") },
  };
  if (!found.differences?.length) return <p className="note good">{t("Both do the same.")}</p>;
  return (
    <>
      {found.differences.map((difference) => {
        const change = changes[difference.change ?? ""];
        return (
          <details key={difference.file}>
            <summary>
              {difference.resource || difference.file} {change && <Tag tone={change.tone}>{change.label}</Tag>}
            </summary>
            {!!difference.lines?.length && (
              <div className="diff" role="region" tabIndex={0} aria-label={difference.file}>
                {difference.lines.map((line, index) => (
                  <div key={index} className={line.startsWith("+") ? "came" : line.startsWith("-") ? "gone" : ""}>
                    {line}
                  </div>
                ))}
              </div>
            )}
          </details>
        );
      })}
      {found.truncated && <p className="small muted">{t("More differs than is shown here.")}</p>}
    </>
  );
}
