import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { errorOf, sentence } from "../api/errors";
import { Button } from "../ui/button";
import { TextField } from "../ui/field";
import { t } from "../words/words";
import { Logo } from "./frame";

const SESSION = "/console/session";

/** Asks for a key or a token once, or leads to the identity provider; the server keeps it in a cookie that scripts
 * cannot read. */
export function Login({ onDone }: { onDone: () => void }): ReactNode {
  const [key, setKey] = useState("");
  const [wrong, setWrong] = useState("");
  const [hasProvider, setHasProvider] = useState(false);
  useEffect(() => {
    void hasCodeLogin().then(setHasProvider);
  }, []);
  async function enter(event: FormEvent): Promise<void> {
    event.preventDefault();
    setWrong("");
    try {
      const response = await fetch(SESSION, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-OpenPlaybook-Console": "1" },
        body: JSON.stringify({ key }),
      });
      if (!response.ok) throw await errorOf(response);
      onDone();
    } catch (error) {
      setWrong(sentence(error));
    }
  }
  const here = encodeURIComponent(location.pathname + location.search);
  return (
    <main className="login">
      <form className="card pad stack" onSubmit={enter}>
        <h1 className="row">
          <Logo size={22} />
          OpenPlaybook
        </h1>
        <p className="muted">
          {t("This server asks who is there. An API key, or a token of your identity provider, lets you in.")}
        </p>
        {hasProvider && (
          <a className="btn primary" href={`${SESSION}/login?then=${here}`}>
            {t("Sign in at your identity provider")}
          </a>
        )}
        <TextField
          label={t("API key or token")}
          type="password"
          value={key}
          onChange={setKey}
          wrong={wrong || undefined}
          autoFocus={!hasProvider}
        />
        <Button kind={hasProvider ? "plain" : "primary"} type="submit" disabled={!key}>
          {t("Enter")}
        </Button>
      </form>
    </main>
  );
}

/** Whether the server has a login in the browser; where it cannot say, a key lets in all the same. */
async function hasCodeLogin(): Promise<boolean> {
  try {
    const response = await fetch(SESSION);
    return response.ok && ((await response.json()) as { codeLogin?: boolean }).codeLogin === true;
  } catch {
    return false;
  }
}
