import { autocompletion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { yaml } from "@codemirror/lang-yaml";
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Annotation, Compartment, EditorState, type Extension } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { bytes } from "../words/format";
import { t } from "../words/words";
import { Button } from "../ui/button";
import type { Diagnostic, EditorProps } from "./code-editor";
import "./editor.css";

/** Above this a parser costs more than a frame at each key (measured: 25 ms on 5 MB). */
const PARSED_BYTES = 1_000_000;
/** Above this the page hears of changes when the keys rest: to hand the whole text out at each would cost frames. */
const LARGE = 20_000;
const QUIET_MS = 300;

/** A change that came from the page, not from the keyboard. */
const OUTSIDE = Annotation.define<boolean>();

const HIGHLIGHT = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--accent)" },
  { tag: tags.string, color: "var(--code)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--retrieval)" },
  { tag: tags.comment, color: "var(--text-3)" },
  { tag: [tags.keyword, tags.meta], color: "var(--hand)" },
]);

const THEME = EditorView.theme({
  "&": { color: "var(--text)", backgroundColor: "var(--surface)", fontSize: "12.5px", height: "100%" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-1px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "20px" },
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--text-3)", border: "0", paddingLeft: "4px" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--sunken) 55%, transparent)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    background: "color-mix(in srgb, var(--accent) 22%, transparent)",
  },
  ".cm-tooltip, .cm-panels": {
    backgroundColor: "var(--surface)",
    color: "var(--text)",
    border: "1px solid var(--line)",
  },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { background: "var(--sunken)", color: "var(--text)" },
  ".cm-foldPlaceholder": { background: "var(--sunken)", border: "0", color: "var(--text-3)" },
  ".cm-diagnostic": { fontFamily: "var(--sans)", fontSize: "13px", padding: "6px 10px" },
});

/** CodeMirror in a shadow root: its styles are adopted there, which the content policy allows. */
export function CodeMirror(props: EditorProps): ReactNode {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const language = useRef(new Compartment());
  // Texts that were handed out and have not come back yet: what comes back is older than what is typed meanwhile.
  const underWay = useRef<string[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [plain, setPlain] = useState(props.value.length > PARSED_BYTES);

  function handOut(inside: EditorView): void {
    timer.current = undefined;
    const text = inside.state.doc.toString();
    underWay.current.push(text);
    latest.current.onChange?.(text);
  }
  function flush(inside: EditorView): void {
    if (timer.current === undefined) return;
    clearTimeout(timer.current);
    handOut(inside);
  }

  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: "open" });
    const made = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          ...baseOf(latest),
          language.current.of(plain ? [] : languageOf(latest.current.language)),
          EditorView.domEventHandlers({
            blur: (_event, inside) => flush(inside),
            keydown: (event, inside) => {
              if (event.ctrlKey || event.metaKey) flush(inside);
              return false;
            },
          }),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged || update.transactions.some((each) => each.annotation(OUTSIDE))) return;
            clearTimeout(timer.current);
            timer.current = undefined;
            if (update.state.doc.length <= LARGE) handOut(update.view);
            else timer.current = setTimeout(() => handOut(update.view), QUIET_MS);
          }),
        ],
      }),
    });
    view.current = made;
    return () => {
      flush(made);
      made.destroy();
      view.current = null;
    };
    // The view lives as long as its place; what changes later is dispatched to it below.
  }, []);

  useEffect(() => {
    view.current?.dispatch({ effects: language.current.reconfigure(plain ? [] : languageOf(props.language)) });
  }, [plain, props.language]);

  useEffect(() => {
    const made = view.current;
    const known = underWay.current.lastIndexOf(props.value);
    if (known >= 0) underWay.current.splice(0, known + 1);
    if (!made || known >= 0 || made.state.doc.toString() === props.value) return;
    underWay.current = [];
    made.dispatch({
      changes: { from: 0, to: made.state.doc.length, insert: props.value },
      annotations: OUTSIDE.of(true),
    });
  }, [props.value]);

  useEffect(() => {
    const made = view.current;
    if (made)
      made.dispatch(
        setDiagnostics(
          made.state,
          (props.diagnostics ?? []).map((each) => placed(made, each)),
        ),
      );
  }, [props.diagnostics, props.value]);

  useEffect(() => {
    const made = view.current;
    if (!made || !props.jump) return;
    const line = made.state.doc.line(Math.max(1, Math.min(props.jump.line, made.state.doc.lines)));
    made.dispatch({ selection: { anchor: line.from }, effects: EditorView.scrollIntoView(line.from, { y: "center" }) });
    made.focus();
  }, [props.jump]);

  return (
    <>
      {plain && props.language !== "text" && (
        <p className="row small muted plain-note">
          <span className="grow">
            {t("{size}: without colours and folding, so that typing stays quick.", { size: bytes(props.value.length) })}
          </span>
          <Button small onClick={() => setPlain(false)}>
            {t("Show colours all the same")}
          </Button>
        </p>
      )}
      <div
        ref={host}
        className={props.fill ? "editor fill" : "editor"}
        style={props.fill ? undefined : { minHeight: (props.minLines ?? 4) * 20 + 10 }}
      />
    </>
  );
}

function baseOf(latest: { current: EditorProps }): Extension[] {
  const { label, onChange } = latest.current;
  return [
    lineNumbers(),
    foldGutter(),
    lintGutter(),
    history(),
    drawSelection(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSelectionMatches(),
    indentOnInput(),
    bracketMatching(),
    syntaxHighlighting(HIGHLIGHT),
    THEME,
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": label }),
    autocompletion({ override: [(context) => completed(context, latest.current.references ?? [])] }),
    // Escape, then Tab, leaves the editor (WCAG 2.1.2); CodeMirror says so itself.
    keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap, ...searchKeymap, indentWithTab]),
    ...(onChange ? [] : [EditorState.readOnly.of(true)]),
  ];
}

function languageOf(language: EditorProps["language"]): Extension {
  return language === "json" ? json() : language === "yaml" ? yaml() : [];
}

function completed(
  context: CompletionContext,
  references: readonly { label: string; apply: string; detail: string }[],
): CompletionResult | null {
  const before = context.matchBefore(/\$[\w{:. -]*$/);
  if (!before || !references.length) return null;
  return { from: before.from, options: references.map((each) => ({ ...each, type: "variable" })), filter: true };
}

function placed(
  view: EditorView,
  diagnostic: Diagnostic,
): { from: number; to: number; severity: Diagnostic["severity"]; message: string } {
  const document = view.state.doc;
  const line = document.line(Math.max(1, Math.min(diagnostic.line, document.lines)));
  const indent = line.text.length - line.text.trimStart().length;
  const from = Math.min(line.to, line.from + (diagnostic.column ? diagnostic.column - 1 : indent));
  const to = diagnostic.endColumn ? Math.min(line.to, line.from + diagnostic.endColumn - 1) : line.to;
  return { from, to: Math.max(from, to), severity: diagnostic.severity, message: diagnostic.message };
}
