import { type ReactNode, useState } from "react";
import { call } from "../../api/call";
import { deApi } from "../../api/generated/methods";
import type { de } from "../../api/generated/types";
import { asJson, isObject } from "../../api/json";
import { cache, forget } from "../../api/query";
import { Button } from "../../ui/button";
import { TextField } from "../../ui/field";
import { ErrorNote } from "../../ui/states";
import { count, t } from "../../words/words";
import { finished } from "../agents/operations";
import { ImportProgress, type ImportState, importState } from "./progress";

const MOST_FILES = 100;

/** Files of this computer, records as JSON lines, or the address of a site. */
export function Ingestion({ store }: { store: de.DataStore }): ReactNode {
  const name = store.name ?? "";
  if (store.contentConfig === "PUBLIC_WEBSITE") return <Sites store={name} />;
  return <Files store={name} isStructured={store.contentConfig === "NO_CONTENT"} />;
}

function Files({ store, isStructured }: { store: string; isStructured: boolean }): ReactNode {
  const [documents, setDocuments] = useState<de.Document[]>([]);
  const [error, setError] = useState<unknown>(null);
  const [progress, setProgress] = useState<ImportState | null>(null);
  const [isBusy, setBusy] = useState(false);
  async function take(files: FileList | null): Promise<void> {
    setError(null);
    setProgress(null);
    try {
      const read = await Promise.all(
        [...(files ?? [])].slice(0, MOST_FILES).map((file) => documentsIn(file, isStructured)),
      );
      setDocuments(read.flat());
    } catch (caught) {
      setError(caught);
    }
  }
  async function ingest(): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      const operation = await call(deApi.importDocuments, {
        parent: `${store}/branches/default_branch`,
        inlineSource: { documents },
        reconciliationMode: "INCREMENTAL",
      });
      const begun = performance.now();
      const seconds = (): number => (performance.now() - begun) / 1000;
      const done = asJson(await finished(operation, (now) => setProgress(importState(now.metadata ?? {}, seconds()))));
      const [metadata, response] = [done["metadata"], done["response"]];
      setProgress(importState(isObject(metadata) ? metadata : {}, seconds(), isObject(response) ? response : {}));
      forget(deApi.getDataStore, deApi.listDataStores, deApi.getSchema);
      void cache.invalidateQueries({ queryKey: ["documents", store] });
    } catch (caught) {
      setError(caught);
    } finally {
      setBusy(false);
    }
  }
  return (
    <div className="stack">
      <p className="muted">
        {isStructured
          ? t("JSON lines, one record a line; a member id names it.")
          : t("Text, Markdown, HTML, PDF, Word, PowerPoint: each file is a document.")}
      </p>
      <input
        type="file"
        multiple
        className="input"
        aria-label={t("Files to add")}
        onChange={(event) => void take(event.target.files)}
      />
      <div className="row">
        <Button kind="primary" disabled={!documents.length || isBusy} onClick={() => void ingest()}>
          {isBusy ? t("adding…") : t("Add")}
        </Button>
        {!!documents.length && (
          <span className="small faint">{count(documents.length, "{n} document", "{n} documents")}</span>
        )}
      </div>
      {progress && <ImportProgress state={progress} />}
      {error ? <ErrorNote error={error} what={t("Not added.")} /> : null}
    </div>
  );
}

async function documentsIn(file: File, isStructured: boolean): Promise<de.Document[]> {
  const id = (name: string): string => name.replaceAll(/[^A-Za-z0-9_-]+/g, "-").slice(0, 120);
  if (!isStructured) {
    const rawBytes = await base64(file);
    return [{ id: id(file.name), structData: { uri: file.name }, content: { mimeType: mediaType(file), rawBytes } }];
  }
  const lines = (await file.text()).split("\n").filter((line) => line.trim());
  return lines.map((line, index) => {
    let parsed: unknown;
    try {
      parsed = JSON.parse(line);
    } catch (error) {
      throw new Error(t("{file}, line {n}: {why}", { file: file.name, n: index + 1, why: String(error) }), {
        cause: error,
      });
    }
    const record = isObject(parsed) ? parsed : {};
    return { id: id(String(record["id"] ?? `${file.name}-${index + 1}`)), structData: record };
  });
}

const TYPES: Record<string, string> = {
  md: "text/markdown",
  txt: "text/plain",
  html: "text/html",
  pdf: "application/pdf",
};

function mediaType(file: File): string {
  return TYPES[file.name.split(".").at(-1)?.toLowerCase() ?? ""] ?? (file.type || "text/plain");
}

async function base64(file: Blob): Promise<string> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(String(reader.result)));
    reader.addEventListener("error", () => reject(new Error(t("The file cannot be read."))));
    reader.readAsDataURL(file);
  });
  return url.replace(/^[^,]*,/, "");
}

function Sites({ store }: { store: string }): ReactNode {
  const [pattern, setPattern] = useState("");
  const [error, setError] = useState<unknown>(null);
  const [done, setDone] = useState("");
  async function add(): Promise<void> {
    setError(null);
    try {
      const parent = `${store}/siteSearchEngine`;
      const targetSite = { providedUriPattern: pattern, type: "INCLUDE" as const };
      await finished(await call(deApi.createTargetSite, { parent, targetSite }));
      setDone(pattern);
    } catch (caught) {
      setError(caught);
    }
  }
  return (
    <div className="stack">
      <TextField
        label={t("Pages")}
        value={pattern}
        onChange={setPattern}
        placeholder="www.example.com/help/*"
        hint={t("The site is read at the pace that its robots.txt allows.")}
      />
      <div>
        <Button kind="primary" disabled={!pattern.trim()} onClick={() => void add()}>
          {t("Add")}
        </Button>
      </div>
      {done && <p className="note good">{t("{site} is added and being read.", { site: done })}</p>}
      {error ? <ErrorNote error={error} /> : null}
    </div>
  );
}
