import type { ReactNode } from "react";
import type { op } from "../../api/generated/types";
import { isObject, type Json, type JsonObject } from "../../api/json";
import { list } from "../../schema-form/schema";
import { t } from "../../words/words";
import "./evidence.css";

/** A piece of the user's sentence, and the slot that it filled. */
export interface Mark {
  from: number;
  to: number;
  slot: string;
}

/** Why the offline model decided as it did: where each value came from, and which action won. */
export function Evidence({
  evidence,
  said,
  calls,
}: {
  evidence: JsonObject;
  said: string;
  calls: op.TurnStep_Decision_Call[];
}): ReactNode {
  const candidates = list(evidence["candidates"]).filter(isObject);
  const answered = list(evidence["answered_like"]).map(String);
  const marks = marksOf(list(evidence["slots"]).filter(isObject), said);
  const elsewhere = list(evidence["slots"])
    .filter(isObject)
    .filter(({ slot }) => !marks.some((mark) => mark.slot === shortSlot(String(slot))));
  const name = calls[0]?.action || calls[0]?.name || String(candidates[0]?.["name"] ?? "");
  const threshold = Number(evidence["threshold"] ?? 0);
  return (
    <>
      <header className="row">
        <h2>{calls.length ? t("Why {action}?", { action: name }) : t("How the answer was put")}</h2>
        {typeof evidence["rule"] === "string" && <span className="small faint mono">{evidence["rule"]}</span>}
      </header>
      {!!answered.length && (
        <p className="muted">
          {t("Worded like the example “{name}”, with the values that the tool returned.", {
            name: answered.join("”, “"),
          })}
        </p>
      )}
      {marks.length > 0 && (
        <div className="block">
          <h3>{t("Where each value came from")}</h3>
          <p className="says">{marked(said, marks)}</p>
        </div>
      )}
      {elsewhere.map((slot, index) => (
        <p key={index} className="small muted">
          <code>{String(slot["slot"])}</code> = <code>{JSON.stringify(slot["value"])}</code>{" "}
          {t("from {source}", { source: String(slot["source"]) })}
        </p>
      ))}
      {candidates.length > 0 && (
        <div className="block">
          <h3>
            {t("Which action")}{" "}
            {threshold > 0 && <span className="faint">{t("what reaches {n} may be called", { n: threshold })}</span>}
          </h3>
          <ul className="candidates">
            {candidates.map((candidate, index) => (
              <Candidate key={index} candidate={candidate} wins={index === 0} threshold={threshold} />
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

function Candidate({
  candidate,
  wins,
  threshold,
}: {
  candidate: JsonObject;
  wins: boolean;
  threshold: number;
}): ReactNode {
  const score = Number(candidate["score"] ?? 0);
  return (
    <li>
      <code className="clip">{String(candidate["name"] ?? "")}</code>
      <span className={wins ? "rail win" : "rail"} aria-hidden="true">
        <i style={{ width: `${Math.min(1, score) * 100}%` }} />
        {threshold > 0 && <b style={{ left: `${threshold * 100}%` }} />}
      </span>
      <span className="score num">{score.toFixed(2)}</span>
      {candidate["example"] !== undefined && (
        <span className="from">{t("like the example “{name}”", { name: String(candidate["example"]) })}</span>
      )}
    </li>
  );
}

function shortSlot(slot: string): string {
  return slot.split(".").at(-1) ?? slot;
}

/** Values that are in the sentence, in order and without overlap; a value of the whole sentence is looked up in it. */
export function marksOf(slots: JsonObject[], said: string): Mark[] {
  const found: Mark[] = [];
  for (const slot of slots) {
    const words = list(slot["words"]).map(String);
    const places = list(slot["at"]).map(Number);
    const values: Json[] = Array.isArray(slot["value"]) ? slot["value"] : [slot["value"] ?? ""];
    const texts = words.length && words.every((word) => word !== said) ? words : values.map(String);
    texts.forEach((text, index) => {
      const hint = words[index] === text ? (places[index] ?? 0) : 0;
      const from = said.startsWith(text, hint) ? hint : said.toLowerCase().indexOf(text.toLowerCase());
      if (text && from >= 0) found.push({ from, to: from + text.length, slot: shortSlot(String(slot["slot"])) });
    });
  }
  found.sort((left, right) => left.from - right.from);
  return found.filter((mark, index) => index === 0 || mark.from >= (found[index - 1]?.to ?? 0));
}

function marked(said: string, marks: Mark[]): ReactNode[] {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const { from, to, slot } of marks) {
    parts.push(said.slice(end, from));
    parts.push(
      <mark key={from}>
        {said.slice(from, to)}
        <small>{slot}</small>
      </mark>,
    );
    end = to;
  }
  return [...parts, said.slice(end)];
}
