import { type FormEvent, type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import { call } from "../../api/call";
import { connApi } from "../../api/generated/methods";
import type { conn } from "../../api/generated/types";
import { asJson } from "../../api/json";
import { forget, useRpc } from "../../api/query";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { CheckField, SelectField, TextField } from "../../ui/field";
import { ErrorNote, Loaded } from "../../ui/states";
import { t } from "../../words/words";
import { finished } from "../agents/operations";
import { Secret } from "../tools/authentication";
import { TrialSteps, useTrial } from "./trial";
import "./connections.css";

/** A connection by its connector's own list of fields, with what most people leave alone filled in. */
export function NewConnection({
  location,
  connector,
  onClose,
}: {
  location: string;
  connector: string;
  onClose: () => void;
}): ReactNode {
  const parent = `${location}/providers/gcp/connectors/${connector}`;
  const versions = useRpc(connApi.listConnectorVersions, { parent });
  return (
    <Dialog label={t("Connect {name}", { name: connector })} onClose={onClose} className="wide-dialog">
      <Loaded query={versions}>
        {(data) => {
          const version = data.connectorVersions?.[0];
          return version ? (
            <Form location={location} connector={connector} version={version} onClose={onClose} />
          ) : null;
        }}
      </Loaded>
    </Dialog>
  );
}

function Form(props: {
  location: string;
  connector: string;
  version: conn.ConnectorVersion;
  onClose: () => void;
}): ReactNode {
  const { version, connector, location } = props;
  const [, navigate] = useLocation();
  const [id, setId] = useState(connector);
  const [values, setValues] = useState<Record<string, string>>({});
  const [hosts, setHosts] = useState<Record<string, string>>({});
  const auths = version.authConfigTemplates ?? [];
  const [authType, setAuthType] = useState(
    auths.find(({ isDefault }) => isDefault)?.authType ?? auths[0]?.authType ?? "",
  );
  const [username, setUsername] = useState("");
  const [secret, setSecret] = useState("");
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const templates = version.configVariableTemplates ?? [];
  const destinations = version.destinationConfigTemplates ?? [];
  const hidden = new Set(destinations.length ? ["host", "port"] : []);
  const missing = templates.some(({ key, required }) => required && !values[key ?? ""]);

  const trial = useTrial();

  function drafted(): conn.Connection {
    const connection: conn.Connection = {
      connectorVersion: version.name ?? "",
      configVariables: templates.flatMap((template) => variableOf(template, values[template.key ?? ""] ?? "")),
    };
    const destinationConfigs = destinations.flatMap(({ key }) => destinationOf(key ?? "", hosts[key ?? ""] ?? ""));
    if (destinationConfigs.length) connection.destinationConfigs = destinationConfigs;
    if (authType === "USER_PASSWORD" && username)
      connection.authConfig = { authType, userPassword: { username, password: { secretVersion: secret } } };
    return connection;
  }
  async function create(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      const operation = await call(connApi.createConnection, {
        parent: location,
        connectionId: id,
        connection: drafted(),
      });
      await finished(operation);
      forget(connApi.listConnections);
      navigate(`/${location}/connections/${id}`);
    } catch (caught) {
      setError(caught);
    } finally {
      setBusy(false);
    }
  }
  return (
    <form className="stack gap-top" onSubmit={(event) => void create(event)}>
      <TextField
        label={t("Name of the connection")}
        value={id}
        onChange={setId}
        required
        hint={t("Small letters, digits and hyphens.")}
      />
      {destinations.map(({ key = "", displayName, defaultPort, description }) => (
        <TextField
          key={key}
          label={displayName ?? key}
          value={hosts[key] ?? ""}
          placeholder={defaultPort ? `db.example.com:${defaultPort}` : "db.example.com"}
          hint={description}
          onChange={(next) => setHosts({ ...hosts, [key]: next })}
        />
      ))}
      <div className="pair">
        {templates
          .filter(({ key }) => !hidden.has(key ?? ""))
          .map((template) => (
            <Variable
              key={template.key}
              template={template}
              value={values[template.key ?? ""] ?? ""}
              onChange={(next) => setValues({ ...values, [template.key ?? ""]: next })}
            />
          ))}
      </div>
      {auths.length > 0 && (
        <SelectField
          label={t("Kind of authentication")}
          value={authType}
          none={t("none")}
          options={auths.map((each) => ({
            value: each.authType ?? "",
            label: each.displayName ?? each.authType ?? "",
          }))}
          onChange={(next) => setAuthType(next as typeof authType)}
        />
      )}
      {authType === "USER_PASSWORD" && (
        <>
          <TextField label={t("User")} value={username} onChange={setUsername} />
          <Secret label={t("Password")} typed="" version={secret} onTyped={() => setSecret("")} onVersion={setSecret} />
        </>
      )}
      {authType && authType !== "USER_PASSWORD" && (
        <p className="note plain">
          {t("Create the connection, then set this authentication through the API or the command line.")}
        </p>
      )}
      <TrialSteps trial={trial} />
      {error ? <ErrorNote error={error} /> : null}
      <div className="dialog-foot">
        <Button
          disabled={trial.isBusy || missing}
          onClick={() => void trial.run({ parent: location, connection: asJson(drafted()) })}
        >
          {t("Test connection")}
        </Button>
        <span className="grow" />
        <Button kind="quiet" onClick={props.onClose}>
          {t("Cancel")}
        </Button>
        <Button kind="primary" type="submit" disabled={isBusy || missing || !/^[a-z][a-z0-9-]*$/.test(id)}>
          {isBusy ? t("connecting…") : t("Create")}
        </Button>
      </div>
    </form>
  );
}

function Variable({
  template,
  value,
  onChange,
}: {
  template: conn.ConfigVariableTemplate;
  value: string;
  onChange: (next: string) => void;
}): ReactNode {
  const label = template.displayName ?? template.key ?? "";
  if (template.valueType === "BOOL")
    return (
      <CheckField
        label={label}
        hint={template.description}
        value={value === "true"}
        onChange={(next) => onChange(String(next))}
      />
    );
  if (template.enumOptions?.length)
    return (
      <SelectField
        label={label}
        value={value}
        none={t("not set")}
        hint={template.description}
        options={template.enumOptions.map(({ id, displayName }) => ({
          value: id ?? "",
          label: displayName ?? id ?? "",
        }))}
        onChange={onChange}
      />
    );
  return (
    <TextField
      label={label}
      value={value}
      onChange={onChange}
      hint={template.description}
      required={template.required ?? false}
    />
  );
}

function variableOf({ key = "", valueType }: conn.ConfigVariableTemplate, value: string): conn.ConfigVariable[] {
  if (!value) return [];
  if (valueType === "BOOL") return [{ key, boolValue: value === "true" }];
  if (valueType === "INT") return [{ key, intValue: value }];
  return [{ key, stringValue: value }];
}

function destinationOf(key: string, text: string): conn.DestinationConfig[] {
  const [host = "", port] = text.trim().split(":");
  return host ? [{ key, destinations: [{ host, ...(port ? { port: Number(port) } : {}) }] }] : [];
}
