import type { ReactNode } from "react";
import { isObject, type JsonObject } from "../../api/json";
import { list } from "../../schema-form/schema";
import { count, t } from "../../words/words";

/** How far an import is, as its operation says while it runs. */
export interface ImportState {
  good: number;
  bad: number;
  /** Documents in all; 0 while that is not known. */
  all: number;
  /** Documents in a second since the import began; 0 before the first. */
  rate: number;
  errors: string[];
  isDone: boolean;
}

/** From the metadata (and at the end the response) of an import, seconds after it began. */
export function importState(metadata: JsonObject, seconds: number, response?: JsonObject): ImportState {
  const good = Number(metadata["successCount"] ?? 0);
  const bad = Number(metadata["failureCount"] ?? 0);
  const errors = list((response ?? metadata)["errorSamples"]).filter(isObject);
  return {
    good,
    bad,
    all: Number(metadata["totalCount"] ?? 0),
    rate: seconds > 0 ? (good + bad) / seconds : 0,
    errors: errors.map((each) => String(each["message"] ?? "")),
    isDone: response !== undefined,
  };
}

/** Seconds until the rest is done at the same rate; null while that cannot be known. */
export function secondsLeft({ good, bad, all, rate }: ImportState): number | null {
  return rate > 0 && all > 0 ? Math.ceil(Math.max(0, all - good - bad) / rate) : null;
}

export function ImportProgress({ state }: { state: ImportState }): ReactNode {
  const { good, bad, all, rate, errors, isDone } = state;
  const left = isDone ? null : secondsLeft(state);
  return (
    <div className="stack">
      {!isDone && (
        <>
          <progress
            className="wide"
            aria-label={t("Progress of the import")}
            {...(all ? { max: all, value: good + bad } : {})}
          />
          <p className="row wrap small muted num">
            <span>
              {all
                ? t("{n} of {all} documents", { n: good + bad, all })
                : count(good + bad, "{n} document", "{n} documents")}
            </span>
            {rate > 0 && <span>{t("{n} a second", { n: rate >= 10 ? Math.round(rate) : rate.toFixed(1) })}</span>}
            {left !== null && <span>{t("about {n} s left", { n: left })}</span>}
          </p>
        </>
      )}
      <p className={bad ? "note" : isDone ? "note good" : "sr"} role="status">
        {t("{good} added, {bad} failed.", { good, bad })}
      </p>
      {errors.length > 0 && (
        <ul className="stack" aria-label={t("What is wrong with which document")}>
          {errors.map((text, index) => (
            <li key={index} className="note bad">
              {text}
            </li>
          ))}
        </ul>
      )}
      {bad > errors.length && errors.length > 0 && (
        <p className="small muted">{t("The first {n} of {all} errors.", { n: errors.length, all: bad })}</p>
      )}
    </div>
  );
}
