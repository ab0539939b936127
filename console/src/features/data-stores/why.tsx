import type { ReactNode } from "react";
import type { JsonObject } from "../../api/json";
import { t } from "../../words/words";

const PLACES: Record<string, string> = { title: "title", headings: "headings", text: "text", question: "question" };

/** Why a passage was found: its score next to the best one, and the words of the query that weigh in it. */
export function Why({ score, best, matched }: { score: number; best: number; matched: JsonObject[] }): ReactNode {
  const heaviest = Math.max(...matched.map((each) => Number(each["weight"] ?? 0)), 0);
  return (
    <div className="why" role="group" aria-label={t("Why it was found")}>
      <p className="small">
        {t("Score {score}, {percent} % of the best one", {
          score: score.toFixed(3),
          percent: best > 0 ? Math.round((100 * score) / best) : 100,
        })}
      </p>
      {matched.length ? (
        <ul>
          {matched.map((each, index) => (
            <li key={index} className="row small">
              <b className="term clip">{String(each["term"] ?? "")}</b>
              <span className="faint place">{t(PLACES[String(each["field"])] ?? String(each["field"] ?? ""))}</span>
              <meter max={heaviest || 1} value={Number(each["weight"] ?? 0)} aria-label={String(each["term"] ?? "")} />
              <span className="num faint">{Number(each["weight"] ?? 0).toFixed(2)}</span>
            </li>
          ))}
        </ul>
      ) : (
        <p className="small muted">{t("It has no word of the query: it is close to it in meaning.")}</p>
      )}
    </div>
  );
}
