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
import { areStorable, authConfigOf, CredentialsForm, startOf, withStored } from "./connection-credentials";
import { isTlsStorable, NO_TLS, sslConfigOf, TlsForm, withTlsStored } from "./connection-tls";
import { destinationIn } from "./destination";
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
  const [credentials, setCredentials] = useState(() => startOf(auths));
  const [tls, setTls] = useState(NO_TLS);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const templates = version.configVariableTemplates ?? [];
  const destinations = version.destinationConfigTemplates ?? [];
  // Of a system that is dialled the destination stands for both; of others it is where requests go instead.
  const isDialled = destinations.some(({ defaultPort }) => defaultPort);
  const hidden = new Set(isDialled ? ["host", "port"] : []);
  const shown = templates.filter(({ key }) => !hidden.has(key ?? ""));
  const needed = shown.filter(({ required }) => required);
  const free = shown.filter(({ required }) => !required);
  const missing =
    needed.some(({ key }) => !values[key ?? ""]) ||
    (isDialled && !destinations.some(({ key }) => hosts[key ?? ""]?.trim())) ||
    Object.values(hosts).some((text) => text.trim() && !destinationIn(text)) ||
    !areStorable(credentials, location, id) ||
    !isTlsStorable(tls, location, id);

  const trial = useTrial();

  /** What is typed is stored first: a connection names secrets, and holds none. */
  async function drafted(): Promise<conn.Connection> {
    const known = await withStored(credentials, auths, location, id);
    setCredentials(known);
    const proven = await withTlsStored(tls, location, id);
    setTls(proven);
    const connection: conn.Connection = {
      connectorVersion: version.name ?? "",
      configVariables: templates.flatMap((template) => variableOf(template, values[template.key ?? ""] ?? "")),
    };
    const destinationConfigs = destinations.flatMap(({ key }) => destinationOf(key ?? "", hosts[key ?? ""] ?? ""));
    if (destinationConfigs.length) connection.destinationConfigs = destinationConfigs;
    const authConfig = authConfigOf(known, auths);
    if (authConfig) connection.authConfig = authConfig;
    const sslConfig = sslConfigOf(proven);
    if (sslConfig) connection.sslConfig = sslConfig;
    return connection;
  }
  async function create(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      const connection = await drafted();
      const operation = await call(connApi.createConnection, { parent: location, connectionId: id, connection });
      await finished(operation);
      forget(connApi.listConnections);
      navigate(`/${location}/connections/${id}`);
    } catch (caught) {
      setError(caught);
    } finally {
      setBusy(false);
    }
  }
  async function tryOut(): Promise<void> {
    setError(null);
    try {
      await trial.run({ parent: location, connection: asJson(await drafted()) });
    } catch (caught) {
      setError(caught);
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
          wrong={
            (hosts[key] ?? "").trim() && !destinationIn(hosts[key] ?? "")
              ? t("A host, with a port after a colon if it is not the usual one.")
              : undefined
          }
          onChange={(next) => setHosts({ ...hosts, [key]: next })}
        />
      ))}
      <Variables templates={needed} values={values} onChange={setValues} />
      <CredentialsForm location={location} id={id} ways={auths} value={credentials} onChange={setCredentials} />
      {version.sslConfigTemplate && <TlsForm location={location} id={id} value={tls} onChange={setTls} />}
      {free.length > 0 && (
        <details open={!needed.length && !destinations.length}>
          <summary>{t("More settings")}</summary>
          <div className="gap-top">
            <Variables templates={free} values={values} onChange={setValues} />
          </div>
        </details>
      )}
      <TrialSteps trial={trial} />
      {error ? <ErrorNote error={error} /> : null}
      <div className="dialog-foot">
        <Button disabled={trial.isBusy || missing} onClick={() => void tryOut()}>
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

function Variables(props: {
  templates: conn.ConfigVariableTemplate[];
  values: Record<string, string>;
  onChange: (next: Record<string, string>) => void;
}): ReactNode {
  const { templates, values, onChange } = props;
  if (!templates.length) return null;
  return (
    <div className="pair">
      {templates.map((template) => (
        <Variable
          key={template.key}
          template={template}
          value={values[template.key ?? ""] ?? ""}
          onChange={(next) => onChange({ ...values, [template.key ?? ""]: next })}
        />
      ))}
    </div>
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
  const destination = destinationIn(text);
  return destination ? [{ key, destinations: [destination] }] : [];
}
