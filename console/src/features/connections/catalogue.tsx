import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { call } from "../../api/call";
import { connApi } from "../../api/generated/methods";
import type { conn } from "../../api/generated/types";
import { lastPart } from "../../api/names";
import { useParam } from "../../shell/address";
import { useCrumbs } from "../../shell/crumbs";
import { usePlace } from "../../shell/current-agent";
import { Button } from "../../ui/button";
import { Empty, Loaded, Tag, type Tone } from "../../ui/states";
import { count, t } from "../../words/words";
import { NewConnection } from "./new-connection";
import "./connections.css";

const EVIDENCE: Record<string, Tone> = {
  "real product": "good",
  "wire-compatible server": "tool",
  "vendor document": "retrieval",
};

/** All systems that connections can reach, with what each claim rests on. */
export function Catalogue(): ReactNode {
  const location = usePlace();
  useCrumbs({ label: t("Connections"), href: "/connections" }, { label: t("Connectors") });
  const [filter, setFilter] = useState("");
  const [chosen, setChosen] = useParam("connector");
  const connectors = useQuery({
    queryKey: ["connectors", location],
    queryFn: () => allConnectors(location ?? ""),
    enabled: location !== null,
    staleTime: Infinity,
  });
  return (
    <div className="page">
      <header className="page-head">
        <div className="grow">
          <h1>{t("Connectors")}</h1>
          <p>{t("Systems that tools can read and write. The label says what the connector was tested against.")}</p>
        </div>
      </header>
      <input
        className="input"
        type="search"
        aria-label={t("Filter the connectors")}
        placeholder={t("Filter by name, kind or operation")}
        value={filter}
        onChange={(event) => setFilter(event.target.value)}
      />
      <Loaded query={connectors}>
        {(all) => {
          const words = filter.toLowerCase();
          const shown = all.filter((each) =>
            JSON.stringify([each.displayName, each.category, each.labels]).toLowerCase().includes(words),
          );
          return (
            <>
              <p className="small faint gap-top">{count(shown.length, "{n} connector", "{n} connectors")}</p>
              {!shown.length && <Empty title={t("No connector is called that")} />}
              <ul>
                {shown.map((connector) => (
                  <Row
                    key={connector.name}
                    connector={connector}
                    onUse={() => setChosen(lastPart(connector.name ?? ""))}
                  />
                ))}
              </ul>
            </>
          );
        }}
      </Loaded>
      {chosen && location && <NewConnection location={location} connector={chosen} onClose={() => setChosen("")} />}
    </div>
  );
}

const PAGE = 100;

async function allConnectors(location: string): Promise<conn.Connector[]> {
  const found: conn.Connector[] = [];
  let pageToken = "";
  do {
    const page = await call(connApi.listConnectors, { parent: `${location}/providers/gcp`, pageSize: PAGE, pageToken });
    found.push(...(page.connectors ?? []));
    pageToken = page.nextPageToken ?? "";
  } while (pageToken);
  return found;
}

function Row({ connector, onUse }: { connector: conn.Connector; onUse: () => void }): ReactNode {
  const evidence = connector.labels?.["evidence"] ?? "";
  return (
    <li className="connector">
      <div className="grow">
        <div className="row wrap">
          <b>{connector.displayName}</b>
          <span className="small faint">{connector.category}</span>
          {evidence && <Tag tone={EVIDENCE[evidence] ?? "plain"}>{t(evidence)}</Tag>}
        </div>
        <p className="small muted">{connector.description}</p>
        <p className="small faint mono">{connector.labels?.["operations"]?.toLowerCase()}</p>
      </div>
      <Button small onClick={onUse} aria-label={t("Connect {name}", { name: connector.displayName ?? "" })}>
        {t("Connect")}
      </Button>
    </li>
  );
}
