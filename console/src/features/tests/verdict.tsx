import type { ReactNode } from "react";
import type { cx } from "../../api/generated/types";
import { Tag } from "../../ui/states";
import { t } from "../../words/words";

/** What came of the last run, in a word. */
export function Verdict({ result }: { result: cx.TestCaseResult | undefined }): ReactNode {
  if (!result?.testResult) return <Tag>{t("not run")}</Tag>;
  return result.testResult === "PASSED" ? <Tag tone="good">{t("passed")}</Tag> : <Tag tone="bad">{t("failed")}</Tag>;
}

/** A difference as the server describes it: where, then lines with `-` before what was expected, `+` before the rest. */
export function Difference({ text }: { text: string }): ReactNode {
  const [where = "", ...lines] = text.split("\n");
  const kinds: Record<string, string> = { "-": "gone", "+": "came" };
  return (
    <div>
      <p className="small mono">{where}</p>
      {lines.length > 0 && (
        <div className="diff" role="region" aria-label={where} tabIndex={0}>
          {lines.map((line, index) => (
            <div key={index} className={kinds[line[0] ?? ""]}>
              {line}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
