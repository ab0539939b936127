import { IconPlus, IconUpload } from "@tabler/icons-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { Link, useLocation } from "wouter";
import { cxApi, opApi } from "../../api/generated/methods";
import type { op } from "../../api/generated/types";
import { useRpc } from "../../api/query";
import { useCrumbs } from "../../shell/crumbs";
import { useCurrent, useWholesQuery, type Whole } from "../../shell/current-agent";
import { simulatorOf } from "../../shell/navigation";
import { Button, LinkButton } from "../../ui/button";
import { Loaded } from "../../ui/states";
import { t } from "../../words/words";
import { DropZone } from "../agents/drop-zone";
import { WholesTable } from "../agents/wholes-table";
import "./start.css";

const PETS_TRIES = ["show me pet 3", "add a dog named Rex owned by Jonas", "where is my nearest shelter, 94043"];

/** Is it well, what answers, and talk at once. */
export function Start(): ReactNode {
  useCrumbs({ label: t("Start") });
  const whole = useCurrent();
  const query = useWholesQuery();
  return (
    <div className="page">
      <header className="hero">
        <h1>
          {!query.data
            ? "OpenPlaybook"
            : whole
              ? t("Good to go. {agent} answers.", { agent: whole.title })
              : t("Good to go. There is no agent yet.")}
        </h1>
        <p>
          {t(
            "A server for playbook agents that speaks the APIs of Dialogflow CX and CX Agent Studio. Agents, conversations and secrets stay on it.",
          )}
        </p>
        <Facts />
      </header>
      <div className="two">
        {whole ? <TalkBox whole={whole} /> : query.data && <NoAgent />}
        <FirstAgent />
      </div>
      <section className="gap-top">
        <div className="row">
          <h2 className="grow">{t("Agents and apps")}</h2>
          <LinkButton href="/agents?import=1" small icon={<IconUpload size={15} />}>
            {t("Import")}
          </LinkButton>
          <LinkButton href="/agents?new=1" small icon={<IconPlus size={15} />}>
            {t("New")}
          </LinkButton>
        </div>
        <Loaded query={query}>{(wholes) => wholes.length > 0 && <WholesTable wholes={wholes} />}</Loaded>
        <DropZone />
      </section>
    </div>
  );
}

function Facts(): ReactNode {
  const info = useRpc(opApi.getServerInfo, {});
  const doctor = useRpc(opApi.doctor, {});
  const broken = doctor.data?.checks?.filter(({ ok }) => !ok) ?? [];
  return (
    <>
      <Loaded query={info}>{(data) => <FactLine info={data} />}</Loaded>
      {broken.length > 0 && (
        <p className="small muted linked">
          {t("{what} does not work here.", { what: broken.map(({ name }) => name ?? "").join(", ") })}{" "}
          <Link href="/health">{t("What to do about it")}</Link>
        </p>
      )}
    </>
  );
}

function FactLine({ info }: { info: op.ServerInfo }): ReactNode {
  const model = info.models?.[0];
  return (
    <dl className="facts">
      <Fact label={t("Model")}>
        <b>{model?.name}</b> {model && !model.writes && t("plans from examples, no key")}
      </Fact>
      <Fact label={t("Code")} off={!info.features?.["code"]}>
        <b>{info.features?.["code"] ? t("runs in its sandbox") : t("does not run here")}</b>
      </Fact>
      <Fact label="REST">
        <code>{info.httpAddress?.replace(/^https?:\/\//, "")}</code>
      </Fact>
      {info.grpcAddress && (
        <Fact label="gRPC">
          <code>{info.grpcAddress}</code>
        </Fact>
      )}
    </dl>
  );
}

function Fact({ label, off, children }: { label: string; off?: boolean; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>
        <span className={off ? "dot off" : "dot"} aria-hidden="true" /> {label}
      </dt>
      <dd>{children}</dd>
    </div>
  );
}

function TalkBox({ whole }: { whole: Whole }): ReactNode {
  const [, navigate] = useLocation();
  const [text, setText] = useState("");
  const examples = useRpc(cxApi.listPlaybooks, whole.isApp ? null : { parent: whole.name, pageSize: 1 });
  const goal = examples.data?.playbooks?.[0]?.goal;
  const tries = whole.title === "Pets" ? PETS_TRIES : [t("hello"), t("what can you do?")];
  function talk(words: string): void {
    navigate(`${simulatorOf(whole.name)}?say=${encodeURIComponent(words)}`);
  }
  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    if (text.trim()) talk(text.trim());
  }
  return (
    <section className="card pad">
      <div className="row">
        <span className="face" aria-hidden="true">
          {whole.title.slice(0, 1).toUpperCase()}
        </span>
        <div className="grow">
          <h2>{t("Talk to {agent}", { agent: whole.title })}</h2>
          <p className="small faint clip">{whole.about || goal || ""}</p>
        </div>
        <LinkButton href={`/${whole.name}`} kind="quiet">
          {t("See how it is made")}
        </LinkButton>
      </div>
      <form className="try" onSubmit={onSubmit}>
        <input
          className="input"
          aria-label={t("What to say")}
          placeholder={t("Say something")}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button kind="primary" type="submit">
          {t("Talk")}
        </Button>
      </form>
      <div className="tries">
        {tries.map((words) => (
          <button key={words} type="button" className="chip" onClick={() => talk(words)}>
            {words}
          </button>
        ))}
      </div>
    </section>
  );
}

function NoAgent(): ReactNode {
  return (
    <section className="card pad stack">
      <h2>{t("Nothing to talk to yet")}</h2>
      <p className="muted">
        {t(
          "Make an agent from a template, or drop an export below. The command openplaybook demo brings the pets agent.",
        )}
      </p>
      <div>
        <LinkButton href="/agents?new=1" kind="primary">
          {t("Make an agent")}
        </LinkButton>
      </div>
    </section>
  );
}

function FirstAgent(): ReactNode {
  return (
    <section className="card pad">
      <h2>{t("Your first agent, in ten minutes")}</h2>
      <ol className="path">
        <li>
          <div>
            {t("Say what it is for")}
            <small>{t("A goal and three sentences are enough to start")}</small>
          </div>
        </li>
        <li>
          <div>
            {t("Give it a tool")}
            <small>{t("Paste an API’s description, or one sample request and response")}</small>
          </div>
        </li>
        <li>
          <div>
            {t("Talk, and keep what went well")}
            <small>{t("One click makes a turn an example")}</small>
          </div>
        </li>
      </ol>
      <LinkButton href="/agents?new=1">{t("Start with a template")}</LinkButton>
    </section>
  );
}
