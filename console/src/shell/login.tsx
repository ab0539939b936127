import { type FormEvent, type ReactNode, useState } from "react";
import { errorOf, sentence } from "../api/errors";
import { Button } from "../ui/button";
import { TextField } from "../ui/field";
import { t } from "../words/words";
import { Logo } from "./frame";

/** Asks for a key or a token once; the server keeps it in a cookie that scripts cannot read. */
export function Login({ onDone }: { onDone: () => void }): ReactNode {
  const [key, setKey] = useState("");
  const [wrong, setWrong] = useState("");
  async function enter(event: FormEvent): Promise<void> {
    event.preventDefault();
    setWrong("");
    try {
      const response = await fetch("/console/session", {
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
        <TextField
          label={t("API key or token")}
          type="password"
          value={key}
          onChange={setKey}
          wrong={wrong || undefined}
          autoFocus
        />
        <Button kind="primary" type="submit" disabled={!key}>
          {t("Enter")}
        </Button>
      </form>
    </main>
  );
}
