import { useEffect, useState } from "react";
import { call } from "../../api/call";
import { opApi } from "../../api/generated/methods";
import type { op } from "../../api/generated/types";
import type { Diagnostic } from "../../editor/code-editor";

/** After the last key, so that a document is not checked at each. */
const QUIET_MS = 400;

export interface Remark extends Diagnostic {
  /** What was probably meant, in place of the marked words; empty where nobody can tell. */
  fix: string;
}

export interface Inspection {
  remarks: readonly Remark[];
  /** Whether the text has changed since. */
  isStale: boolean;
  operations: number;
  /** Why nothing can be said: the server did not answer. */
  error: unknown;
}

const NOTHING: Inspection = { remarks: [], isStale: true, operations: 0, error: null };

/** What the server says of a description, 400 ms after the last key; the next key cancels the question. */
export function useInspection(parent: string, text: string): Inspection {
  const [found, setFound] = useState<Inspection>(NOTHING);
  useEffect(() => {
    const controller = new AbortController();
    setFound((last) => ({ ...last, isStale: true }));
    if (!text.trim()) return setFound({ ...NOTHING, isStale: false });
    const timer = setTimeout(async () => {
      try {
        setFound(inspected(await call(opApi.inspectOpenApi, { parent, text }, { signal: controller.signal })));
      } catch (error) {
        if (!controller.signal.aborted) setFound((last) => ({ ...last, isStale: false, error }));
      }
    }, QUIET_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [parent, text]);
  return found;
}

const SEVERITIES: Record<string, Diagnostic["severity"]> = { ERROR: "error", WARNING: "warning" };

export function inspected(response: op.InspectOpenApiResponse): Inspection {
  const remarks = (response.problems ?? []).map(({ line, column, length, message, severity, fix, path }) => ({
    line: line || 1,
    ...(column ? { column } : {}),
    ...(column && length ? { endColumn: column + length } : {}),
    severity: SEVERITIES[severity ?? ""] ?? ("info" as const),
    message: line ? (message ?? "") : `${path}: ${message}`,
    fix: fix ?? "",
  }));
  return { remarks, isStale: false, operations: response.operationCount ?? 0, error: null };
}

/** The text with a remark's fix in place of what it marks. */
export function fixed(text: string, { line, column, endColumn, fix }: Remark): string {
  const lines = text.split("\n");
  const found = lines[line - 1];
  if (found === undefined || !column || !endColumn) return text;
  lines[line - 1] = found.slice(0, column - 1) + fix + found.slice(endColumn - 1);
  return lines.join("\n");
}
