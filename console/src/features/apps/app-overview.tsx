import { IconDownload, IconTrash } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { Link, useLocation } from "wouter";
import { call } from "../../api/call";
import { sentence } from "../../api/errors";
import { cesApi } from "../../api/generated/methods";
import type { ces } from "../../api/generated/types";
import { forget, useRpc } from "../../api/query";
import type { ViewProps } from "../../routes";
import { useCrumbs } from "../../shell/crumbs";
import { simulatorOf } from "../../shell/navigation";
import { Button, LinkButton } from "../../ui/button";
import { download } from "../../ui/code";
import { Confirm } from "../../ui/dialog";
import { Loaded, Tag } from "../../ui/states";
import { say } from "../../ui/toast";
import { t } from "../../words/words";
import { finished } from "../agents/operations";
import { AppFindings } from "./app-findings";
import { HandOvers } from "./hand-overs";
import { Variables } from "./variables";
import "./apps.css";

/** An app: its agents and whom they hand over to, its variables. */
export function AppOverview({ name }: ViewProps): ReactNode {
  const app = useRpc(cesApi.getApp, { name });
  return <Loaded query={app}>{(data) => <Overview app={data} />}</Loaded>;
}

function Overview({ app }: { app: ces.App }): ReactNode {
  const name = app.name ?? "";
  const [, navigate] = useLocation();
  const [isDeleting, setDeleting] = useState(false);
  const agents = useRpc(cesApi.listAgents, { parent: name, pageSize: 500 });
  useCrumbs({ label: t("Agents and apps"), href: "/agents" }, { label: app.displayName ?? "" });
  async function remove(): Promise<void> {
    try {
      await finished(await call(cesApi.deleteApp, { name }));
      forget(cesApi.listApps);
      navigate("/agents");
    } catch (error) {
      say(sentence(error));
    }
  }
  return (
    <div className="page">
      <header className="page-head">
        <div className="grow">
          <h1>{app.displayName}</h1>
          <p>{app.description}</p>
          <p className="small faint mono">{name}</p>
        </div>
        <Button icon={<IconDownload size={15} />} onClick={() => void exportApp(app)}>
          {t("Export")}
        </Button>
        <LinkButton kind="primary" href={simulatorOf(name)}>
          {t("Talk")}
        </LinkButton>
      </header>
      <Loaded query={agents}>
        {(data) => (
          <section>
            <h2>{t("Agents and their hand-overs")}</h2>
            <HandOvers agents={data.agents ?? []} root={app.rootAgent ?? ""} />
            <AgentTable agents={data.agents ?? []} root={app.rootAgent ?? ""} />
          </section>
        )}
      </Loaded>
      <Variables app={app} />
      <AppFindings app={name} />
      <p className="gap-top row">
        <span className="grow" />
        <Button kind="danger" icon={<IconTrash size={15} />} onClick={() => setDeleting(true)}>
          {t("Delete the app")}
        </Button>
      </p>
      {isDeleting && (
        <Confirm
          title={t("Delete the app for good?")}
          action={t("Delete")}
          typed={app.displayName ?? ""}
          onConfirm={() => void remove()}
          onClose={() => setDeleting(false)}
        >
          {t("Its agents, tools and guardrails go with it. It cannot be undone; an export keeps them.")}
        </Confirm>
      )}
    </div>
  );
}

function AgentTable({ agents, root }: { agents: ces.Agent[]; root: string }): ReactNode {
  return (
    <table>
      <thead>
        <tr>
          <th>{t("Agent")}</th>
          <th>{t("What it does")}</th>
          <th>{t("Tools")}</th>
        </tr>
      </thead>
      <tbody>
        {agents.map((agent) => (
          <tr key={agent.name}>
            <td>
              <Link href={`/${agent.name}`}>
                <b>{agent.displayName}</b>
              </Link>{" "}
              {agent.name === root && <Tag tone="good">{t("begins")}</Tag>}
            </td>
            <td className="muted">{agent.description || agent.instruction?.slice(0, 160)}</td>
            <td className="num">{(agent.tools?.length ?? 0) + (agent.toolsets?.length ?? 0)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

async function exportApp(app: ces.App): Promise<void> {
  try {
    const operation = await finished(await call(cesApi.exportApp, { name: app.name ?? "", exportFormat: "JSON" }));
    const content = String((operation.response as { appContent?: string } | undefined)?.appContent ?? "");
    const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
    download(new Blob([bytes], { type: "application/zip" }), `${app.displayName}.zip`);
  } catch (error) {
    say(sentence(error));
  }
}
