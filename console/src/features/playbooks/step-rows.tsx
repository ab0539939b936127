import { type KeyboardEvent, memo, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { Button } from "../../ui/button";
import { t } from "../../words/words";
import { DEEPEST, nearest, numbersOf, type Row, referencesIn } from "./instructions";

export interface Names {
  tools: readonly string[];
  playbooks: readonly string[];
}

/** Instructions as numbered steps. Tab indents, Enter adds, Alt with an arrow moves; `$` completes names. */
export function StepRows({
  rows,
  onChange,
  names,
}: {
  rows: readonly Row[];
  onChange: (rows: Row[]) => void;
  names: Names;
}): ReactNode {
  const list = useRef<HTMLOListElement>(null);
  const [focus, setFocus] = useState<{ row: number } | null>(null);
  const numbers = numbersOf(rows);
  const shown = rows.length ? rows : [{ text: "", depth: 0 }];
  useLayoutEffect(() => {
    if (focus) list.current?.querySelectorAll("textarea")[focus.row]?.focus();
  }, [focus]);

  function set(index: number, row: Row): void {
    onChange(shown.map((each, at) => (at === index ? row : each)));
  }
  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>, index: number): void {
    const row = shown[index];
    if (!row) return;
    const act = (next: Row[], at: number): void => {
      event.preventDefault();
      onChange(next);
      setFocus({ row: Math.max(0, at) });
    };
    if (event.key === "Enter" && !event.shiftKey)
      act(shown.toSpliced(index + 1, 0, { text: "", depth: row.depth }), index + 1);
    else if (event.key === "Backspace" && !row.text && shown.length > 1) act(shown.toSpliced(index, 1), index - 1);
    else if (event.key === "Tab" && !event.ctrlKey && row.text) {
      const most = Math.min(DEEPEST, (shown[index - 1]?.depth ?? -1) + 1);
      const depth = Math.max(0, Math.min(most, row.depth + (event.shiftKey ? -1 : 1)));
      if (depth !== row.depth) act(shown.with(index, { ...row, depth }), index);
    } else if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      const other = index + (event.key === "ArrowUp" ? -1 : 1);
      const swapped = shown[other];
      if (swapped) act(shown.with(index, swapped).with(other, row), other);
    }
  }
  const edits = useRef<Edits>({ set, onKeyDown });
  edits.current = { set, onKeyDown };
  return (
    <ol className="card steps-edit" ref={list}>
      {shown.map((row, index) => (
        <Step
          key={index}
          index={index}
          text={row.text}
          depth={row.depth}
          number={numbers[index] ?? "1"}
          names={names}
          edits={edits}
        />
      ))}
    </ol>
  );
}

interface Edits {
  set: (index: number, row: Row) => void;
  onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>, index: number) => void;
}

/** One row. Of thousands only the one that changes is drawn again, so what it does comes by a reference. */
const Step = memo(function Step(props: {
  index: number;
  text: string;
  depth: number;
  number: string;
  names: Names;
  edits: { current: Edits };
}): ReactNode {
  const { index, depth, number, edits } = props;
  return (
    <li style={{ paddingLeft: depth * 34 }}>
      <b aria-hidden="true">{number}</b>
      <StepText
        label={t("Step {n}", { n: number })}
        text={props.text}
        names={props.names}
        onChange={(text) => edits.current.set(index, { text, depth })}
        onKeyDown={(event) => edits.current.onKeyDown(event, index)}
      />
    </li>
  );
});

/** A step: its words with references marked, completion below, and what is wrong with it. */
function StepText(props: {
  label: string;
  text: string;
  names: Names;
  onChange: (text: string) => void;
  onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
}): ReactNode {
  const { text, names, onChange } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const [at, setAt] = useState(0);
  const options = typed === null ? [] : optionsOf(typed, names);

  function insert(option: string): void {
    const element = field.current;
    if (!element) return;
    const caret = element.selectionStart;
    const from = text.lastIndexOf("$", caret - 1);
    onChange(text.slice(0, from) + option + text.slice(caret));
    setTyped(null);
    element.focus();
  }
  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    const option = options[at];
    if (option && (event.key === "Enter" || event.key === "Tab")) insert(option);
    else if (option && (event.key === "ArrowDown" || event.key === "ArrowUp"))
      setAt((at + (event.key === "ArrowDown" ? 1 : options.length - 1)) % options.length);
    else if (event.key === "Escape" && typed !== null) setTyped(null);
    else return props.onKeyDown(event);
    event.preventDefault();
  }
  return (
    <div className="step-text">
      <div className="step-marks" aria-hidden="true">
        {marked(text, names)}
      </div>
      <textarea
        ref={field}
        rows={1}
        aria-label={props.label}
        spellCheck={false}
        value={text}
        onChange={(event) => {
          onChange(event.target.value.replaceAll("\n", " "));
          const before = event.target.value.slice(0, event.target.selectionStart);
          setTyped(/\$(?:\{(?:[A-Z]*:?\s*)?)?([\w .-]*)$/.exec(before)?.[1] ?? null);
          setAt(0);
        }}
        onBlur={() => setTimeout(() => setTyped(null), 150)}
        onKeyDown={onKeyDown}
      />
      {options.length > 0 && (
        <ul className="completions" role="listbox" aria-label={t("Names to insert")}>
          {options.map((option, index) => (
            <li key={option} role="option" aria-selected={index === at} onPointerDown={() => insert(option)}>
              <code>{option}</code>
            </li>
          ))}
        </ul>
      )}
      <Problems text={text} names={names} onChange={onChange} />
    </div>
  );
}

function optionsOf(typed: string, names: Names): string[] {
  const all = [
    ...names.tools.map((name) => `\${TOOL: ${name}}`),
    ...names.playbooks.map((name) => `\${PLAYBOOK: ${name}}`),
  ];
  return all.filter((each) => each.toLowerCase().includes(typed.trim().toLowerCase())).slice(0, 8);
}

function isKnown(kind: string, name: string, names: Names): boolean {
  if (kind === "TOOL") return names.tools.some((tool) => name === tool || name.startsWith(`${tool}.`));
  return kind === "PLAYBOOK" ? names.playbooks.includes(name) : true;
}

function marked(text: string, names: Names): ReactNode[] {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const { kind, name, from, to } of referencesIn(text)) {
    parts.push(text.slice(end, from));
    parts.push(
      <mark key={from} className={isKnown(kind, name, names) ? `mark-${kind.toLowerCase()}` : "mark-bad"}>
        {text.slice(from, to)}
      </mark>,
    );
    end = to;
  }
  return [...parts, text.slice(end), "\u200b"];
}

function Problems({
  text,
  names,
  onChange,
}: {
  text: string;
  names: Names;
  onChange: (text: string) => void;
}): ReactNode {
  const unknown = referencesIn(text).filter(({ kind, name }) => !isKnown(kind, name, names));
  return unknown.map(({ kind, name, from, to }) => {
    const known = kind === "TOOL" ? names.tools : names.playbooks;
    const near = nearest(name, known);
    return (
      <div key={from} className="note bad" role="alert">
        <span className="grow">
          {kind === "TOOL" ? t("There is no tool “{name}”.", { name }) : t("There is no playbook “{name}”.", { name })}{" "}
          {near && t("Did you mean “{name}”?", { name: near })}
        </span>
        {near && (
          <Button small onClick={() => onChange(`${text.slice(0, from)}\${${kind}: ${near}}${text.slice(to)}`)}>
            {t("Use {name}", { name: near })}
          </Button>
        )}
      </div>
    );
  });
}
