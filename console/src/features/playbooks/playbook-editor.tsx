import { IconDots, IconTrash } from "@tabler/icons-react";
import { type ReactNode, useMemo, useState } from "react";
import { useLocation } from "wouter";
import { call } from "../../api/call";
import { cxApi, opApi } from "../../api/generated/methods";
import type { cx } from "../../api/generated/types";
import { asJson, same } from "../../api/json";
import { upTo } from "../../api/names";
import { forget, useRpc } from "../../api/query";
import { Checks, useChecks } from "../../draft/checks";
import { SaveButtons, useDraft } from "../../draft/draft";
import { CodeEditor } from "../../editor/code-editor";
import type { ViewProps } from "../../routes";
import { useParam } from "../../shell/address";
import { useCrumbs } from "../../shell/crumbs";
import { useCurrent } from "../../shell/current-agent";
import { Menu } from "../../ui/menu";
import { TextField } from "../../ui/field";
import { ErrorNote, Loaded, Tag } from "../../ui/states";
import { Tabs } from "../../ui/tabs";
import { undoable } from "../../ui/toast";
import { t } from "../../words/words";
import { JsonMessage } from "../tools/json-message";
import { rowsOf, rowsOfText, stepsOf, textOf } from "./instructions";
import { PlaybookAside } from "./playbook-aside";
import { StepRows } from "./step-rows";
import "./playbooks.css";

export function PlaybookEditor({ name }: ViewProps): ReactNode {
  const playbook = useRpc(cxApi.getPlaybook, { name });
  return <Loaded query={playbook}>{(data) => <Editor key={name} stored={data} />}</Loaded>;
}

const MASK =
  "displayName,goal,instruction,inputParameterDefinitions,outputParameterDefinitions,handlers,llmModelSettings,codeBlock";

/** Of more steps than these, the text comes first: a browser lays out a row for each step at each key. */
const MANY = 1000;

function Editor({ stored }: { stored: cx.Playbook }): ReactNode {
  const name = stored.name ?? "";
  const agent = upTo(name, "agents");
  const whole = useCurrent();
  const [, navigate] = useLocation();
  const [isLong] = useState(() => rowsOf(stored.instruction?.steps).length > MANY);
  const [view, setView] = useParam("view", isLong ? "text" : "steps");
  const draft = useDraft(name, stored, {
    read: () => call(cxApi.getPlaybook, { name }),
    write: async (playbook) => {
      const saved = await call(cxApi.updatePlaybook, { playbook, updateMask: MASK });
      forget(cxApi.getPlaybook, cxApi.listPlaybooks);
      return saved;
    },
  });
  const tools = useRpc(cxApi.listTools, { parent: agent, pageSize: 500 }).data?.tools;
  const playbooks = useRpc(cxApi.listPlaybooks, { parent: agent, pageSize: 200 }).data?.playbooks;
  const names = useMemo(
    () => ({
      tools: (tools ?? []).map(({ displayName }) => displayName ?? ""),
      playbooks: (playbooks ?? []).map(({ displayName }) => displayName ?? ""),
    }),
    [tools, playbooks],
  );
  useCrumbs(
    { label: whole?.title ?? "", href: `/${agent}` },
    { label: t("Playbooks"), href: `/${agent}/playbooks` },
    { label: stored.displayName ?? "" },
  );
  const { value, set } = draft;
  const problems = useChecks(
    value,
    async (signal) =>
      (await call(opApi.checkPlaybook, { parent: agent, playbook: asJson(value) }, { signal })).problems ?? [],
  );
  const rows = rowsOf(value.instruction?.steps);
  const setInstruction = (steps: cx.Playbook_Step[]): void =>
    set({ ...value, instruction: { ...value.instruction, steps } });
  return (
    <div className="page">
      <header className="page-head">
        <div className="grow">
          <div className="row wrap">
            <h1>{value.displayName}</h1>
            {draft.isChanged && <Tag tone="retrieval">{t("not saved")}</Tag>}
          </div>
        </div>
        <Menu label={t("More")} button={<IconDots size={16} />}>
          <button type="button" onClick={() => void navigator.clipboard.writeText(name)}>
            {t("Copy the resource name")}
          </button>
          <button type="button" className="tone-bad" onClick={() => remove(stored, agent, navigate)}>
            <IconTrash size={15} aria-hidden="true" />
            {t("Delete the playbook")}
          </button>
        </Menu>
        <SaveButtons draft={draft} />
      </header>
      {draft.error ? <ErrorNote error={draft.error} what={t("Not saved.")} /> : null}
      <div className="cols">
        <section className="stack">
          <TextField
            label={t("Name")}
            value={value.displayName ?? ""}
            onChange={(displayName) => set({ ...value, displayName })}
          />
          <TextField label={t("Goal")} rows={3} value={value.goal ?? ""} onChange={(goal) => set({ ...value, goal })} />
          <div className="row">
            <h2 className="grow">{t("Instructions")}</h2>
            <Tabs
              segmented
              label={t("How to show the instructions")}
              at={view}
              onChange={setView}
              tabs={[
                { id: "steps", label: t("Steps") },
                { id: "text", label: t("Text") },
                { id: "more", label: t("More") },
              ]}
            />
          </div>
          {view === "steps" && (
            <>
              <StepRows rows={rows} names={names} onChange={(next) => setInstruction(stepsOf(next))} />
              <p className="small faint wide-only">
                {t("Type $ for a tool or a playbook. Enter adds a step, Tab indents, Alt with an arrow moves.")}
              </p>
            </>
          )}
          <Checks problems={problems} />
          {isLong && view === "text" && (
            <p className="small muted">
              {t("{n} steps: shown as text, so that typing stays quick.", { n: rows.length })}
            </p>
          )}
          {view === "text" && (
            <InstructionText
              rows={textOf(rows)}
              names={names}
              onChange={(text) => setInstruction(stepsOf(rowsOfText(text)))}
            />
          )}
          {view === "more" && (
            <JsonMessage
              label={t("Parameters, handlers and model settings")}
              value={restOf(value)}
              onChange={(next) => set({ ...next, ...fixed(value) } as cx.Playbook)}
            />
          )}
        </section>
        <PlaybookAside playbook={stored} tools={tools ?? []} />
      </div>
    </div>
  );
}

function InstructionText(props: {
  rows: string;
  names: { tools: readonly string[]; playbooks: readonly string[] };
  onChange: (text: string) => void;
}): ReactNode {
  const [text, setText] = useState(props.rows);
  const shown = same(rowsOfText(text), rowsOfText(props.rows)) ? text : props.rows;
  const references = [
    ...props.names.tools.map((name) => ({ label: `$${name}`, apply: `\${TOOL: ${name}}`, detail: t("tool") })),
    ...props.names.playbooks.map((name) => ({
      label: `$${name}`,
      apply: `\${PLAYBOOK: ${name}}`,
      detail: t("playbook"),
    })),
  ];
  return (
    <CodeEditor
      label={t("Instructions as text")}
      language="text"
      value={shown}
      minLines={14}
      references={references}
      onChange={(next) => {
        setText(next);
        props.onChange(next);
      }}
    />
  );
}

const SHOWN_ELSEWHERE = [
  "name",
  "displayName",
  "goal",
  "instruction",
  "createTime",
  "updateTime",
  "tokenCount",
  "referencedTools",
  "referencedPlaybooks",
  "referencedFlows",
];

function restOf(playbook: cx.Playbook): Record<string, never> {
  return Object.fromEntries(
    Object.entries(asJson(playbook)).filter(([key]) => !SHOWN_ELSEWHERE.includes(key)),
  ) as Record<string, never>;
}

function fixed(playbook: cx.Playbook): object {
  return Object.fromEntries(Object.entries(playbook).filter(([key]) => SHOWN_ELSEWHERE.includes(key)));
}

function remove(playbook: cx.Playbook, agent: string, navigate: (path: string) => void): void {
  navigate(`/${agent}/playbooks`);
  undoable(
    playbook.name ?? "",
    t("The playbook {name} is deleted.", { name: playbook.displayName ?? "" }),
    (keepalive) =>
      call(cxApi.deletePlaybook, { name: playbook.name ?? "" }, { keepalive }).finally(() =>
        forget(cxApi.listPlaybooks),
      ),
    () => navigate(`/${playbook.name}`),
  );
}
