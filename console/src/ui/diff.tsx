import type { ReactNode } from "react";
import { count } from "../words/words";

export type DiffLine = { kind: "same" | "gone" | "came"; text: string };
export type FoldedLine = DiffLine | { kind: "left out"; text: string };
const LONGEST = 1500;

/** Lines of two texts, compared (longest common subsequence); texts beyond 1,500 lines are compared as blocks. */
export function diffLines(before: string, after: string): DiffLine[] {
  const left = before.split("\n");
  const right = after.split("\n");
  let head = 0;
  while (head < left.length && head < right.length && left[head] === right[head]) head++;
  let tail = 0;
  const most = Math.min(left.length, right.length) - head;
  while (tail < most && left[left.length - 1 - tail] === right[right.length - 1 - tail]) tail++;
  const middle = between(left.slice(head, left.length - tail), right.slice(head, right.length - tail));
  const as = (kind: DiffLine["kind"]) => (text: string) => ({ kind, text });
  return [...left.slice(0, head).map(as("same")), ...middle, ...left.slice(left.length - tail).map(as("same"))];
}

function between(left: string[], right: string[]): DiffLine[] {
  if (left.length > LONGEST || right.length > LONGEST)
    return [
      ...left.map((text) => ({ kind: "gone" as const, text })),
      ...right.map((text) => ({ kind: "came" as const, text })),
    ];
  const lengths = Array.from({ length: left.length + 1 }, () => new Uint16Array(right.length + 1));
  for (let i = left.length - 1; i >= 0; i--)
    for (let j = right.length - 1; j >= 0; j--)
      lengths[i]![j] =
        left[i] === right[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < left.length || j < right.length) {
    if (i < left.length && j < right.length && left[i] === right[j]) {
      lines.push({ kind: "same", text: left[i]! });
      i++;
      j++;
    } else if (i < left.length && (j >= right.length || lengths[i + 1]![j]! >= lengths[i]![j + 1]!))
      lines.push({ kind: "gone", text: left[i++]! });
    else lines.push({ kind: "came", text: right[j++]! });
  }
  return lines;
}

/** The lines with `context` same ones around each change; other same lines are counted. */
export function folded(lines: DiffLine[], context: number): FoldedLine[] {
  const near = lines.map((_, at) =>
    lines.slice(Math.max(0, at - context), at + context + 1).some(({ kind }) => kind !== "same"),
  );
  return lines.flatMap((line, at): FoldedLine[] => {
    if (near[at]) return [line];
    if (at > 0 && !near[at - 1]) return [];
    const end = near.indexOf(true, at);
    const n = (end < 0 ? lines.length : end) - at;
    return [{ kind: "left out", text: count(n, "{n} line is the same", "{n} lines are the same") }];
  });
}

/** Two texts, line by line; with `context` only what changed, and so many lines around it. */
export function Diff(props: { before: string; after: string; label: string; context?: number }): ReactNode {
  const mark = { same: "  ", gone: "- ", came: "+ ", "left out": "⋯ " };
  const lines = diffLines(props.before, props.after);
  const shown = props.context === undefined ? lines : folded(lines, props.context);
  return (
    <div className="diff" role="region" aria-label={props.label} tabIndex={0}>
      {shown.map(({ kind, text }, index) => (
        <div key={index} className={kind === "left out" ? "faint" : kind}>
          {mark[kind]}
          {text}
        </div>
      ))}
    </div>
  );
}
