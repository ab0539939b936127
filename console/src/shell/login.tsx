import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { errorOf, sentence } from "../api/errors";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { TextField } from "../ui/field";
import { t } from "../words/words";
import { Logo } from "./frame";

const SESSION = "/console/session";

/** Tabs hear of a login in another one by it. */
export const LOGINS = "openplaybook-logins";

/** What a person sees whom the server does not know yet. */
export function Login({ onDone }: { onDone: () => void }): ReactNode {
  return (
    <main className="login">
      <div className="card pad">
        <h1 className="row">
          <Logo size={22} />
          OpenPlaybook
        </h1>
        <LoginForm
          then={location.pathname + location.search}
          words={t("This server asks who is there. An API key, or a token of your identity provider, lets you in.")}
          onDone={onDone}
        />
      </div>
    </main>
  );
}

/** The login has ended in the middle of work: what is typed stays behind it. The identity provider is in another tab. */
export function LoginAgain({ onDone, onClose }: { onDone: () => void; onClose: () => void }): ReactNode {
  useEffect(() => {
    const logins = new BroadcastChannel(LOGINS);
    logins.onmessage = onDone;
    return () => logins.close();
  });
  return (
    <Dialog label={t("Your login has ended")} onClose={onClose}>
      <LoginForm
        then="/console/signed-in"
        isAside
        words={t("Sign in again, and repeat what failed. What you typed is still here.")}
        onDone={onDone}
      />
    </Dialog>
  );
}

/** Asks for a key or a token once, or leads to the identity provider; the server keeps it in a cookie that scripts
 * cannot read. */
function LoginForm(props: { words: string; then: string; isAside?: boolean; onDone: () => void }): ReactNode {
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
      props.onDone();
    } catch (error) {
      setWrong(sentence(error));
    }
  }
  return (
    <form className="stack gap-top" onSubmit={enter}>
      <p className="muted">{props.words}</p>
      {hasProvider && (
        <a
          className="btn primary"
          href={`${SESSION}/login?then=${encodeURIComponent(props.then)}`}
          target={props.isAside ? "_blank" : undefined}
          rel="noopener"
        >
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
