import { type ReactNode, useRef } from "react";
import { call } from "../../api/call";
import { cesApi } from "../../api/generated/methods";
import type { ces } from "../../api/generated/types";
import { asJson } from "../../api/json";
import { lastPart, upTo } from "../../api/names";
import { forget, useRpc } from "../../api/query";
import { SaveButtons, useDraft } from "../../draft/draft";
import { CodeEditor } from "../../editor/code-editor";
import type { ViewProps } from "../../routes";
import { useParam } from "../../shell/address";
import { useCrumbs } from "../../shell/crumbs";
import { useCurrent } from "../../shell/current-agent";
import { useKeys } from "../../shell/keys";
import { Button } from "../../ui/button";
import { JsonView } from "../../ui/code";
import { CheckField } from "../../ui/field";
import { ErrorNote, Loaded, Loading, Tag } from "../../ui/states";
import { t } from "../../words/words";
import { forgetActions, useActions } from "../tools/actions";
import { JsonMessage } from "../tools/json-message";
import { TestPanel } from "../tools/test-panel";
import { appToolKind } from "./app-tools";
import "../tools/tools.css";

const FAKE = "def fake_tool_call(tool, input, callback_context):\n    return {}\n";

/** A tool of an app, with its trial beside it. */
export function AppTool({ name }: ViewProps): ReactNode {
  const isSet = name.includes("/toolsets/");
  const tool = useRpc(cesApi.getTool, isSet ? null : { name });
  const sets = useRpc(cesApi.listToolsets, isSet ? { parent: upTo(name, "apps"), pageSize: 200 } : null);
  if (isSet)
    return (
      <Loaded query={sets}>
        {(data) => {
          const found = data.toolsets?.find((each) => each.name === name);
          return (
            <Frame name={name} title={found?.displayName ?? lastPart(name)} kind={t("Toolset")} actions={null}>
              <div className="tab-body">
                <JsonView value={found ?? {}} label={t("Toolset")} />
              </div>
            </Frame>
          );
        }}
      </Loaded>
    );
  return <Loaded query={tool}>{(data) => <Editor key={name} stored={data} />}</Loaded>;
}

function Editor({ stored }: { stored: ces.Tool }): ReactNode {
  const name = stored.name ?? "";
  const draft = useDraft(name, stored, {
    read: () => call(cesApi.getTool, { name }),
    write: async (tool) => {
      const saved = await call(cesApi.updateTool, { tool });
      forgetActions(name);
      forget(cesApi.getTool, cesApi.listTools);
      return saved;
    },
  });
  const { value, set } = draft;
  return (
    <Frame
      name={name}
      title={value.displayName || lastPart(name)}
      kind={appToolKind(value)}
      actions={<SaveButtons draft={draft} />}
      callsTools={!!value.pythonFunction}
    >
      {draft.error ? <ErrorNote error={draft.error} what={t("Not saved.")} /> : null}
      <div className="tab-body stack">
        {value.pythonFunction ? (
          <>
            <p className="muted">
              {t(
                "Python that runs in the sandbox. Its declaration for the model comes from its signature and docstring.",
              )}
            </p>
            <CodeEditor
              label={t("Python code")}
              language="text"
              minLines={16}
              value={value.pythonFunction.pythonCode ?? ""}
              onChange={(pythonCode) => set({ ...value, pythonFunction: { ...value.pythonFunction, pythonCode } })}
            />
          </>
        ) : (
          <JsonMessage label="JSON" value={asJson(value)} onChange={(next) => set({ ...next, name } as ces.Tool)} />
        )}
        <Fake tool={value} onChange={set} />
      </div>
    </Frame>
  );
}

/** Python that answers in place of the tool, in conversations that ask for fakes. */
function Fake({ tool, onChange }: { tool: ces.Tool; onChange: (next: ces.Tool) => void }): ReactNode {
  const fake = tool.toolFakeConfig;
  return (
    <details open={!!fake}>
      <summary>{t("Fake")}</summary>
      <div className="stack">
        <p className="small muted">
          {t("Python that answers in place of the tool, in conversations that ask for fakes: nothing is called then.")}
        </p>
        <CheckField
          label={t("Always answer with the fake")}
          value={fake?.enableFakeMode ?? false}
          onChange={(enableFakeMode) =>
            onChange({ ...tool, toolFakeConfig: { codeBlock: { pythonCode: FAKE }, ...fake, enableFakeMode } })
          }
        />
        {fake && (
          <CodeEditor
            label={t("Python code of the fake")}
            language="text"
            minLines={6}
            value={fake.codeBlock?.pythonCode ?? ""}
            onChange={(pythonCode) => onChange({ ...tool, toolFakeConfig: { ...fake, codeBlock: { pythonCode } } })}
          />
        )}
      </div>
    </details>
  );
}

function Frame(props: {
  name: string;
  title: string;
  kind: string;
  actions: ReactNode;
  callsTools?: boolean;
  children: ReactNode;
}): ReactNode {
  const { name, title } = props;
  const app = upTo(name, "apps");
  const whole = useCurrent();
  const [action, setAction] = useParam("test");
  const actions = useActions(name);
  const panel = useRef<HTMLDivElement>(null);
  useCrumbs({ label: whole?.title ?? "", href: `/${app}` }, { label: t("Tools") }, { label: title });
  function test(): void {
    panel.current?.querySelector<HTMLElement>("select, input, textarea")?.focus();
  }
  useKeys([{ keys: "T", what: t("Test"), run: test }]);
  return (
    <div className="full">
      <header className="page-head">
        <div className="grow row wrap">
          <h1>{title}</h1>
          <Tag tone="tool">{props.kind}</Tag>
        </div>
        <Button onClick={test}>
          {t("Test")} <kbd className="wide-only">T</kbd>
        </Button>
        {props.actions}
      </header>
      <div className="split top-line">
        <div className="split-main">{props.children}</div>
        <aside className="split-side" aria-label={t("Test panel")}>
          {actions.error ? <ErrorNote error={actions.error} onRetry={actions.refetch} /> : null}
          {actions.problems.map((problem, index) => (
            <p key={index} className="note">
              {problem.message}
            </p>
          ))}
          {!actions.actions && !actions.error && <Loading />}
          {!!actions.actions?.length && (
            <TestPanel
              tool={name}
              actions={actions.actions}
              action={action}
              onAction={setAction}
              actionRef={panel}
              callsTools={props.callsTools ?? false}
            />
          )}
        </aside>
      </div>
    </div>
  );
}
