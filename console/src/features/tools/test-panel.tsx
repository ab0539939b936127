import { IconPlayerPlay, IconX } from "@tabler/icons-react";
import { type ReactNode, type Ref, useMemo, useState } from "react";
import { ApiError } from "../../api/errors";
import { isObject, type JsonObject, parsedObject } from "../../api/json";
import { upTo } from "../../api/names";
import { SchemaForm, useForm } from "../../schema-form/schema-form";
import { list, starting } from "../../schema-form/schema";
import type { Problems } from "../../schema-form/validate";
import { Button, IconButton } from "../../ui/button";
import { JsonView } from "../../ui/code";
import { TextField } from "../../ui/field";
import { ErrorNote, Tag } from "../../ui/states";
import { Tabs } from "../../ui/tabs";
import { tookAway } from "../../ui/toast";
import { duration } from "../../words/format";
import { t } from "../../words/words";
import { type Mocks, mockConfigOf, MocksForm, NO_MOCKS } from "../apps/mocks";
import { ActionSelect } from "./action-select";
import { type ActionName, type ToolAction, useAction } from "./actions";
import { Exchange } from "./exchange";
import { executed, type TrialResult } from "./execution";
import { savedInputs, useSavedInputs } from "./saved-inputs";

export interface Tried {
  result: TrialResult;
  ms: number;
}

/** Try one action: a form of what the model would send, then what was sent and what came back. */
export function TestPanel(props: {
  tool: string;
  actions: ActionName[];
  /** The tool as it is edited, where that is not what is stored. */
  draft?: JsonObject | undefined;
  action: string;
  onAction: (name: string) => void;
  start?: JsonObject | undefined;
  actionRef?: Ref<HTMLDivElement>;
  /** Whether it is code that calls other tools of its app. */
  callsTools?: boolean;
  /** Where an example takes the output over. */
  onUse?: (action: string, input: JsonObject, output: JsonObject) => void;
}): ReactNode {
  const { actions } = props;
  const named = actions.find(({ name }) => name === props.action) ?? actions[0];
  const { action, error } = useAction(props.tool, named?.name ?? "", props.draft);
  return (
    <div className="test-panel" ref={props.actionRef} tabIndex={-1}>
      <h2>{t("Test")}</h2>
      <ActionSelect actions={actions} chosen={named} onChange={props.onAction} />
      {named?.description && <p className="small muted">{named.description}</p>}
      {error ? <ErrorNote error={error} /> : null}
      {action && <Trial key={action.name} {...props} chosen={action} />}
    </div>
  );
}

function Trial(props: {
  tool: string;
  draft?: JsonObject | undefined;
  chosen: ToolAction;
  start?: JsonObject | undefined;
  callsTools?: boolean;
  onUse?: (action: string, input: JsonObject, output: JsonObject) => void;
}): ReactNode {
  const { chosen, tool } = props;
  const first = useMemo(() => {
    const begun = starting(chosen.input, chosen.input);
    return props.start ?? (isObject(begun) ? begun : {});
  }, [chosen.input, props.start]);
  const form = useForm(chosen.input, first);
  const [touched, setTouched] = useState(false);
  const [parameters, setParameters] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [tried, setTried] = useState<Tried | null>(null);
  const saved = useSavedInputs(tool, chosen.name);
  const [mocks, setMocks] = useState<Mocks>(NO_MOCKS);
  const session = parsedObject(parameters);
  const mockConfig = mockConfigOf(mocks);

  async function viewOutput(): Promise<void> {
    setTouched(true);
    if (form.problems.size || form.broken !== null || session === null || mockConfig === null) return;
    setBusy(true);
    setError(null);
    const begun = performance.now();
    try {
      const result = await executed({
        tool,
        action: chosen.name,
        input: form.value,
        parameters: session,
        draft: props.draft,
        mockConfig,
      });
      setTried({ result, ms: performance.now() - begun });
    } catch (caught) {
      setTried(null);
      setError(caught);
    } finally {
      setBusy(false);
    }
  }
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void viewOutput();
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void viewOutput();
      }}
    >
      <SchemaForm
        schema={chosen.input}
        form={form}
        touched={touched}
        label={t("Input")}
        serverProblems={violations(error)}
      />
      {chosen.filled.length > 0 && (
        <p className="note plain small">
          <span>
            <code>{chosen.filled.join(", ")}</code> {t("is filled in by the server; the model never sees it.")}
          </span>
        </p>
      )}
      <details>
        <summary className="small muted">{t("Session parameters")}</summary>
        <TextField
          label={t("Session parameters as JSON")}
          value={parameters}
          onChange={setParameters}
          rows={3}
          mono
          placeholder='{"customer_id": 7}'
          wrong={session === null ? t("This is not a JSON object.") : undefined}
        />
      </details>
      {props.callsTools && <MocksForm app={upTo(tool, "apps")} value={mocks} onChange={setMocks} />}
      {!!saved.length && (
        <div className="row wrap">
          <span className="small faint">{t("Kept inputs")}</span>
          {saved.map((input, index) => (
            <span key={index} className="kept">
              <button type="button" className="chip" onClick={() => form.set(input)}>
                {JSON.stringify(input).slice(0, 40)}
              </button>
              <IconButton
                small
                label={t("Forget this input")}
                icon={<IconX size={13} />}
                onClick={() => {
                  savedInputs.drop(tool, chosen.name, index);
                  tookAway(t("The input is forgotten."), () => savedInputs.add(tool, chosen.name, input));
                }}
              />
            </span>
          ))}
        </div>
      )}
      <div className="row wrap">
        <Button
          kind="primary"
          type="submit"
          disabled={isBusy || mockConfig === null}
          icon={<IconPlayerPlay size={15} />}
        >
          {t("View Output")}
        </Button>
        <Button kind="quiet" onClick={() => savedInputs.add(tool, chosen.name, form.value)}>
          {t("Keep this input")}
        </Button>
        {isBusy && <span className="small faint">{t("running")}</span>}
        {chosen.client && (
          <span className="small muted">{t("The client runs it: the server only checks the input.")}</span>
        )}
      </div>
      {error ? <ErrorNote error={error} /> : null}
      {tried && (
        <Output
          tried={tried}
          {...(props.onUse ? { onUse: (output) => props.onUse?.(chosen.name, form.value, output) } : {})}
        />
      )}
    </form>
  );
}

/** What the server found wrong, at its fields: `inputParameters.a.b` is `/a/b`. */
export function violations(error: unknown): Problems {
  const found = new Map<string, string>();
  if (!(error instanceof ApiError)) return found;
  for (const detail of error.details)
    for (const violation of isObject(detail) ? list(detail["fieldViolations"]) : []) {
      if (!isObject(violation)) continue;
      const path = String(violation["field"] ?? "").replace(/^input(_p|P)arameters\.?/, "");
      if (path !== violation["field"])
        found.set(
          path && `/${path.replaceAll(/[.[]/g, "/").replaceAll("]", "")}`,
          String(violation["description"] ?? ""),
        );
    }
  return found;
}

function Output({ tried, onUse }: { tried: Tried; onUse?: (output: JsonObject) => void }): ReactNode {
  const [view, setView] = useState("output");
  const { result, ms } = tried;
  const { exchanges } = result;
  const status = exchanges.at(-1)?.status ?? 0;
  return (
    <section className="output appear" aria-label={t("Output")} aria-live="polite">
      <div className="row wrap">
        <h2>{t("Output")}</h2>
        {result.error ? <Tag tone="bad">{result.error.code}</Tag> : status > 0 && <Tag tone="good">{status}</Tag>}
        <span className="small faint num">{duration(ms)}</span>
        <span className="grow" />
        <Tabs
          segmented
          label={t("What to show of the output")}
          at={view}
          onChange={setView}
          tabs={[
            { id: "output", label: t("Output") },
            { id: "sent", label: t("As sent"), note: exchanges.length > 1 ? exchanges.length : "" },
          ]}
        />
      </div>
      {view === "sent" ? (
        exchanges.length ? (
          exchanges.map((exchange, index) => <Exchange key={index} exchange={exchange} />)
        ) : (
          <p className="small muted">{t("Nothing was sent to another system.")}</p>
        )
      ) : (
        <>
          {result.error && <ErrorNote error={new Error(result.error.message)} />}
          {result.note && <p className="note">{result.note}</p>}
          {result.output && <JsonView value={result.output} label={t("Output")} />}
          {result.errorOutput !== undefined && <JsonView value={result.errorOutput} label={t("Output of the error")} />}
        </>
      )}
      {onUse && result.output && (
        <Button kind="primary" onClick={() => onUse(result.output ?? {})}>
          {t("Use this output")}
        </Button>
      )}
    </section>
  );
}
