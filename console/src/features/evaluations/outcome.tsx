import type { ReactNode } from "react";
import type { ces } from "../../api/generated/types";
import { Tag, type Tone } from "../../ui/states";
import { exact } from "../../words/format";
import { t } from "../../words/words";

interface Look {
  tone: Tone;
  word: string;
}

function lookOf(result: ces.EvaluationResult | undefined): Look {
  if (!result) return { tone: "plain", word: t("not run") };
  if (result.executionState === "ERROR") return { tone: "pause", word: t("error") };
  return result.evaluationStatus === "PASS" ? { tone: "good", word: t("passed") } : { tone: "bad", word: t("failed") };
}

/** What came of an evaluation, in a word. */
export function ResultTag({ result }: { result: ces.EvaluationResult | undefined }): ReactNode {
  const { tone, word } = lookOf(result);
  return <Tag tone={tone}>{word}</Tag>;
}

export function OutcomeTag({ outcome }: { outcome: ces.EvaluationResult_Outcome | undefined }): ReactNode {
  if (outcome === "PASS") return <Tag tone="good">{t("passed")}</Tag>;
  if (outcome === "FAIL") return <Tag tone="bad">{t("failed")}</Tag>;
  return <Tag>{t("not judged")}</Tag>;
}

const MARKS: Partial<Record<Tone, string>> = { good: "✓", bad: "✗", pause: "!" };

/** The latest results, the oldest first, as marks in a row. */
export function ResultMarks({ results }: { results: ces.EvaluationResult[] }): ReactNode {
  if (!results.length) return null;
  return (
    <ol className="marks" aria-label={t("Last results")}>
      {results.toReversed().map((result) => {
        const { tone, word } = lookOf(result);
        return (
          <li key={result.name} className={`tone-${tone}`} title={`${word}, ${exact(result.createTime)}`}>
            <span aria-hidden="true">{MARKS[tone]}</span>
            <span className="sr">{word}</span>
          </li>
        );
      })}
    </ol>
  );
}

/** How a run went, as a bar and in numbers. */
export function RunBar({ progress = {} }: { progress: ces.EvaluationRun_Progress | undefined }): ReactNode {
  const { totalCount = 0, passedCount = 0, failedCount = 0, errorCount = 0 } = progress;
  const parts = [
    { tone: "good", n: passedCount, word: t("passed") },
    { tone: "bad", n: failedCount, word: t("failed") },
    { tone: "pause", n: errorCount, word: t("error") },
  ];
  return (
    <div>
      <svg className="run-bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        {parts.map(({ tone, n }, index) => {
          const before = parts.slice(0, index).reduce((sum, part) => sum + part.n, 0);
          const unit = 100 / Math.max(1, totalCount);
          return <rect key={tone} className={`tone-${tone}`} x={before * unit} width={n * unit} height="1" />;
        })}
      </svg>
      <span className="small">
        {parts
          .filter(({ n }) => n)
          .map(({ n, word }) => `${n} ${word}`)
          .join(", ") || t("nothing yet")}
      </span>
    </div>
  );
}
