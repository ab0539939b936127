import { IconDownload, IconTrash } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { Link, useLocation } from "wouter";
import { call } from "../../api/call";
import { sentence } from "../../api/errors";
import { cxApi } from "../../api/generated/methods";
import type { cx } from "../../api/generated/types";
import { forget, useRpc } from "../../api/query";
import type { ViewProps } from "../../routes";
import { useCrumbs } from "../../shell/crumbs";
import { simulatorOf } from "../../shell/navigation";
import { Button, LinkButton } from "../../ui/button";
import { download } from "../../ui/code";
import { Confirm } from "../../ui/dialog";
import { Loaded } from "../../ui/states";
import { say } from "../../ui/toast";
import { t } from "../../words/words";
import { CompareAgents } from "./compare-agents";
import { finished } from "./operations";
import { Validation } from "./validation";
import "./agents.css";

export function AgentOverview({ name }: ViewProps): ReactNode {
  const agent = useRpc(cxApi.getAgent, { name });
  return <Loaded query={agent}>{(data) => <Overview agent={data} />}</Loaded>;
}

function Overview({ agent }: { agent: cx.Agent }): ReactNode {
  const name = agent.name ?? "";
  const title = agent.displayName ?? "";
  const [, navigate] = useLocation();
  const [isDeleting, setDeleting] = useState(false);
  const [isComparing, setComparing] = useState(false);
  useCrumbs({ label: t("Agents and apps"), href: "/agents" }, { label: title });
  const playbooks = useRpc(cxApi.listPlaybooks, { parent: name, pageSize: 200 }).data?.playbooks;
  const tools = useRpc(cxApi.listTools, { parent: name, pageSize: 500 }).data?.tools;
  async function remove(): Promise<void> {
    try {
      await call(cxApi.deleteAgent, { name });
      forget(cxApi.listAgents);
      navigate("/agents");
    } catch (error) {
      say(sentence(error));
    }
  }
  return (
    <div className="page">
      <header className="page-head">
        <div className="grow">
          <h1>{title}</h1>
          <p>{agent.description}</p>
          <p className="small faint mono">{name}</p>
        </div>
        <Button icon={<IconDownload size={15} />} onClick={() => void exportAgent(agent)}>
          {t("Export")}
        </Button>
        <LinkButton kind="primary" href={simulatorOf(name)}>
          {t("Talk")}
        </LinkButton>
      </header>
      <div className="tiles">
        <Link href={`/${name}/playbooks`} className="card pad">
          <b>{t("How it goes")}</b>
          <span className="muted clip">{playbooks?.map(({ displayName }) => displayName).join(", ")}</span>
        </Link>
        <Link href={`/${name}/tools`} className="card pad">
          <b>{t("What it can call")}</b>
          <span className="muted clip">{tools?.map(({ displayName }) => displayName).join(", ")}</span>
        </Link>
        <Link href={`/${name}/conversations`} className="card pad">
          <b>{t("What was said")}</b>
          <span className="muted">{t("and everything that happened for it")}</span>
        </Link>
      </div>
      <Validation agent={name} />
      <section className="gap-top row wrap">
        <Button onClick={() => setComparing(true)}>{t("Compare with another agent")}</Button>
        <span className="grow" />
        <Button kind="danger" icon={<IconTrash size={15} />} onClick={() => setDeleting(true)}>
          {t("Delete the agent")}
        </Button>
      </section>
      {isComparing && <CompareAgents agent={agent} onClose={() => setComparing(false)} />}
      {isDeleting && (
        <Confirm
          title={t("Delete the agent for good?")}
          action={t("Delete")}
          typed={title}
          onConfirm={() => void remove()}
          onClose={() => setDeleting(false)}
        >
          {t("Its playbooks, tools and examples go with it. It cannot be undone; an export keeps them.")}
        </Confirm>
      )}
    </div>
  );
}

async function exportAgent(agent: cx.Agent): Promise<void> {
  try {
    const operation = await finished(
      await call(cxApi.exportAgent, { name: agent.name ?? "", dataFormat: "JSON_PACKAGE" }),
    );
    const content = String((operation.response as { agentContent?: string } | undefined)?.agentContent ?? "");
    const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
    download(new Blob([bytes], { type: "application/zip" }), `${agent.displayName}.zip`);
  } catch (error) {
    say(sentence(error));
  }
}
