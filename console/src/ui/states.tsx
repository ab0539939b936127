import { type ReactNode, useEffect, useState } from "react";
import { ApiError, sentence } from "../api/errors";
import { t } from "../words/words";
import { Button } from "./button";

export type Tone = "plain" | "tool" | "model" | "code" | "retrieval" | "pause" | "hand" | "bad" | "good";

export function Tag({ tone = "plain", children }: { tone?: Tone; children: ReactNode }): ReactNode {
  return <span className={`tag tone-${tone}`}>{children}</span>;
}

/** What belongs here and the one next step. */
export function Empty({ title, children }: { title: string; children?: ReactNode }): ReactNode {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** Grey lines, after 150 ms: what is faster shows nothing. */
export function Loading(): ReactNode {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 150);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" aria-label={t("Loading")}>
      {late && (
        <div className="ghosts" aria-hidden="true">
          <i />
          <i />
          <i />
        </div>
      )}
    </div>
  );
}

/** What failed, in the server's words, its code, and a way to repeat it. */
export function ErrorNote({
  error,
  onRetry,
  what,
}: {
  error: unknown;
  onRetry?: () => void;
  what?: string;
}): ReactNode {
  return (
    <div className="note bad" role="alert">
      <p className="grow">
        {what && <b>{what} </b>}
        {sentence(error)}
        {error instanceof ApiError && <small className="mono">{error.code}</small>}
      </p>
      {onRetry && (
        <Button small onClick={onRetry}>
          {t("Try again")}
        </Button>
      )}
    </div>
  );
}

/** The states of a query before it has data; then its content. */
export function Loaded<Data>(props: {
  query: { data: Data | undefined; error: unknown; refetch: () => unknown };
  children: (data: Data) => ReactNode;
}): ReactNode {
  const { data, error, refetch } = props.query;
  return (
    <>
      {error ? <ErrorNote error={error} onRetry={() => void refetch()} /> : null}
      {data === undefined ? error ? null : <Loading /> : props.children(data)}
    </>
  );
}
