import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { call } from "../../api/call";
import { cxApi } from "../../api/generated/methods";
import type { cx } from "../../api/generated/types";
import { isObject, type Json, same } from "../../api/json";
import { useWholes } from "../../shell/current-agent";
import { pretty } from "../../ui/code";
import { Dialog } from "../../ui/dialog";
import { Diff } from "../../ui/diff";
import { SelectField } from "../../ui/field";
import { Loaded, Tag } from "../../ui/states";
import { t } from "../../words/words";

type Parts = Map<string, Json>;

/** Two agents, resource by resource; names and times say nothing about what they do. */
export function CompareAgents({ agent, onClose }: { agent: cx.Agent; onClose: () => void }): ReactNode {
  const others = (useWholes() ?? []).filter(({ name, isApp }) => !isApp && name !== agent.name);
  const [other, setOther] = useState(others[0]?.name ?? "");
  const query = useQuery({
    queryKey: ["compare", agent.name, other],
    queryFn: async () => ({ left: await partsOf(agent.name ?? ""), right: await partsOf(other) }),
    enabled: !!other,
  });
  return (
    <Dialog label={t("Compare with another agent")} onClose={onClose} className="wide-dialog">
      <div className="stack gap-top">
        <SelectField
          label={t("Other agent")}
          value={other}
          options={others.map(({ name, title }) => ({ value: name, label: title }))}
          onChange={setOther}
        />
        {other ? (
          <Loaded query={query}>{({ left, right }) => <Differences left={left} right={right} />}</Loaded>
        ) : (
          <p className="muted">{t("There is no other agent.")}</p>
        )}
      </div>
    </Dialog>
  );
}

async function partsOf(parent: string): Promise<Parts> {
  const [playbooks, tools] = await Promise.all([
    call(cxApi.listPlaybooks, { parent, pageSize: 200 }),
    call(cxApi.listTools, { parent, pageSize: 500 }),
  ]);
  const parts: Parts = new Map();
  for (const playbook of playbooks.playbooks ?? []) {
    parts.set(`${t("playbook")} ${playbook.displayName}`, plain(playbook as Json));
    const examples = await call(cxApi.listExamples, { parent: playbook.name ?? "", pageSize: 500 });
    for (const example of examples.examples ?? [])
      parts.set(`${t("example")} ${playbook.displayName} / ${example.displayName}`, plain(example as Json));
  }
  for (const tool of tools.tools ?? []) parts.set(`${t("tool")} ${tool.displayName}`, plain(tool as Json));
  return parts;
}

const MEANINGLESS = new Set([
  "name",
  "createTime",
  "updateTime",
  "tokenCount",
  "referencedTools",
  "referencedPlaybooks",
  "tool",
  "playbook",
]);

function plain(value: Json): Json {
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, part]) =>
      MEANINGLESS.has(key) || part === undefined ? [] : [[key, plain(part)]],
    ),
  );
}

function Differences({ left, right }: { left: Parts; right: Parts }): ReactNode {
  const names = [...new Set([...left.keys(), ...right.keys()])].sort();
  const different = names.filter((name) => !same(left.get(name), right.get(name)));
  if (!different.length) return <p className="note good">{t("Both do the same.")}</p>;
  return different.map((name) => (
    <details key={name}>
      <summary>
        {name}{" "}
        <Tag tone={!left.has(name) ? "good" : !right.has(name) ? "bad" : "retrieval"}>
          {!left.has(name) ? t("only there") : !right.has(name) ? t("only here") : t("differs")}
        </Tag>
      </summary>
      <Diff before={pretty(left.get(name) ?? {})} after={pretty(right.get(name) ?? {})} label={name} />
    </details>
  ));
}
