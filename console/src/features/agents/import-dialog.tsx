import { type ReactNode, useEffect, useState } from "react";
import { useLocation } from "wouter";
import { call } from "../../api/call";
import { cesApi, cxApi, opApi } from "../../api/generated/methods";
import type { op } from "../../api/generated/types";
import { isObject, type JsonObject } from "../../api/json";
import { forget } from "../../api/query";
import { list } from "../../schema-form/schema";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { TextField } from "../../ui/field";
import { ErrorNote, Tag, type Tone } from "../../ui/states";
import { bytes } from "../../words/format";
import { t } from "../../words/words";
import { takeOffered } from "./offered-file";
import { finished } from "./operations";

const LOCATION = "projects/default/locations/global";

interface Imported {
  name: string;
  verdicts: JsonObject[];
  warnings: string[];
}

/** An export, looked into before anything is stored; afterwards what of it runs. */
export function ImportDialog({ onClose }: { onClose: () => void }): ReactNode {
  const [file, setFile] = useState<File | null>(takeOffered);
  const [contents, setContents] = useState<op.PreviewImportResponse | null>(null);
  const [title, setTitle] = useState("");
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const [done, setDone] = useState<Imported | null>(null);
  const [, navigate] = useLocation();
  useEffect(() => {
    setContents(null);
    setError(null);
    if (!file) return;
    setTitle(file.name.replace(/\.(zip|blob|json)$/i, ""));
    base64(file)
      .then((content) => call(opApi.previewImport, { parent: LOCATION, content }))
      .then((preview) => {
        setContents(preview);
        if (preview.displayName) setTitle(preview.displayName);
      }, setError);
  }, [file]);
  async function store(): Promise<void> {
    if (!file || !contents) return;
    setBusy(true);
    setError(null);
    try {
      setDone(contents.format === "app" ? await importApp(file, title) : await importAgent(file, title));
      forget(cxApi.listAgents, cesApi.listApps);
    } catch (caught) {
      setError(caught);
    } finally {
      setBusy(false);
    }
  }
  return (
    <Dialog label={t("Import an agent or app")} onClose={onClose}>
      <div className="stack gap-top">
        {!done && (
          <input
            type="file"
            className="input"
            accept=".zip,.blob"
            aria-label={t("Export to import")}
            onChange={(event) => setFile(event.target.files?.[0] ?? null)}
          />
        )}
        {contents && !done && (
          <>
            <Report contents={contents} size={file?.size ?? 0} />
            <TextField label={t("Name of the new agent")} value={title} onChange={setTitle} />
          </>
        )}
        {done && <Done done={done} />}
        {error ? <ErrorNote error={error} what={t("Nothing was imported.")} /> : null}
      </div>
      <div className="dialog-foot">
        <Button kind="quiet" onClick={onClose}>
          {done ? t("Close") : t("Cancel")}
        </Button>
        {done ? (
          <Button kind="primary" onClick={() => navigate(`/${done.name}`)}>
            {t("Open it")}
          </Button>
        ) : (
          <Button kind="primary" disabled={!contents || isBusy} onClick={() => void store()}>
            {isBusy ? t("importing…") : t("Import")}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

const NOTES: Record<string, Tone> = { PROBLEM: "bad", MISSING_FILE: "bad", MISSING_SECRET: "retrieval" };

function Report({ contents, size }: { contents: op.PreviewImportResponse; size: number }): ReactNode {
  const notes = contents.notes ?? [];
  return (
    <section className="stack" aria-label={t("What is in it")}>
      <p>
        <b>{contents.format === "app" ? t("An app of CX Agent Studio") : t("An agent of Dialogflow CX")}</b>{" "}
        <span className="faint">{bytes(size)}</span>
      </p>
      <div className="row wrap">
        {Object.entries(contents.counts ?? {}).map(([word, n]) => (
          <Tag key={word}>
            {n} {t(word)}
          </Tag>
        ))}
      </div>
      <Verdicts verdicts={contents.playbooks ?? []} />
      {notes.length > 0 && (
        <ul className="notes" aria-label={t("Remarks")}>
          {notes.map((note, index) => (
            <li key={index}>
              <Tag tone={NOTES[note.kind ?? ""] ?? "plain"}>{(note.kind ?? "").replaceAll("_", " ").toLowerCase()}</Tag>{" "}
              {note.message} <span className="small faint mono">{note.place}</span>
              {note.remedy && <code className="small"> {note.remedy}</code>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const VERDICTS: Record<string, { tone: Tone; label: string }> = {
  RUNS: { tone: "good", label: "runs" },
  NEEDS_MODEL: { tone: "retrieval", label: "needs a language model" },
};

function Verdicts({ verdicts }: { verdicts: JsonObject[] }): ReactNode {
  return verdicts.map((each, index) => {
    const verdict = VERDICTS[String(each["verdict"])] ?? { tone: "bad" as const, label: String(each["verdict"]) };
    const { displayName, verdict: _verdict, playbook: _playbook, agent: _agent, ...rest } = each;
    return (
      <div key={index}>
        <b>{String(displayName ?? "")}</b> <Tag tone={verdict.tone}>{t(verdict.label)}</Tag>
        {Object.entries(rest).map(([key, value]) => (
          <p key={key} className="small muted">
            {spaced(key)}: {list(value).map(String).join(", ") || String(value)}
          </p>
        ))}
      </div>
    );
  });
}

function Done({ done }: { done: Imported }): ReactNode {
  return (
    <section className="stack" aria-label={t("What runs")}>
      <p className="note good">{t("Imported.")}</p>
      <Verdicts verdicts={done.verdicts} />
      {done.warnings.map((warning) => (
        <p key={warning} className="note">
          {warning}
        </p>
      ))}
    </section>
  );
}

function spaced(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

async function importAgent(file: File, displayName: string): Promise<Imported> {
  const agent = await call(cxApi.createAgent, {
    parent: LOCATION,
    agent: { displayName, defaultLanguageCode: "en", timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone },
  });
  const name = agent.name ?? "";
  try {
    const operation = await finished(await call(cxApi.restoreAgent, { name, agentContent: await base64(file) }));
    // The package brings the name that it was exported under.
    await call(cxApi.updateAgent, { agent: { name, displayName }, updateMask: "displayName" });
    return { name, ...reportOf(operation.metadata) };
  } catch (error) {
    await call(cxApi.deleteAgent, { name });
    throw error;
  }
}

async function importApp(file: File, displayName: string): Promise<Imported> {
  const operation = await finished(
    await call(cesApi.importApp, { parent: LOCATION, displayName, appContent: await base64(file) }),
  );
  const response = operation.response as { name?: string; warnings?: string[] } | undefined;
  return { ...reportOf(operation.metadata), name: response?.name ?? "", warnings: response?.warnings ?? [] };
}

function reportOf(metadata: unknown): { verdicts: JsonObject[]; warnings: string[] } {
  const value = isObject(metadata) && isObject(metadata["value"]) ? metadata["value"] : {};
  const verdicts = [...list(value["playbooks"]), ...list(value["agents"])].filter(isObject);
  return { verdicts, warnings: list(value["warnings"]).map(String) };
}

async function base64(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(String(reader.result).replace(/^[^,]*,/, "")));
    reader.addEventListener("error", () => reject(new Error("The file cannot be read.")));
    reader.readAsDataURL(file);
  });
}
