import { type ReactNode, useEffect, useRef, useState } from "react";
import type { op } from "../api/generated/types";
import { jsonOf } from "../api/json";
import { t } from "../words/words";

const QUIET_MS = 500;

/** What the server finds in a resource that is not stored yet, half a second after the last change. */
export function useChecks(subject: object, ask: (signal: AbortSignal) => Promise<op.Problem[]>): op.Problem[] {
  const [problems, setProblems] = useState<op.Problem[]>([]);
  const latest = useRef(ask);
  latest.current = ask;
  const text = jsonOf(subject);
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(() => {
      // What cannot be checked is said when it is saved.
      latest.current(controller.signal).then(setProblems, () => undefined);
    }, QUIET_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text]);
  return problems;
}

const SHOWN = 20;

export function Checks({ problems }: { problems: op.Problem[] }): ReactNode {
  if (!problems.length) return null;
  return (
    <ul className="stack" aria-label={t("Remarks")}>
      {problems.slice(0, SHOWN).map((problem, index) => (
        <li key={index} className={problem.severity === "ERROR" ? "note bad" : "note"}>
          <p>
            {problem.message} {problem.fix && t("Did you mean “{name}”?", { name: problem.fix })}
            <small className="mono">{problem.path}</small>
          </p>
        </li>
      ))}
    </ul>
  );
}
