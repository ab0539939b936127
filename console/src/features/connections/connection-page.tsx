import { type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import { call } from "../../api/call";
import { sentence } from "../../api/errors";
import { connApi } from "../../api/generated/methods";
import type { conn } from "../../api/generated/types";
import { lastPart } from "../../api/names";
import { forget, useRpc } from "../../api/query";
import type { ViewProps } from "../../routes";
import { useCrumbs } from "../../shell/crumbs";
import { Button } from "../../ui/button";
import { JsonView } from "../../ui/code";
import { Confirm } from "../../ui/dialog";
import { Empty, Loaded } from "../../ui/states";
import { say } from "../../ui/toast";
import { count, t } from "../../words/words";
import { ConsentCard } from "./consent-card";
import { StateTag } from "./state-tag";
import { TrialSteps, useTrial } from "./trial";
import "./connections.css";

export function ConnectionPage({ name }: ViewProps): ReactNode {
  const connection = useRpc(connApi.getConnection, { name });
  return <Loaded query={connection}>{(data) => <Connection connection={data} />}</Loaded>;
}

function Connection({ connection }: { connection: conn.Connection }): ReactNode {
  const name = connection.name ?? "";
  const [, navigate] = useLocation();
  const [isDeleting, setDeleting] = useState(false);
  const trial = useTrial();
  const waits = connection.status?.state === "AUTHORIZATION_REQUIRED";
  const entities = useRpc(connApi.listRuntimeEntitySchemas, waits ? null : { parent: name });
  useCrumbs({ label: t("Connections"), href: "/connections" }, { label: lastPart(name) });
  return (
    <div className="page">
      <header className="page-head">
        <div className="grow">
          <div className="row wrap">
            <h1>{lastPart(name)}</h1>
            <StateTag connection={connection} />
          </div>
          <p>{connection.description}</p>
          {connection.status?.description && <p className="note bad">{connection.status.description}</p>}
        </div>
        <Button disabled={trial.isBusy} onClick={() => void trial.run({ name }).then(() => entities.refetch())}>
          {t("Test connection")}
        </Button>
        <Button kind="danger" onClick={() => setDeleting(true)}>
          {t("Delete")}
        </Button>
      </header>
      <TrialSteps trial={trial} />
      {connection.authConfig?.authType === "OAUTH2_AUTH_CODE_FLOW" && <ConsentCard connection={connection} />}
      {!waits && <h2 className="gap-top">{t("What it reaches")}</h2>}
      {!waits && (
        <Loaded query={entities}>
          {(data) => {
            const found = data.runtimeEntitySchemas ?? [];
            return found.length ? (
              <>
                <p className="note good gap-top">
                  {count(found.length, "The system answers: {n} entity.", "The system answers: {n} entities.")}
                </p>
                <ul className="stack gap-top">
                  {found.map((schema, index) => (
                    <Entity key={index} schema={schema} />
                  ))}
                </ul>
              </>
            ) : (
              <Empty title={t("The system answers, and shows no entities")} />
            );
          }}
        </Loaded>
      )}
      <h2 className="gap-top">{t("How it is set")}</h2>
      <JsonView value={connection} label={t("Connection")} />
      {isDeleting && (
        <Confirm
          title={t("Delete the connection for good?")}
          action={t("Delete")}
          typed={lastPart(name)}
          onClose={() => setDeleting(false)}
          onConfirm={() => {
            void call(connApi.deleteConnection, { name })
              .then(() => {
                forget(connApi.listConnections);
                navigate("/connections");
              })
              .catch((error: unknown) => say(sentence(error)));
          }}
        >
          {t("Tools that use it fail from then on.")}
        </Confirm>
      )}
    </div>
  );
}

function Entity({ schema }: { schema: conn.RuntimeEntitySchema }): ReactNode {
  return (
    <li>
      <details>
        <summary>
          <b className="mono">{schema.entity}</b>{" "}
          <span className="small faint">{count(schema.fields?.length ?? 0, "{n} field", "{n} fields")}</span>
        </summary>
        <table>
          <tbody>
            {schema.fields?.map((field) => (
              <tr key={field.field}>
                <td className="mono">{field.field}</td>
                <td className="muted">{field.dataType?.replace("DATA_TYPE_", "").toLowerCase()}</td>
                <td className="muted">
                  {[field.key ? t("key") : "", field.readonly ? t("read only") : "", field.description]
                    .filter(Boolean)
                    .join(" · ")}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </li>
  );
}
