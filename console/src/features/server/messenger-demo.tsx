import { createElement, type ReactNode, useEffect, useState } from "react";
import { useCrumbs } from "../../shell/crumbs";
import { useCurrent, useWholes } from "../../shell/current-agent";
import { CopyButton, TextView } from "../../ui/code";
import { ErrorNote } from "../../ui/states";
import { SelectField, TextField } from "../../ui/field";
import { t } from "../../words/words";
import "../start/start.css";

const SCRIPT = "/console/messenger.js";

/** The chat for one's own site, tried out, with what to paste. */
export function MessengerDemo(): ReactNode {
  useCrumbs({ label: t("Messenger") });
  const whole = useCurrent();
  const wholes = useWholes() ?? [];
  const [chosen, setChosen] = useState("");
  const [title, setTitle] = useState("");
  const [error, setError] = useState<unknown>(null);
  const agent = chosen || whole?.name || "";
  const shownTitle = title || whole?.title || t("Chat");
  useEffect(() => {
    import(/* @vite-ignore */ SCRIPT).catch(setError);
  }, []);
  const snippet = `<script type="module" src="${location.origin}${SCRIPT}"></script>
<openplaybook-messenger
  server="${location.origin}"
  agent="${agent}"
  chat-title="${shownTitle.replaceAll('"', "&quot;")}"
  language-code="en"
></openplaybook-messenger>`;
  return (
    <div className="page">
      <header className="page-head">
        <div className="grow">
          <h1>{t("Messenger")}</h1>
          <p>{t("A chat for your own site. It shows rich content, and runs function tools in the page.")}</p>
        </div>
      </header>
      {error ? <ErrorNote error={error} what={t("The messenger was not loaded.")} /> : null}
      <div className="two">
        <section className="stack">
          <SelectField
            label={t("Agent")}
            value={agent}
            options={wholes.map((each) => ({ value: each.name, label: each.title }))}
            onChange={setChosen}
          />
          <TextField label={t("Title")} value={title} placeholder={shownTitle} onChange={setTitle} />
          <div className="row">
            <h2 className="grow">{t("What to paste")}</h2>
            <CopyButton text={snippet} label={t("Copy")} />
          </div>
          <TextView text={snippet} label={t("What to paste")} />
          <p className="small muted">
            {t(
              "The server must allow the site’s origin (cors_origins). For a server that asks for keys, your back end gets a session-token for the page (createToken of the session).",
            )}
          </p>
        </section>
        <section className="card" aria-label={t("The messenger")}>
          {agent &&
            createElement("openplaybook-messenger", { key: agent, agent, "chat-title": shownTitle, inline: "" })}
        </section>
      </div>
    </div>
  );
}
