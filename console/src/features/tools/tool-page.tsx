import { IconDots, IconTrash } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { call } from "../../api/call";
import { cxApi } from "../../api/generated/methods";
import type { cx } from "../../api/generated/types";
import { asJson, isObject, type JsonObject } from "../../api/json";
import { upTo } from "../../api/names";
import { forget, useRpc } from "../../api/query";
import { SaveButtons, useDraft } from "../../draft/draft";
import type { ViewProps } from "../../routes";
import { useParam } from "../../shell/address";
import { useCrumbs } from "../../shell/crumbs";
import { useCurrent } from "../../shell/current-agent";
import { useKeys } from "../../shell/keys";
import { Button } from "../../ui/button";
import { Menu } from "../../ui/menu";
import { ErrorNote, Loaded, Loading, Tag } from "../../ui/states";
import { Tabs } from "../../ui/tabs";
import { undoable } from "../../ui/toast";
import { t } from "../../words/words";
import { forgetActions, useActions } from "./actions";
import { kindOfTool, kindWords } from "./kinds";
import { TestPanel } from "./test-panel";
import { tabsOf, ToolTab } from "./tool-tabs";
import "./tools.css";

export function ToolPage({ name }: ViewProps): ReactNode {
  const tool = useRpc(cxApi.getTool, { name });
  return <Loaded query={tool}>{(data) => <Editor key={name} stored={data} />}</Loaded>;
}

const MASK = "displayName,description,openApiSpec,functionSpec,dataStoreSpec,connectorSpec";

function Editor({ stored }: { stored: cx.Tool }): ReactNode {
  const name = stored.name ?? "";
  const agent = upTo(name, "agents");
  const whole = useCurrent();
  const [, navigate] = useLocation();
  const draft = useDraft(name, stored, {
    read: () => call(cxApi.getTool, { name }),
    write: async (tool) => {
      const saved = await call(cxApi.updateTool, { tool, updateMask: maskOf(tool) });
      forget(cxApi.getTool, cxApi.listTools);
      forgetActions(name);
      return saved;
    },
  });
  const kind = kindOfTool(draft.value);
  const tabs = tabsOf(kind);
  const [tab, setTab] = useParam("tab", tabs[0]?.id ?? "json");
  const [action, setAction] = useParam("test");
  const [input] = useParam("input");
  const [start] = useState(() => parsed(input));
  const changed = useSettled(draft.isChanged ? asJson(draft.value) : undefined);
  const actions = useActions(name, changed);
  const panel = useRef<HTMLDivElement>(null);
  const { label, tone } = kindWords(kind);
  useCrumbs(
    { label: whole?.title ?? "", href: `/${agent}` },
    { label: t("Tools") },
    { label: stored.displayName ?? "" },
  );
  function test(): void {
    panel.current?.scrollIntoView({ block: "start" });
    panel.current?.querySelector<HTMLElement>("select, input, textarea")?.focus();
  }
  useKeys([{ keys: "T", what: t("Test"), run: test }]);
  useEffect(() => {
    if (start) test();
  }, [start]);

  return (
    <div className="full">
      <header className="page-head">
        <div className="grow">
          <div className="row wrap">
            <h1>{draft.value.displayName}</h1>
            <Tag tone={tone}>{label}</Tag>
            {draft.isChanged && <Tag tone="retrieval">{t("not saved")}</Tag>}
          </div>
          <p className="small faint clip">{draft.value.description}</p>
        </div>
        <Menu label={t("More")} button={<IconDots size={16} />}>
          <button type="button" onClick={() => void navigator.clipboard.writeText(name)}>
            {t("Copy the resource name")}
          </button>
          {kind !== "code" && (
            <button type="button" className="tone-bad" onClick={() => remove(stored, agent, navigate)}>
              <IconTrash size={15} aria-hidden="true" />
              {t("Delete the tool")}
            </button>
          )}
        </Menu>
        <Button onClick={test}>
          {t("Test")} <kbd className="wide-only">T</kbd>
        </Button>
        {kind !== "code" && <SaveButtons draft={draft} />}
      </header>
      <Tabs label={t("Parts of the tool")} tabs={tabs} at={tab} onChange={setTab} />
      <div className="split">
        <div className="split-main">
          {draft.error ? <ErrorNote error={draft.error} what={t("Not saved.")} /> : null}
          <ToolTab
            tab={tab}
            tool={draft.value}
            onChange={draft.set}
            actions={actions.actions ?? []}
            onTest={(next) => {
              setAction(next);
              test();
            }}
          />
        </div>
        <aside className="split-side" aria-label={t("Test panel")}>
          {actions.problems.map((problem, index) => (
            <p key={index} className={problem.severity === "ERROR" ? "note bad" : "note"}>
              {problem.message}
            </p>
          ))}
          {actions.error ? <ErrorNote error={actions.error} onRetry={actions.refetch} /> : null}
          {!actions.actions && !actions.error && <Loading />}
          {actions.actions && !actions.actions.length && (
            <p className="muted">{t("The tool has no action that can be called yet.")}</p>
          )}
          {!!actions.actions?.length && (
            <TestPanel
              tool={name}
              draft={changed}
              actions={actions.actions}
              action={action}
              onAction={setAction}
              start={start}
              actionRef={panel}
            />
          )}
        </aside>
      </div>
    </div>
  );
}

const QUIET_MS = 500;

/** A value once it has rested: what is typed is not asked about at each key. */
function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), QUIET_MS);
    return () => clearTimeout(timer);
    // By content: a draft is a new object at each key.
  }, [text]);
  return settled;
}

/** Only what the tool has: a mask that names another kind would be refused. */
function maskOf(tool: cx.Tool): string {
  return MASK.split(",")
    .filter((field) => field in tool || !field.endsWith("Spec"))
    .join(",");
}

function parsed(text: string): JsonObject | undefined {
  if (!text) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function remove(tool: cx.Tool, agent: string, navigate: (path: string) => void): void {
  navigate(`/${agent}/tools`);
  undoable(
    tool.name ?? "",
    t("The tool {name} is deleted.", { name: tool.displayName ?? "" }),
    (keepalive) =>
      call(cxApi.deleteTool, { name: tool.name ?? "" }, { keepalive }).finally(() => forget(cxApi.listTools)),
    () => navigate(`/${tool.name}`),
  );
}
