import { type FormEvent, type ReactNode, useState } from "react";
import { call } from "../../api/call";
import { cesApi } from "../../api/generated/methods";
import type { ces } from "../../api/generated/types";
import { asJson, type Json } from "../../api/json";
import { forget } from "../../api/query";
import { plainSchema } from "../../schema-form/ces-schema";
import { kindWord } from "../../schema-form/schema";
import { Button } from "../../ui/button";
import { Confirm, Dialog } from "../../ui/dialog";
import { SelectField, TextField } from "../../ui/field";
import { Empty, ErrorNote } from "../../ui/states";
import { t } from "../../words/words";

const TYPES = ["STRING", "INTEGER", "NUMBER", "BOOLEAN", "OBJECT", "ARRAY"] as const;
type Declaration = ces.App_VariableDeclaration;

/** The variables that an app declares, with the values that conversations begin with. */
export function Variables({ app }: { app: ces.App }): ReactNode {
  const variables = app.variableDeclarations ?? [];
  const [edited, setEdited] = useState<number | null>(null);
  return (
    <section className="gap-top">
      <header className="row">
        <h2 className="grow">{t("Variables")}</h2>
        <Button small onClick={() => setEdited(variables.length)}>
          {t("New variable")}
        </Button>
      </header>
      {variables.length ? (
        <table>
          <thead>
            <tr>
              <th>{t("Name")}</th>
              <th>{t("Type")}</th>
              <th>{t("Default")}</th>
              <th>{t("Description")}</th>
            </tr>
          </thead>
          <tbody>
            {variables.map((variable, index) => {
              const schema = plainSchema(asJson(variable.schema ?? {}));
              return (
                <tr key={variable.name}>
                  <td>
                    <button type="button" className="link mono" onClick={() => setEdited(index)}>
                      {variable.name}
                    </button>
                  </td>
                  <td className="faint">{kindWord(schema, schema)}</td>
                  <td className="mono">{schema["default"] === undefined ? "" : JSON.stringify(schema["default"])}</td>
                  <td className="muted">{variable.description}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      ) : (
        <Empty title={t("No variables yet")} />
      )}
      {edited !== null && <VariableForm app={app} index={edited} onClose={() => setEdited(null)} />}
    </section>
  );
}

function VariableForm({ app, index, onClose }: { app: ces.App; index: number; onClose: () => void }): ReactNode {
  const variables = app.variableDeclarations ?? [];
  const stored: Declaration = variables[index] ?? { schema: { type: "STRING" } };
  const [value, setValue] = useState(stored);
  const [start, setStart] = useState(stored.schema?.default === undefined ? "" : written(stored.schema.default));
  const [error, setError] = useState<unknown>(null);
  const [isAsking, setAsking] = useState(false);
  async function store(next: Declaration[]): Promise<void> {
    try {
      const changed = { name: app.name ?? "", etag: app.etag ?? "", variableDeclarations: next };
      await call(cesApi.updateApp, { app: changed, updateMask: "variableDeclarations" });
      forget(cesApi.getApp);
      onClose();
    } catch (caught) {
      setError(caught);
    }
  }
  function save(event: FormEvent): void {
    event.preventDefault();
    const { default: _old, ...schema } = value.schema ?? {};
    try {
      const read = start === "" ? {} : { default: valueOf(start, schema.type ?? "STRING") };
      const next = [...variables];
      next[index] = { ...value, schema: { ...schema, ...read } };
      void store(next);
    } catch (caught) {
      setError(caught);
    }
  }
  if (isAsking)
    return (
      <Confirm
        title={t("Delete {name}?", { name: stored.name ?? "" })}
        action={t("Delete")}
        onConfirm={() => void store(variables.filter((_, at) => at !== index))}
        onClose={() => setAsking(false)}
      >
        {error ? <ErrorNote error={error} what={t("Not saved.")} /> : null}
        <p>{t("Instructions that name it are left as they are.")}</p>
      </Confirm>
    );
  return (
    <Dialog label={stored.name ? t("Edit {name}", { name: stored.name }) : t("New variable")} onClose={onClose}>
      <form className="stack gap-top" onSubmit={save}>
        <TextField
          label={t("Name")}
          mono
          value={value.name ?? ""}
          onChange={(name) => setValue({ ...value, name })}
          required
        />
        <SelectField
          label={t("Type")}
          value={value.schema?.type ?? "STRING"}
          onChange={(type) => setValue({ ...value, schema: { ...value.schema, type: type as "STRING" } })}
          options={TYPES.map((each) => ({ value: each, label: each.toLowerCase() }))}
        />
        <TextField
          label={t("Default")}
          mono
          value={start}
          onChange={setStart}
          hint={t("What conversations begin with. Text, or JSON where the type is another one.")}
        />
        <TextField
          label={t("Description")}
          value={value.description ?? ""}
          onChange={(description) => setValue({ ...value, description })}
        />
        {error ? <ErrorNote error={error} what={t("Not saved.")} /> : null}
        <div className="dialog-foot">
          {variables[index] && (
            <Button kind="danger" onClick={() => setAsking(true)}>
              {t("Delete")}
            </Button>
          )}
          <span className="grow" />
          <Button kind="quiet" onClick={onClose}>
            {t("Cancel")}
          </Button>
          <Button kind="primary" type="submit" disabled={!value.name?.trim()}>
            {t("Save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function written(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A text as the value of a type. Throws what is wrong with it. */
function valueOf(text: string, type: string): Json {
  if (type === "STRING") return text;
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw new Error(t("The default is no JSON: {why}", { why: String(error) }), { cause: error });
  }
}
