import { type ReactNode, useEffect, useState } from "react";
import { useLocation } from "wouter";
import { call } from "../../api/call";
import { connRunApi } from "../../api/generated/methods";
import { forget } from "../../api/query";
import { useCrumbs } from "../../shell/crumbs";
import { LinkButton } from "../../ui/button";
import { Empty, ErrorNote, Loading } from "../../ui/states";
import { say } from "../../ui/toast";
import { t } from "../../words/words";
import { type Answer, answerIn, type Consent } from "./consent";

/** What a user's consent gave becomes a refresh token, which the server keeps. Throws what it says. */
export async function exchanged(code: string, { connection, verifier, redirect }: Consent): Promise<void> {
  const authCodeData = { authCode: code, pkceVerifier: verifier, redirectUri: redirect };
  await call(connRunApi.exchangeAuthCode, { name: connection, authCodeData });
  forget();
}

/** Where a system leads a user's browser back to: the code in the address is exchanged, and gone from it at once. */
export function ConsentView(): ReactNode {
  useCrumbs({ label: t("Connections"), href: "/connections" }, { label: t("Consent") });
  const [, navigate] = useLocation();
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    if (!location.search) return;
    const found = answerIn(location.href);
    history.replaceState(null, "", location.pathname);
    setAnswer(found);
    if (!("code" in found)) return;
    exchanged(found.code, found.consent)
      .then(() => {
        say(t("You are signed in."));
        navigate(`/${found.consent.connection}`, { replace: true });
      })
      .catch(setError);
  }, [navigate]);
  const connection = answer && ("code" in answer ? answer.consent.connection : answer.connection);
  if (answer && "code" in answer && !error) return <Loading />;
  return (
    <Empty title={answer && !connection ? t("This sign-in was not begun in this tab") : t("Nobody signed in")}>
      {error ? <ErrorNote error={error} /> : null}
      {answer && "refusal" in answer && answer.refusal && (
        <p>{t("The system says: {words}", { words: answer.refusal })}</p>
      )}
      <LinkButton href={connection ? `/${connection}` : "/connections"}>{t("Back to the connection")}</LinkButton>
    </Empty>
  );
}
