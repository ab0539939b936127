import { type ReactNode, useState } from "react";
import { stream } from "../../api/call";
import { opApi } from "../../api/generated/methods";
import type { op } from "../../api/generated/types";
import type { ViewProps } from "../../routes";
import { useCrumbs } from "../../shell/crumbs";
import { useCurrent } from "../../shell/current-agent";
import { Button } from "../../ui/button";
import { SelectField } from "../../ui/field";
import { ErrorNote, Tag } from "../../ui/states";
import { useRpc } from "../../api/query";
import { t } from "../../words/words";
import { ReplayResult } from "../conversations/replay-dialog";
import { ExamplesCheck } from "./examples-check";

const MOST_FILES = 100;

/** Recordings of conversations with an app, as files, replayed with the app as it is now. */
export function AppTests({ name }: ViewProps): ReactNode {
  const whole = useCurrent();
  useCrumbs({ label: whole?.title ?? "", href: `/${name}` }, { label: t("Tests") });
  const info = useRpc(opApi.getServerInfo, {});
  const [tests, setTests] = useState<{ id: string; recording: string }[]>([]);
  const [model, setModel] = useState("");
  const [results, setResults] = useState<op.ReplayTestsResponse[]>([]);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  async function take(files: FileList | null): Promise<void> {
    const chosen = [...(files ?? [])].slice(0, MOST_FILES);
    setResults([]);
    setTests(await Promise.all(chosen.map(async (file) => ({ id: file.name, recording: await file.text() }))));
  }
  async function run(): Promise<void> {
    setBusy(true);
    setError(null);
    setResults([]);
    try {
      for await (const result of stream(opApi.replayTests, { agent: name, tests, model }))
        setResults((before) => [...before, result]);
    } catch (caught) {
      setError(caught);
    } finally {
      setBusy(false);
    }
  }
  return (
    <div className="page">
      <header className="page-head">
        <div className="grow">
          <h1>{t("Tests")}</h1>
          <p>{t("Recordings of conversations, replayed with the app as it is now. A run calls no service.")}</p>
        </div>
      </header>
      <div className="stack">
        <p className="muted">
          {t(
            "A past conversation has “Download the recording”. Evaluations are kept with the app; recordings are your own files.",
          )}
        </p>
        <input
          type="file"
          multiple
          accept=".yaml,.yml"
          className="input"
          aria-label={t("Recordings to run")}
          onChange={(event) => void take(event.target.files)}
        />
        <SelectField
          label={t("Model")}
          value={model}
          onChange={setModel}
          none={t("the recorded decisions")}
          options={(info.data?.models ?? []).map((each) => ({ value: each.name ?? "", label: each.name ?? "" }))}
        />
        <div>
          <Button kind="primary" disabled={!tests.length || isBusy} onClick={() => void run()}>
            {isBusy ? t("Running {n} of {all}…", { n: results.length + 1, all: tests.length }) : t("Run all")}
          </Button>
        </div>
        {error ? <ErrorNote error={error} /> : null}
        <ol className="stack" aria-live="polite">
          {results.map((result) => (
            <li key={result.id} className="card pad stack">
              <p className="row">
                <b className="grow">{result.title || result.id}</b>
                {result.outcome === "SAME" ? <Tag tone="good">{t("passed")}</Tag> : <Tag tone="bad">{t("failed")}</Tag>}
              </p>
              <ReplayResult result={result} />
            </li>
          ))}
        </ol>
        <hr />
        <ExamplesCheck parent={name} />
      </div>
    </div>
  );
}
