import { lazy, type ReactNode, Suspense } from "react";

/** A remark at a place of the text, lines and columns from 1. */
export interface Diagnostic {
  line: number;
  column?: number;
  endColumn?: number;
  severity: "error" | "warning" | "info";
  message: string;
}

export interface EditorProps {
  value: string;
  onChange?: (value: string) => void;
  language: "json" | "yaml" | "text";
  label: string;
  diagnostics?: readonly Diagnostic[];
  /** Line to show; a new object moves there again. */
  jump?: { line: number } | undefined;
  /** Names that `$` completes, as `${TOOL: name}`. */
  references?: readonly { label: string; apply: string; detail: string }[];
  minLines?: number;
  fill?: boolean;
}

const Mirror = lazy(async () => ({ default: (await import("./code-mirror")).CodeMirror }));

/** A text editor. Its parts are loaded when the first one is shown. */
export function CodeEditor(props: EditorProps): ReactNode {
  return (
    <Suspense
      fallback={
        <pre className="code-view" aria-hidden="true">
          {props.value.slice(0, 4000)}
        </pre>
      }
    >
      <Mirror {...props} />
    </Suspense>
  );
}
