import type { cx } from "../../api/generated/types";

/** Instructions as rows: what a person reads and edits. */
export interface Row {
  text: string;
  depth: number;
}

export const DEEPEST = 3;

export function rowsOf(steps: readonly cx.Playbook_Step[] | undefined, depth = 0): Row[] {
  return (steps ?? []).flatMap((step) => [{ text: step.text ?? "", depth }, ...rowsOf(step.steps, depth + 1)]);
}

export function stepsOf(rows: readonly Row[]): cx.Playbook_Step[] {
  const top: cx.Playbook_Step[] = [];
  const open: cx.Playbook_Step[] = [];
  for (const { text, depth } of rows) {
    const step: cx.Playbook_Step = { text };
    const level = Math.min(depth, open.length);
    const parent = open[level - 1];
    if (!parent) top.push(step);
    else (parent.steps ??= []).push(step);
    open.splice(level, open.length, step);
  }
  return top;
}

/** 1, 2, 2.1, …: as the server numbers them for the model. */
export function numbersOf(rows: readonly Row[]): string[] {
  const counts: number[] = [];
  return rows.map(({ depth }) => {
    const level = Math.min(depth, counts.length);
    counts.splice(level + 1);
    counts[level] = (counts[level] ?? 0) + 1;
    return counts.join(".");
  });
}

/** Rows as a text of `- ` items, two spaces a level; and back. */
export function textOf(rows: readonly Row[]): string {
  return rows.map(({ text, depth }) => `${"  ".repeat(depth)}- ${text.replaceAll("\n", " ")}`).join("\n");
}

export function rowsOfText(text: string): Row[] {
  return text.split("\n").flatMap((line) => {
    const match = /^(\s*)(?:[-*]\s+|\d+[.)]\s+)?(.*)$/.exec(line);
    const words = match?.[2]?.trim() ?? "";
    return words ? [{ text: words, depth: Math.floor((match?.[1]?.length ?? 0) / 2) }] : [];
  });
}

export interface Reference {
  kind: "TOOL" | "PLAYBOOK" | "AGENT" | "FLOW";
  name: string;
  from: number;
  to: number;
}

const REFERENCE = /\$\{(TOOL|PLAYBOOK|AGENT|FLOW):\s*([^}]*?)\s*\}/g;

export function referencesIn(text: string): Reference[] {
  return [...text.matchAll(REFERENCE)].map((match) => ({
    kind: match[1] as Reference["kind"],
    name: match[2] ?? "",
    from: match.index,
    to: match.index + match[0].length,
  }));
}

/** The known name that is nearest to a wrong one; empty where none is near. */
export function nearest(name: string, known: readonly string[]): string {
  const scored = known.map((each) => ({ each, far: distance(name.toLowerCase(), each.toLowerCase()) }));
  const best = scored.sort((left, right) => left.far - right.far)[0];
  return best && best.far <= Math.max(2, name.length / 2) ? best.each : "";
}

/** Levenshtein's distance. */
function distance(left: string, right: string): number {
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const row = [i];
    for (let j = 1; j <= right.length; j++)
      row.push(
        Math.min(
          (last[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (last[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1),
        ),
      );
    last = row;
  }
  return last[right.length] ?? 0;
}
