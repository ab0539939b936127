import { type ReactNode, useState } from "react";
import { isObject, type Json } from "../api/json";
import { bytes } from "../words/format";
import { t } from "../words/words";
import { list, type Schema } from "./schema";

interface ControlProps {
  schema: Schema;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
  attributes: { id?: string; "aria-label"?: string; "aria-describedby"?: string; "aria-invalid"?: boolean };
}

const INPUT_TYPES: Record<string, string> = {
  date: "date",
  time: "time",
  email: "email",
  uri: "url",
  password: "password",
};
const PLACEHOLDERS: Record<string, string> = {
  "date-time": "2026-11-26T09:00:00Z",
  uuid: "00000000-0000-0000-0000-000000000000",
};

export function TextControl({ schema, value, onChange, attributes }: ControlProps): ReactNode {
  const format = String(schema["format"] ?? "");
  const text = typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);
  const example = schema["example"] ?? list(schema["examples"])[0];
  const placeholder = typeof example === "string" ? example : PLACEHOLDERS[format];
  const set = (next: string): void => onChange(next === "" ? undefined : next);
  const type = INPUT_TYPES[format];
  if (!type && !format && !schema["pattern"])
    return (
      <textarea
        {...attributes}
        className="input grows"
        rows={1}
        value={text}
        placeholder={placeholder}
        onChange={(event) => set(event.target.value)}
        onKeyDown={(event) => {
          // As in a line of one's own; Shift breaks it.
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          event.currentTarget.form?.requestSubmit();
        }}
      />
    );
  return (
    <input
      {...attributes}
      className="input"
      type={type ?? "text"}
      value={text}
      placeholder={placeholder}
      autoComplete="off"
      onChange={(event) => set(event.target.value)}
    />
  );
}

/** What is no number yet stays as text, so that the check can say so and nothing typed is lost. */
export function NumberControl({ value, onChange, attributes }: ControlProps): ReactNode {
  const text = value === undefined || value === null ? "" : String(value);
  const [typed, setTyped] = useState(text);
  const shown = Number(typed) === value || typed === value ? typed : text;
  return (
    <input
      {...attributes}
      className="input num"
      inputMode="decimal"
      autoComplete="off"
      value={shown}
      onChange={(event) => {
        const next = event.target.value;
        setTyped(next);
        const number = Number(next);
        onChange(next.trim() === "" ? undefined : Number.isFinite(number) ? number : next);
      }}
    />
  );
}

export function ChoiceControl({ schema, value, onChange, attributes }: ControlProps): ReactNode {
  const choices = "const" in schema ? [schema["const"] ?? null] : list(schema["enum"]);
  const at = choices.findIndex((choice) => JSON.stringify(choice) === JSON.stringify(value));
  return (
    <select
      {...attributes}
      className="input"
      value={at}
      onChange={(event) => onChange(choices[Number(event.target.value)])}
    >
      <option value={-1}>{t("not set")}</option>
      {choices.map((choice, index) => (
        <option key={index} value={index}>
          {typeof choice === "string" ? choice : JSON.stringify(choice)}
        </option>
      ))}
    </select>
  );
}

export function BooleanControl({ value, onChange, attributes }: ControlProps): ReactNode {
  return (
    <select
      {...attributes}
      className="input"
      value={typeof value === "boolean" ? String(value) : ""}
      onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.value === "true")}
    >
      <option value="">{t("not set")}</option>
      <option value="true">true</option>
      <option value="false">false</option>
    </select>
  );
}

/** A file goes as `{name, contents}` with base64, where the API takes bytes; as base64 alone, where it takes text. */
export function FileControl({ schema, value, onChange, attributes }: ControlProps): ReactNode {
  const name = isObject(value) ? String(value["name"] ?? "") : value ? t("a file") : "";
  const size = isObject(value) ? Math.floor((String(value["contents"] ?? "").length * 3) / 4) : 0;
  async function take(file: File | undefined): Promise<void> {
    if (!file) return onChange(undefined);
    const contents = base64(new Uint8Array(await file.arrayBuffer()));
    onChange(schema["format"] === "byte" ? contents : { name: file.name, contents });
  }
  return (
    <div className="row">
      <input {...attributes} type="file" className="input" onChange={(event) => void take(event.target.files?.[0])} />
      {name && (
        <span className="small faint clip">
          {name} {size > 0 && bytes(size)}
        </span>
      )}
    </div>
  );
}

const PIECE = 0x8000;

function base64(content: Uint8Array): string {
  let text = "";
  for (let at = 0; at < content.length; at += PIECE) text += String.fromCharCode(...content.subarray(at, at + PIECE));
  return btoa(text);
}

/** For what no other control can show: JSON, of this part alone. */
export function JsonControl({ value, onChange, attributes }: ControlProps): ReactNode {
  const text = value === undefined ? "" : JSON.stringify(value);
  const [typed, setTyped] = useState(text);
  const [good, setGood] = useState(text);
  const shown = good === text ? typed : text;
  return (
    <textarea
      {...attributes}
      className="input mono"
      rows={2}
      placeholder="JSON"
      spellCheck={false}
      value={shown}
      onChange={(event) => {
        const next = event.target.value;
        setTyped(next);
        const parsed = parsedOr(next, text);
        setGood(parsed === undefined ? "" : JSON.stringify(parsed));
        onChange(parsed);
      }}
    />
  );
}

function parsedOr(text: string, otherwise: string): Json | undefined {
  if (!text.trim()) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return otherwise === "" ? undefined : (JSON.parse(otherwise) as Json);
  }
}
