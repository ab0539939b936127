import { IconTrash } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import type { op } from "../../api/generated/types";
import { isObject, type Json, type JsonObject, same } from "../../api/json";
import { Button, IconButton } from "../../ui/button";
import { Tag } from "../../ui/states";
import { count, t } from "../../words/words";
import { wholeOf } from "./inputs";
import { keepStartingValues, startingValues } from "./starting-values";

/** Session parameters after the turn; what is edited goes along with the next message. */
export function Parameters(props: {
  session: string;
  turn: op.Turn | undefined;
  previous: op.Turn | undefined;
  pending: JsonObject;
  onPending: (next: JsonObject) => void;
}): ReactNode {
  const { pending, onPending } = props;
  const after = isObject(props.turn?.parametersAfter) ? props.turn.parametersAfter : {};
  const before = isObject(props.previous?.parametersAfter) ? props.previous.parametersAfter : {};
  const names = [...new Set([...Object.keys(after), ...Object.keys(pending)])].sort();
  return (
    <div className="stack">
      <p className="small muted">
        {props.turn
          ? t("Values at the end of this turn. What you change here goes along with the next message.")
          : t("What the conversation begins with. It goes along with the first message.")}
      </p>
      {names.length > 0 && (
        <table>
          <thead>
            <tr>
              <th>{t("Name")}</th>
              <th>{t("Value")}</th>
              <th>
                <span className="sr">{t("Actions")}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {names.map((name) => (
              <tr key={name}>
                <td className="mono">
                  {name}{" "}
                  {name in pending ? (
                    <Tag tone="tool">{t("with the next message")}</Tag>
                  ) : (
                    !same(after[name], before[name]) && <Tag tone="retrieval">{t("changed")}</Tag>
                  )}
                </td>
                <td>
                  <ValueInput
                    label={name}
                    value={name in pending ? pending[name] : after[name]}
                    onChange={(value) => onPending({ ...pending, [name]: value })}
                  />
                </td>
                <td>
                  {name in pending && (
                    <IconButton
                      small
                      label={t("Take the change of {name} back", { name })}
                      icon={<IconTrash size={14} />}
                      onClick={() => {
                        const { [name]: _gone, ...rest } = pending;
                        onPending(rest);
                      }}
                    />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <NewParameter onAdd={(name, value) => onPending({ ...pending, [name]: value })} />
      <Start agent={wholeOf(props.session)} values={props.turn ? { ...after, ...pending } : pending} />
    </div>
  );
}

/** Values that new conversations begin with, until they are forgotten. */
function Start({ agent, values }: { agent: string; values: JsonObject }): ReactNode {
  const [kept, setKept] = useState(() => startingValues(agent));
  const n = Object.keys(kept).length;
  function keep(next: JsonObject): void {
    keepStartingValues(agent, next);
    setKept(next);
  }
  return (
    <div className="row wrap">
      {Object.keys(values).length > 0 && !same(values, kept) && (
        <Button small onClick={() => keep(values)}>
          {t("Begin new conversations with these")}
        </Button>
      )}
      {n > 0 && (
        <>
          <span className="small muted">
            {count(n, "New conversations begin with {n} value.", "New conversations begin with {n} values.")}
          </span>
          <Button small kind="quiet" onClick={() => keep({})}>
            {t("Forget them")}
          </Button>
        </>
      )}
    </div>
  );
}

function ValueInput({
  label,
  value,
  onChange,
}: {
  label: string;
  value: Json | undefined;
  onChange: (value: Json) => void;
}): ReactNode {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? null);
  return (
    <input
      className="input mono"
      aria-label={t("Value of {name}", { name: label })}
      value={text}
      onChange={(event) => onChange(read(event.target.value, typeof value))}
    />
  );
}

/** Text stays text where the value was text; else what is JSON is JSON. */
function read(text: string, was: string): Json {
  if (was === "string") return text;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

function NewParameter({ onAdd }: { onAdd: (name: string, value: Json) => void }): ReactNode {
  const [name, setName] = useState("");
  const [value, setValue] = useState("");
  return (
    <form
      className="row wrap"
      onSubmit={(event) => {
        event.preventDefault();
        if (!name) return;
        onAdd(name, read(value, ""));
        setName("");
        setValue("");
      }}
    >
      <input
        className="input new-name"
        aria-label={t("Name of the parameter")}
        placeholder={t("name")}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <input
        className="input mono grow"
        aria-label={t("Its value")}
        placeholder={t("value, text or JSON")}
        value={value}
        onChange={(event) => setValue(event.target.value)}
      />
      <Button type="submit" disabled={!name}>
        {t("Set")}
      </Button>
    </form>
  );
}
