import { IconDownload, IconUpload } from "@tabler/icons-react";
import { type ReactNode, useRef, useState } from "react";
import { call } from "../../api/call";
import { cxApi } from "../../api/generated/methods";
import { asJson, isObject, type JsonObject } from "../../api/json";
import { forget } from "../../api/query";
import { list } from "../../schema-form/schema";
import { Button } from "../../ui/button";
import { download } from "../../ui/code";
import { ErrorNote } from "../../ui/states";
import { count, t } from "../../words/words";
import { finished } from "../agents/operations";
import "../agents/agents.css";

const SHOWN = 200;

interface Report {
  file: string;
  stored: number;
  refused: { title: string; why: string }[];
}

/** The test cases of an agent as a file: taken from it by a click, and brought back by dropping it here. */
export function TestFiles({ agent, title, hasTests }: { agent: string; title: string; hasTests: boolean }): ReactNode {
  const [isOver, setOver] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [reports, setReports] = useState<Report[]>([]);
  const [error, setError] = useState<unknown>(null);
  const picker = useRef<HTMLInputElement>(null);
  async function doing(work: () => Promise<void>): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    setError(null);
    await work().catch(setError);
    setBusy(false);
  }
  const take = (files: FileList | null): Promise<void> =>
    doing(async () => {
      setReports([]);
      for (const file of files ?? []) {
        const report = await imported(agent, file);
        setReports((before) => [...before, report]);
      }
      forget(cxApi.listTestCases, cxApi.calculateCoverage);
    });
  return (
    <section className="gap-top stack" aria-label={t("Test cases as a file")}>
      <div
        className={isOver ? "drop over" : "drop"}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void take(event.dataTransfer.files);
        }}
      >
        <IconUpload size={16} aria-hidden="true" />
        <span className="grow">{t("Drop exported test cases here. None of the agent’s is overwritten.")}</span>
        <Button small disabled={isBusy} onClick={() => picker.current?.click()}>
          {t("Choose a file")}
        </Button>
        {hasTests && (
          <Button
            small
            disabled={isBusy}
            icon={<IconDownload size={15} />}
            onClick={() => void doing(() => exported(agent, title))}
          >
            {t("Export the test cases")}
          </Button>
        )}
        <input
          ref={picker}
          type="file"
          multiple
          accept=".json,.blob"
          hidden
          aria-label={t("Test cases to import")}
          onChange={(event) => {
            void take(event.target.files);
            // The same file can be chosen again, once it is mended.
            event.target.value = "";
          }}
        />
      </div>
      {error ? <ErrorNote error={error} what={t("Not imported.")} /> : null}
      <div role="status" className="stack">
        {reports.map((report, index) => (
          <ImportReport key={index} report={report} />
        ))}
      </div>
    </section>
  );
}

function ImportReport({ report: { file, stored, refused } }: { report: Report }): ReactNode {
  return (
    <div className="card pad stack">
      <p>
        <b>{file}</b>: {count(stored, "{n} test case is stored", "{n} test cases are stored")}
        {refused.length > 0 && `, ${count(refused.length, "{n} is not", "{n} are not")}`}.
      </p>
      <ul className="stack">
        {refused.slice(0, SHOWN).map(({ title, why }, index) => (
          <li key={index} className="small">
            <b>{title || t("without a name")}</b> <span className="bad-text">{why}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

async function imported(agent: string, file: File): Promise<Report> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const done = await finished(await call(cxApi.importTestCases, { parent: agent, content: base64(bytes) }));
  const { response, metadata } = asJson(done);
  return {
    file: file.name,
    stored: list(isObject(response) ? response["names"] : []).length,
    refused: list(isObject(metadata) ? metadata["errors"] : [])
      .filter(isObject)
      .map(refusalOf),
  };
}

function refusalOf({ testCase, status }: JsonObject): { title: string; why: string } {
  return {
    title: String((isObject(testCase) && testCase["displayName"]) || ""),
    why: String((isObject(status) && status["message"]) || ""),
  };
}

/** In pieces: a call takes no more arguments than some ten thousand. */
function base64(bytes: Uint8Array): string {
  const PIECE = 8192;
  let text = "";
  for (let at = 0; at < bytes.length; at += PIECE) text += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  return btoa(text);
}

async function exported(agent: string, title: string): Promise<void> {
  const done = await finished(await call(cxApi.exportTestCases, { parent: agent, dataFormat: "JSON" }));
  const content = isObject(done.response) ? String(done.response["content"] ?? "") : "";
  const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
  download(new Blob([bytes], { type: "application/json" }), `${title || "agent"} test cases.json`);
}
