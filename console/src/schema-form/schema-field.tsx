import { IconPlus, IconX } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { isObject, type Json } from "../api/json";
import { Button, IconButton } from "../ui/button";
import { Field } from "../ui/field";
import { t } from "../words/words";
import { BooleanControl, ChoiceControl, FileControl, JsonControl, NumberControl, TextControl } from "./scalar-fields";
import {
  blank,
  isNullable,
  type Kind,
  kindOf,
  kindWord,
  list,
  members,
  resolved,
  type Schema,
  simplified,
  variants,
} from "./schema";
import { type Problems, problemsOf } from "./validate";
import { type Path, pointer } from "./value";

interface SchemaFieldProps {
  schema: Json | undefined;
  root: Schema;
  name: string;
  path: Path;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
  problems: Problems;
  required?: boolean;
  onRemove?: () => void;
}

const DEEPEST = 10;
const CONTROLS: Partial<Record<Kind, typeof TextControl>> = {
  string: TextControl,
  number: NumberControl,
  integer: NumberControl,
  boolean: BooleanControl,
  choice: ChoiceControl,
  file: FileControl,
};

/** One value by its schema: a control, or a group of fields. */
export function SchemaField(props: SchemaFieldProps): ReactNode {
  const full = resolved(props.schema, props.root);
  const schema = simplified(full, props.root);
  const own = { ...props, schema, nullable: isNullable(full) };
  const kind = props.path.length > DEEPEST ? "any" : kindOf(schema);
  if (props.value === null && own.nullable) return <Scalar {...own} control={NullControl} />;
  if (kind === "object") return <ObjectField {...own} />;
  if (kind === "map") return <MapField {...own} />;
  if (kind === "array") return <ArrayField {...own} />;
  if (kind === "union") return <UnionField {...own} />;
  return <Scalar {...own} control={CONTROLS[kind] ?? JsonControl} />;
}

type Resolved = Omit<SchemaFieldProps, "schema"> & { schema: Schema; nullable: boolean };

function Scalar(props: Resolved & { control: typeof TextControl }): ReactNode {
  const { schema, value, onChange, nullable, control: Control } = props;
  return (
    <Field
      label={props.name}
      kind={kindWord(schema, props.root)}
      hint={about(schema)}
      wrong={props.problems.get(pointer(props.path))}
      required={props.required}
      action={
        <>
          {nullable && (
            <button
              type="button"
              className="null-switch"
              aria-pressed={value === null}
              aria-label={t("{name} is null", { name: props.name })}
              onClick={() => onChange(value === null ? undefined : null)}
            >
              null
            </button>
          )}
          {props.onRemove && <RemoveButton name={props.name} onClick={props.onRemove} />}
        </>
      }
    >
      {(attributes) => <Control schema={schema} value={value} onChange={onChange} attributes={attributes} />}
    </Field>
  );
}

function NullControl({ attributes }: { attributes: { id?: string } }): ReactNode {
  return <input {...attributes} className="input mono" value="null" readOnly />;
}

/** The description, and what the schema allows. */
function about(schema: Schema): string {
  const parts = [String(schema["description"] ?? "")];
  const { minimum, maximum, minLength, maxLength, pattern } = schema;
  if (minimum !== undefined && maximum !== undefined)
    parts.push(t("From {least} to {most}.", { least: String(minimum), most: String(maximum) }));
  else if (minimum !== undefined) parts.push(t("At least {least}.", { least: String(minimum) }));
  else if (maximum !== undefined) parts.push(t("At most {most}.", { most: String(maximum) }));
  if (minLength !== undefined && !pattern) parts.push(t("At least {n} characters.", { n: String(minLength) }));
  if (maxLength !== undefined) parts.push(t("At most {n} characters.", { n: String(maxLength) }));
  if (pattern !== undefined) parts.push(String(pattern));
  return parts.filter(Boolean).join(" · ");
}

function Group(props: Resolved & { children: ReactNode; extra?: ReactNode }): ReactNode {
  const wrong = props.problems.get(pointer(props.path));
  return (
    <fieldset className="group">
      <legend>
        <span>{props.name}</span>
        {props.required && (
          <span className="star" aria-hidden="true">
            *
          </span>
        )}
        <span className="kind">{kindWord(props.schema, props.root)}</span>
      </legend>
      <div className="group-tools">
        {props.extra}
        {props.onRemove && <RemoveButton name={props.name} onClick={props.onRemove} />}
      </div>
      {about(props.schema) && <p className="hint">{about(props.schema)}</p>}
      {props.children}
      {wrong && <p className="wrong">{wrong}</p>}
    </fieldset>
  );
}

function RemoveButton({ name, onClick }: { name: string; onClick: () => void }): ReactNode {
  return <IconButton small label={t("Remove {name}", { name })} icon={<IconX size={14} />} onClick={onClick} />;
}

/** The members of an object; those that may be left out have a button to add a group and are fields otherwise. */
export function ObjectMembers(props: Omit<SchemaFieldProps, "name">): ReactNode {
  const schema = simplified(resolved(props.schema, props.root), props.root);
  const required = list(schema["required"]);
  const value = isObject(props.value) ? props.value : {};
  const set = (name: string, next: Json | undefined): void => {
    const copy = { ...value };
    if (next === undefined) delete copy[name];
    else copy[name] = next;
    props.onChange(copy);
  };
  return (
    <div className="members">
      {Object.entries(members(schema["properties"])).map(([name, part]) => {
        const inner = simplified(resolved(part, props.root), props.root);
        const isGroup = ["object", "map"].includes(kindOf(inner));
        const isRequired = required.includes(name);
        if (isGroup && !isRequired && value[name] === undefined)
          return (
            <div key={name} className="wide">
              <Button small icon={<IconPlus size={14} />} onClick={() => set(name, blank(inner, props.root))}>
                {name}
              </Button>
            </div>
          );
        return (
          <div key={name} className={isGroup || kindOf(inner) === "array" ? "wide" : ""}>
            <SchemaField
              schema={part}
              root={props.root}
              name={name}
              path={[...props.path, name]}
              value={value[name]}
              onChange={(next) => set(name, next)}
              problems={props.problems}
              required={isRequired}
              {...(isGroup && !isRequired ? { onRemove: () => set(name, undefined) } : {})}
            />
          </div>
        );
      })}
    </div>
  );
}

function ObjectField(props: Resolved): ReactNode {
  return (
    <Group {...props}>
      <ObjectMembers {...props} />
    </Group>
  );
}

/** An object whose members are not named beforehand. */
function MapField(props: Resolved): ReactNode {
  const [name, setName] = useState("");
  const value = isObject(props.value) ? props.value : {};
  const inner = isObject(props.schema["additionalProperties"]) ? props.schema["additionalProperties"] : {};
  return (
    <Group {...props}>
      <div className="stack">
        {Object.entries(value).map(([key, part]) => (
          <SchemaField
            key={key}
            schema={inner}
            root={props.root}
            name={key}
            path={[...props.path, key]}
            value={part}
            problems={props.problems}
            onChange={(next) => props.onChange({ ...value, [key]: next ?? null })}
            onRemove={() => {
              const { [key]: _gone, ...rest } = value;
              props.onChange(rest);
            }}
          />
        ))}
        {props.schema["additionalProperties"] !== false && (
          <div className="row">
            <input
              className="input"
              aria-label={t("Name of a new member of {name}", { name: props.name })}
              placeholder={t("name")}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
            <Button
              small
              disabled={!name || name in value}
              icon={<IconPlus size={14} />}
              onClick={() => {
                props.onChange({ ...value, [name]: blank(inner, props.root) });
                setName("");
              }}
            >
              {t("Add")}
            </Button>
          </div>
        )}
      </div>
    </Group>
  );
}

function ArrayField(props: Resolved): ReactNode {
  const items = Array.isArray(props.value) ? props.value : [];
  const inner = props.schema["items"];
  const set = (next: Json[]): void => props.onChange(next.length || props.required ? next : undefined);
  return (
    <Group {...props}>
      <div className="stack">
        {items.map((item, index) => (
          <SchemaField
            key={index}
            schema={inner}
            root={props.root}
            name={`${props.name} ${index + 1}`}
            path={[...props.path, index]}
            value={item}
            problems={props.problems}
            onChange={(next) => set(items.map((each, at) => (at === index ? (next ?? "") : each)))}
            onRemove={() => set(items.filter((_, at) => at !== index))}
          />
        ))}
        <div>
          <Button
            small
            icon={<IconPlus size={14} />}
            onClick={() => set([...items, blank(resolved(inner, props.root), props.root)])}
          >
            {t("Add to {name}", { name: props.name })}
          </Button>
        </div>
      </div>
    </Group>
  );
}

function UnionField(props: Resolved): ReactNode {
  const options = variants(props.schema).map((variant) => resolved(variant, props.root));
  const fitting = options.findIndex((option) => fits(option, props.root, props.value));
  const [chosen, setChosen] = useState(Math.max(0, fitting));
  const at =
    fitting >= 0 && props.value !== undefined && !fits(options[chosen], props.root, props.value) ? fitting : chosen;
  const { oneOf: _one, anyOf: _any, ...rest } = props.schema;
  const option: Schema = { ...rest, ...options[at], nullable: props.nullable };
  return (
    <div className="union">
      <select
        className="input"
        aria-label={t("Kind of {name}", { name: props.name })}
        value={at}
        onChange={(event) => {
          const next = Number(event.target.value);
          setChosen(next);
          props.onChange(blank(options[next] ?? {}, props.root));
        }}
      >
        {options.map((each, index) => (
          <option key={index} value={index}>
            {String(each["title"] ?? (kindWord(each, props.root) || t("Kind {n}", { n: index + 1 })))}
          </option>
        ))}
      </select>
      <SchemaField {...props} schema={option} />
    </div>
  );
}

function fits(schema: Schema | undefined, root: Schema, value: Json | undefined): boolean {
  if (!schema || value === undefined) return false;
  return problemsOf({ ...schema, ...("$defs" in root ? { $defs: root["$defs"] } : {}) }, value).size === 0;
}
