import { IconPlus } from "@tabler/icons-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { Link, useLocation } from "wouter";
import { call } from "../../api/call";
import { cxApi } from "../../api/generated/methods";
import type { cx } from "../../api/generated/types";
import { forget, useRpc } from "../../api/query";
import type { ViewProps } from "../../routes";
import { useCrumbs } from "../../shell/crumbs";
import { useCurrent } from "../../shell/current-agent";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { SelectField, TextField } from "../../ui/field";
import { Empty, ErrorNote, Loaded, Tag } from "../../ui/states";
import { useDoomed } from "../../ui/toast";
import { t } from "../../words/words";
import { kindOfTool, kindWords, newTool, type ToolKind } from "./kinds";

export function ToolList({ name }: ViewProps): ReactNode {
  const whole = useCurrent();
  useCrumbs({ label: whole?.title ?? "", href: `/${name}` }, { label: t("Tools") });
  const tools = useRpc(cxApi.listTools, { parent: name, pageSize: 500 });
  const [filter, setFilter] = useState("");
  const [isNew, setNew] = useState(false);
  const doomed = useDoomed();
  return (
    <div className="page">
      <header className="page-head">
        <div className="grow">
          <h1>{t("Tools")}</h1>
          <p>{t("What the agent can call. Each one can be tried where it is made.")}</p>
        </div>
        <Button kind="primary" icon={<IconPlus size={15} />} onClick={() => setNew(true)}>
          {t("New tool")}
        </Button>
      </header>
      <Loaded query={tools}>
        {(data) => (
          <>
            {(data.tools?.length ?? 0) > 8 && (
              <input
                className="input"
                type="search"
                aria-label={t("Filter the tools")}
                placeholder={t("Filter")}
                value={filter}
                onChange={(event) => setFilter(event.target.value)}
              />
            )}
            <Table
              tools={(data.tools ?? []).filter((tool) => matches(tool, filter) && !doomed.has(tool.name ?? ""))}
              onNew={() => setNew(true)}
            />
          </>
        )}
      </Loaded>
      {isNew && <NewTool agent={name} onClose={() => setNew(false)} />}
    </div>
  );
}

function matches(tool: cx.Tool, filter: string): boolean {
  return `${tool.displayName} ${tool.description}`.toLowerCase().includes(filter.toLowerCase());
}

function Table({ tools, onNew }: { tools: cx.Tool[]; onNew: () => void }): ReactNode {
  if (!tools.length)
    return (
      <Empty title={t("No tools yet")}>
        <p>{t("Paste an API’s description, describe a function of your own program, or search documents.")}</p>
        <Button onClick={onNew}>{t("New tool")}</Button>
      </Empty>
    );
  return (
    <div className="scroll-x">
      <table>
        <thead>
          <tr>
            <th>{t("Name")}</th>
            <th>{t("Kind")}</th>
            <th>{t("Description")}</th>
          </tr>
        </thead>
        <tbody>
          {tools.map((tool) => {
            const { label, tone } = kindWords(kindOfTool(tool));
            return (
              <tr key={tool.name}>
                <td>
                  <Link href={`/${tool.name}`}>
                    <b>{tool.displayName}</b>
                  </Link>
                </td>
                <td>
                  <Tag tone={tone}>{label}</Tag>
                </td>
                <td className="muted">{tool.description}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function NewTool({ agent, onClose }: { agent: string; onClose: () => void }): ReactNode {
  const [, navigate] = useLocation();
  const [kind, setKind] = useState<ToolKind>("openapi");
  const [displayName, setDisplayName] = useState("");
  const [description, setDescription] = useState("");
  const [error, setError] = useState<unknown>(null);
  async function create(event: FormEvent): Promise<void> {
    event.preventDefault();
    try {
      const tool = await call(cxApi.createTool, { parent: agent, tool: newTool(kind, displayName, description) });
      forget(cxApi.listTools);
      navigate(`/${tool.name}`);
    } catch (caught) {
      setError(caught);
    }
  }
  return (
    <Dialog label={t("New tool")} onClose={onClose}>
      <form className="stack gap-top" onSubmit={(event) => void create(event)}>
        <SelectField
          label={t("Kind")}
          value={kind}
          onChange={(value) => setKind(value as ToolKind)}
          options={(["openapi", "function", "dataStore", "connector"] as const).map((each) => ({
            value: each,
            label: kindWords(each).label,
          }))}
        />
        <TextField
          label={t("Name")}
          value={displayName}
          onChange={setDisplayName}
          required
          autoFocus
          hint={t("What instructions call it, such as pets.")}
        />
        <TextField
          label={t("Description")}
          value={description}
          onChange={setDescription}
          rows={3}
          hint={t("For the model: what it does, and when to use it.")}
        />
        {error ? <ErrorNote error={error} /> : null}
        <div className="dialog-foot">
          <Button kind="quiet" onClick={onClose}>
            {t("Cancel")}
          </Button>
          <Button kind="primary" type="submit" disabled={!displayName.trim()}>
            {t("Create")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
