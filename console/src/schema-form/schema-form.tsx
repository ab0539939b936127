import { type ReactNode, useMemo, useState } from "react";
import { isObject, type Json, type JsonObject } from "../api/json";
import { sentence } from "../api/errors";
import { Tabs } from "../ui/tabs";
import { t } from "../words/words";
import { kindOf, resolved, type Schema } from "./schema";
import { ObjectMembers, SchemaField } from "./schema-field";
import { NO_PROBLEMS, type Problems, problemsOf } from "./validate";
import "./schema-form.css";

export interface FormState {
  value: JsonObject;
  /** Text of the JSON view while it is no JSON; it is kept, and never sent. */
  broken: string | null;
  /** What the form found wrong with the value. */
  problems: Problems;
}

/** The value of a form, and of its JSON view: one object with two views. */
export function useForm(
  schema: Schema,
  start: JsonObject,
): FormState & { set: (value: JsonObject) => void; setText: (text: string) => void } {
  const [value, setValue] = useState<JsonObject>(start);
  const [broken, setBroken] = useState<string | null>(null);
  const problems = useMemo(() => problemsOf(schema, value), [schema, value]);
  return {
    value,
    broken,
    problems,
    set: (next) => {
      setValue(next);
      setBroken(null);
    },
    setText: (text) => {
      try {
        const parsed: unknown = JSON.parse(text || "{}");
        if (!isObject(parsed)) throw new Error(t("The input is an object: { … }."));
        setValue(parsed);
        setBroken(null);
      } catch {
        setBroken(text);
      }
    },
  };
}

/** Form and JSON of one value, in sync. Problems are shown at their field once `touched`. */
export function SchemaForm(props: {
  schema: Schema;
  form: ReturnType<typeof useForm>;
  touched: boolean;
  label: string;
  /** What the server found, by pointer; shown where the form itself found nothing. */
  serverProblems?: Problems;
}): ReactNode {
  const { schema, form } = props;
  const [view, setView] = useState("form");
  const problems = useMemo(
    () => (props.touched ? new Map([...(props.serverProblems ?? NO_PROBLEMS), ...form.problems]) : NO_PROBLEMS),
    [props.touched, props.serverProblems, form.problems],
  );
  const isObjectSchema = ["object", "map"].includes(kindOf(resolved(schema, schema)));
  return (
    <div className="schema-form">
      <div className="row form-head">
        <h3 className="grow">{props.label}</h3>
        <Tabs
          segmented
          label={t("How to show the input")}
          at={view}
          onChange={setView}
          tabs={[
            { id: "form", label: t("Form") },
            { id: "json", label: "JSON" },
          ]}
        />
      </div>
      {view === "json" ? (
        <JsonView form={form} />
      ) : isObjectSchema ? (
        <ObjectMembers
          schema={schema}
          root={schema}
          path={[]}
          value={form.value}
          onChange={(next) => form.set(next as JsonObject)}
          problems={problems}
        />
      ) : (
        <SchemaField
          schema={schema}
          root={schema}
          name={t("Value")}
          path={[]}
          value={form.value as Json}
          onChange={(next) => form.set((next ?? {}) as JsonObject)}
          problems={problems}
        />
      )}
      {view === "form" && form.broken !== null && (
        <p className="wrong small">{t("The JSON does not parse; the form shows the last value that did.")}</p>
      )}
      {problems.size > 0 && problems.get("") && <p className="wrong small">{problems.get("")}</p>}
    </div>
  );
}

function JsonView({ form }: { form: ReturnType<typeof useForm> }): ReactNode {
  const text = JSON.stringify(form.value, null, 2);
  const [typed, setTyped] = useState(text);
  const shown = form.broken ?? (same(typed, form.value) ? typed : text);
  return (
    <>
      <textarea
        className="input mono"
        aria-label={t("Input as JSON")}
        rows={Math.min(24, Math.max(8, shown.split("\n").length + 1))}
        spellCheck={false}
        value={shown}
        aria-invalid={form.broken !== null}
        onChange={(event) => {
          setTyped(event.target.value);
          form.setText(event.target.value);
        }}
      />
      {form.broken !== null && (
        <p className="wrong small" role="alert">
          {t("Not JSON yet: {why}. The form keeps the last good value.", { why: whyBroken(form.broken) })}
        </p>
      )}
    </>
  );
}

function same(text: string, value: Json): boolean {
  try {
    return JSON.stringify(JSON.parse(text || "{}")) === JSON.stringify(value);
  } catch {
    return false;
  }
}

function whyBroken(text: string): string {
  try {
    JSON.parse(text);
    return t("it is no object");
  } catch (error) {
    return sentence(error);
  }
}
