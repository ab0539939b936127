import type { ReactNode } from "react";
import { Link } from "wouter";
import { call } from "../../api/call";
import { cesApi, opApi } from "../../api/generated/methods";
import type { ces } from "../../api/generated/types";
import { asJson } from "../../api/json";
import { lastPart, upTo } from "../../api/names";
import { forget, useRpc } from "../../api/query";
import { Checks, useChecks } from "../../draft/checks";
import { SaveButtons, useDraft } from "../../draft/draft";
import { CodeEditor } from "../../editor/code-editor";
import type { ViewProps } from "../../routes";
import { useCrumbs } from "../../shell/crumbs";
import { useCurrent } from "../../shell/current-agent";
import { ErrorNote, Loaded, Tag } from "../../ui/states";
import { TextField } from "../../ui/field";
import { t } from "../../words/words";

/** An agent of an app: its instruction, its tools, whom it hands over to. */
export function AppAgent({ name }: ViewProps): ReactNode {
  const agent = useRpc(cesApi.getAgent, { name });
  return <Loaded query={agent}>{(data) => <Editor key={name} stored={data} />}</Loaded>;
}

function Editor({ stored }: { stored: ces.Agent }): ReactNode {
  const name = stored.name ?? "";
  const app = upTo(name, "apps");
  const whole = useCurrent();
  const tools = useRpc(cesApi.listTools, { parent: app, pageSize: 500 }).data?.tools ?? [];
  const draft = useDraft(name, stored, {
    read: () => call(cesApi.getAgent, { name }),
    write: async (agent) => {
      const saved = await call(cesApi.updateAgent, { agent, updateMask: "displayName,description,instruction" });
      forget(cesApi.getAgent, cesApi.listAgents);
      return saved;
    },
  });
  const { value, set } = draft;
  useCrumbs(
    { label: whole?.title ?? "", href: `/${app}` },
    { label: t("Agents of the app"), href: `/${app}/agents` },
    { label: stored.displayName ?? "" },
  );
  const problems = useChecks(value, async (signal) => {
    const checked = await call(opApi.checkAppResource, { parent: app, agent: asJson(value) }, { signal });
    return checked.problems ?? [];
  });
  const references = tools.map((tool) => {
    const title = tool.displayName ?? lastPart(tool.name ?? "");
    return { label: `$${title}`, apply: `{@TOOL: ${title}}`, detail: t("tool") };
  });
  return (
    <div className="page">
      <header className="page-head">
        <div className="grow row wrap">
          <h1>{value.displayName}</h1>
          {draft.isChanged && <Tag tone="retrieval">{t("not saved")}</Tag>}
        </div>
        <SaveButtons draft={draft} />
      </header>
      {draft.error ? <ErrorNote error={draft.error} what={t("Not saved.")} /> : null}
      <div className="stack">
        <TextField
          label={t("Name")}
          value={value.displayName ?? ""}
          onChange={(displayName) => set({ ...value, displayName })}
        />
        <TextField
          label={t("Description")}
          rows={2}
          value={value.description ?? ""}
          onChange={(description) => set({ ...value, description })}
        />
        <h2>{t("Instruction")}</h2>
        <CodeEditor
          label={t("Instruction")}
          language="text"
          minLines={14}
          value={value.instruction ?? ""}
          references={references}
          onChange={(instruction) => set({ ...value, instruction })}
        />
        <Checks problems={problems} />
        <Linked
          title={t("Tools")}
          names={[...(stored.tools ?? []), ...(stored.toolsets ?? []).map(({ toolset }) => toolset ?? "")]}
        />
        <Linked title={t("Hands over to")} names={stored.childAgents ?? []} />
        <Linked title={t("Guardrails")} names={stored.guardrails ?? []} />
      </div>
    </div>
  );
}

function Linked({ title, names }: { title: string; names: string[] }): ReactNode {
  if (!names.length) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ul className="row wrap">
        {names.map((name) => (
          <li key={name}>
            <Link href={`/${name}`} className="tag tone-tool">
              {lastPart(name)}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
