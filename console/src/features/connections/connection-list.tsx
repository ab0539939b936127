import type { ReactNode } from "react";
import { Link } from "wouter";
import { connApi } from "../../api/generated/methods";
import { lastPart } from "../../api/names";
import { useRpc } from "../../api/query";
import { useCrumbs } from "../../shell/crumbs";
import { usePlace } from "../../shell/current-agent";
import { LinkButton } from "../../ui/button";
import { StateTag } from "./state-tag";
import { Empty, Loaded } from "../../ui/states";
import { ago } from "../../words/format";
import { t } from "../../words/words";
import "./connections.css";

export function ConnectionList(): ReactNode {
  useCrumbs({ label: t("Connections") });
  const location = usePlace();
  const connections = useRpc(connApi.listConnections, location ? { parent: location, pageSize: 200 } : null);
  return (
    <div className="page">
      <header className="page-head">
        <div className="grow">
          <h1>{t("Connections")}</h1>
          <p>{t("Databases and services that connector tools use.")}</p>
        </div>
        <LinkButton kind="primary" href="/connectors">
          {t("New connection")}
        </LinkButton>
      </header>
      <Loaded query={connections}>
        {(data) =>
          data.connections?.length ? (
            <table>
              <thead>
                <tr>
                  <th>{t("Name")}</th>
                  <th>{t("Connector")}</th>
                  <th>{t("State")}</th>
                  <th>{t("Changed")}</th>
                </tr>
              </thead>
              <tbody>
                {data.connections.map((connection) => (
                  <tr key={connection.name}>
                    <td>
                      <Link href={`/${connection.name}`}>
                        <b>{lastPart(connection.name ?? "")}</b>
                      </Link>
                      <div className="small faint">{connection.description}</div>
                    </td>
                    <td>{connection.connectorVersion?.split("/connectors/")[1]?.split("/")[0]}</td>
                    <td>
                      <StateTag connection={connection} />
                    </td>
                    <td className="faint">{ago(connection.updateTime)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          ) : (
            <Empty title={t("No connections yet")}>
              <LinkButton href="/connectors">{t("Choose a connector")}</LinkButton>
            </Empty>
          )
        }
      </Loaded>
    </div>
  );
}
