import { type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import { call } from "../../api/call";
import { cesApi } from "../../api/generated/methods";
import type { ces } from "../../api/generated/types";
import { lastPart, upTo } from "../../api/names";
import { useRpc } from "../../api/query";
import { SaveButtons, useDraft } from "../../draft/draft";
import type { ViewProps } from "../../routes";
import { useParam } from "../../shell/address";
import { useCrumbs } from "../../shell/crumbs";
import { useCurrent } from "../../shell/current-agent";
import { useKeys } from "../../shell/keys";
import { Button } from "../../ui/button";
import { SelectField, TextField } from "../../ui/field";
import { ErrorNote, Loaded, Tag } from "../../ui/states";
import { undoable } from "../../ui/toast";
import { exact } from "../../words/format";
import { t } from "../../words/words";
import { GoldenEditor } from "./golden-editor";
import { GoldenTurns } from "./golden-turns";
import { ResultMarks, ResultTag } from "./outcome";
import { forgetResults, startRun } from "./runs";
import "./evaluations.css";

const RESULTS = 1000;
const MARKS = 10;

/** One evaluation: what is said and expected, its results over time, and each of them turn by turn. */
export function EvaluationPage({ name }: ViewProps): ReactNode {
  const evaluation = useRpc(cesApi.getEvaluation, { name });
  return <Loaded query={evaluation}>{(data) => <Page key={name} evaluation={data} />}</Loaded>;
}

function Page({ evaluation }: { evaluation: ces.Evaluation }): ReactNode {
  const name = evaluation.name ?? "";
  const app = upTo(name, "apps");
  const [, navigate] = useLocation();
  const results = useRpc(cesApi.listEvaluationResults, { parent: name, pageSize: RESULTS });
  const latest = (results.data?.evaluationResults ?? []).toReversed();
  const [isEditing, setEditing] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const whole = useCurrent();
  useCrumbs(
    { label: whole?.title ?? "", href: `/${app}` },
    { label: t("Evaluations"), href: `/${app}/evaluations` },
    { label: evaluation.displayName ?? "" },
  );
  async function run(): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    setError(null);
    const ended = (why: unknown): void => {
      setError(why);
      setBusy(false);
    };
    await startRun(app, { evaluations: [name], times: 1, hasFakes: false }, ended).catch(ended);
  }
  function remove(): void {
    navigate(`/${app}/evaluations`);
    undoable(
      name,
      t("The evaluation is deleted."),
      (keepalive) => call(cesApi.deleteEvaluation, { name, force: true }, { keepalive }).finally(forgetResults),
      () => navigate(`/${name}`),
    );
  }
  useKeys([{ keys: "R", what: t("Run the evaluation"), run: () => void run() }]);
  return (
    <div className="page">
      <header className="page-head">
        <div className="grow stack">
          <h1>{evaluation.displayName}</h1>
          <div className="row wrap">
            <ResultTag result={latest[0]} /> <ResultMarks results={latest.slice(0, MARKS)} />
          </div>
        </div>
        {evaluation.golden && (
          <Button onClick={() => setEditing(!isEditing)}>{isEditing ? t("Read") : t("Edit")}</Button>
        )}
        <Button kind="danger" onClick={remove}>
          {t("Delete")}
        </Button>
        <Button kind="primary" disabled={isBusy} onClick={() => void run()}>
          {isBusy ? t("runs…") : t("Run")}
        </Button>
      </header>
      {error ? <ErrorNote error={error} /> : null}
      {evaluation.invalid && <p className="note bad">{t("It names a tool or an agent that the app no longer has.")}</p>}
      {isEditing ? <Editor evaluation={evaluation} /> : <Results evaluation={evaluation} results={latest} />}
    </div>
  );
}

function Results(props: { evaluation: ces.Evaluation; results: ces.EvaluationResult[] }): ReactNode {
  const { evaluation, results } = props;
  const agents = useChoices(upTo(evaluation.name ?? "", "apps")).agents;
  const [chosen, setChosen] = useParam("result");
  const result = results.find(({ name }) => lastPart(name ?? "") === chosen) ?? results[0];
  const isOlder = result && Date.parse(result.createTime ?? "") < Date.parse(evaluation.updateTime ?? "");
  return (
    <div className="stack">
      {evaluation.description && <p className="muted">{evaluation.description}</p>}
      {results.length > 1 && (
        <SelectField
          label={t("Result")}
          value={lastPart(result?.name ?? "")}
          options={results.map((each) => ({
            value: lastPart(each.name ?? ""),
            label: `${exact(each.createTime)} · ${wordFor(each)}`,
          }))}
          onChange={setChosen}
        />
      )}
      {isOlder && <p className="note">{t("The evaluation was changed after this result.")}</p>}
      {result?.errorInfo && <p className="note bad">{result.errorInfo.errorMessage}</p>}
      {evaluation.golden ? (
        <GoldenTurns
          turns={evaluation.golden.turns ?? []}
          result={result}
          agents={new Map(agents.map(({ value, label }) => [value, label]))}
        />
      ) : (
        <p>{evaluation.scenario?.task}</p>
      )}
    </div>
  );
}

function wordFor(result: ces.EvaluationResult): string {
  if (result.executionState === "ERROR") return t("error");
  return result.evaluationStatus === "PASS" ? t("passed") : t("failed");
}

type Edited = Pick<ces.Evaluation, "name" | "displayName" | "description" | "golden">;

/** What is edited: not what runs add to it, which is no edit of somebody else's. */
function edited({ name = "", displayName = "", description = "", golden = {} }: ces.Evaluation): Edited {
  return { name, displayName, description, golden };
}

function Editor({ evaluation }: { evaluation: ces.Evaluation }): ReactNode {
  const name = evaluation.name ?? "";
  const choices = useChoices(upTo(name, "apps"));
  const draft = useDraft<Edited>(name, edited(evaluation), {
    read: async () => edited(await call(cesApi.getEvaluation, { name })),
    write: async (next) => {
      const saved = await call(cesApi.updateEvaluation, {
        evaluation: next,
        updateMask: "displayName,description,golden",
      });
      forgetResults();
      return edited(saved);
    },
  });
  const { value, set } = draft;
  return (
    <div className="stack">
      <div className="row wrap">
        <span className="grow">{draft.isChanged && <Tag tone="retrieval">{t("not saved")}</Tag>}</span>
        <SaveButtons draft={draft} />
      </div>
      {draft.error ? <ErrorNote error={draft.error} what={t("Not saved.")} /> : null}
      <TextField
        label={t("Name")}
        value={value.displayName ?? ""}
        onChange={(displayName) => set({ ...value, displayName })}
      />
      <TextField
        label={t("Description")}
        value={value.description ?? ""}
        onChange={(description) => set({ ...value, description })}
      />
      <GoldenEditor
        turns={value.golden?.turns ?? []}
        choices={choices}
        onChange={(turns) => set({ ...value, golden: { ...value.golden, turns } })}
      />
    </div>
  );
}

/** The tools and agents of an app, for pickers. */
function useChoices(app: string): {
  tools: { value: string; label: string }[];
  agents: { value: string; label: string }[];
} {
  const tools = useRpc(cesApi.listTools, { parent: app, pageSize: 500 }).data?.tools ?? [];
  const toolsets = useRpc(cesApi.listToolsets, { parent: app, pageSize: 500 }).data?.toolsets ?? [];
  const agents = useRpc(cesApi.listAgents, { parent: app, pageSize: 500 }).data?.agents ?? [];
  const choice = ({ name = "", displayName }: { name?: string; displayName?: string }) => ({
    value: name,
    label: displayName || lastPart(name),
  });
  return { tools: [...tools, ...toolsets].map(choice), agents: agents.map(choice) };
}
