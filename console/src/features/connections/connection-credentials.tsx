import type { ReactNode } from "react";
import type { conn } from "../../api/generated/types";
import { SelectField, TextField } from "../../ui/field";
import { t } from "../../words/words";
import { ConnectionSecret, isStorable, NO_SECRET, type SecretDraft, storedSecret } from "./connection-secrets";

/** How a connection says who it is, while it is written. */
export interface Credentials {
  /** Its place among the connector's ways to authenticate; -1: none. */
  way: number;
  /** Plain fields by their keys. */
  fields: Record<string, string>;
  secrets: Record<string, SecretDraft>;
}

interface Field {
  key: string;
  label: string;
  isSecret: boolean;
  isRequired: boolean;
  hint?: string | undefined;
}

type Template = conn.AuthConfigTemplate;

const OWN: Record<string, { key: string; label: string; isSecret: boolean; isRequired: boolean }[]> = {
  USER_PASSWORD: [
    { key: "username", label: "User", isSecret: false, isRequired: false },
    { key: "password", label: "Password", isSecret: true, isRequired: false },
  ],
  OAUTH2_CLIENT_CREDENTIALS: [
    { key: "client_id", label: "Client ID", isSecret: false, isRequired: false },
    { key: "client_secret", label: "Client secret", isSecret: true, isRequired: false },
  ],
  OAUTH2_JWT_BEARER: [
    { key: "issuer", label: "Issuer", isSecret: false, isRequired: false },
    { key: "subject", label: "Subject", isSecret: false, isRequired: false },
    { key: "audience", label: "Audience", isSecret: false, isRequired: false },
    { key: "client_key", label: "Private key", isSecret: true, isRequired: false },
  ],
  GOOGLE_AUTHENTICATION: [],
  AUTH_TYPE_UNSPECIFIED: [],
};

export function startOf(ways: Template[]): Credentials {
  const way = ways.findIndex(({ isDefault }) => isDefault);
  return { way: way < 0 && ways.length ? 0 : way, fields: {}, secrets: {} };
}

/** The fields of a way to authenticate; null where it needs more than a form. */
function fieldsOf(way: Template): Field[] | null {
  const own = OWN[way.authType ?? "AUTH_TYPE_UNSPECIFIED"];
  if (!own) return null;
  const variables = (way.configVariableTemplates ?? []).map((each) => ({
    key: each.key ?? "",
    label: each.displayName ?? each.key ?? "",
    isSecret: each.valueType === "SECRET",
    isRequired: each.required ?? false,
    hint: each.description,
  }));
  return [...own, ...variables];
}

function proposedName(location: string, id: string, key: string): string {
  return `${location.split("/locations/")[0]}/secrets/${id}-${key.replaceAll("_", "-")}`;
}

export function CredentialsForm(props: {
  location: string;
  id: string;
  ways: Template[];
  value: Credentials;
  onChange: (next: Credentials) => void;
}): ReactNode {
  const { ways, value, onChange } = props;
  if (!ways.length) return null;
  const way = ways[value.way];
  const fields = way ? fieldsOf(way) : [];
  return (
    <>
      <SelectField
        label={t("Kind of authentication")}
        value={value.way < 0 ? "" : String(value.way)}
        none={t("none")}
        options={ways.map((each, place) => ({
          value: String(place),
          label: each.displayName ?? each.authType ?? "",
        }))}
        onChange={(next) => onChange({ ...value, way: next ? Number(next) : -1 })}
      />
      {fields?.map((field) =>
        field.isSecret ? (
          <ConnectionSecret
            key={field.key}
            label={t(field.label)}
            value={value.secrets[field.key] ?? NO_SECRET}
            proposed={proposedName(props.location, props.id, field.key)}
            onChange={(next) => onChange({ ...value, secrets: { ...value.secrets, [field.key]: next } })}
          />
        ) : (
          <TextField
            key={field.key}
            label={t(field.label)}
            hint={field.hint}
            required={field.isRequired}
            value={value.fields[field.key] ?? ""}
            onChange={(next) => onChange({ ...value, fields: { ...value.fields, [field.key]: next } })}
          />
        ),
      )}
      {fields === null && (
        <p className="note plain">
          {t("Create the connection, then set this authentication through the API or the command line.")}
        </p>
      )}
    </>
  );
}

/** Whether every secret that was typed has a name that it can be stored under. */
export function areStorable(value: Credentials, location: string, id: string): boolean {
  return Object.entries(value.secrets).every(([key, draft]) => isStorable(draft, proposedName(location, id, key)));
}

/** The same with what was typed stored, of the way that is chosen. Throws what the server says. */
export async function withStored(
  value: Credentials,
  ways: Template[],
  location: string,
  id: string,
): Promise<Credentials> {
  const way = ways[value.way];
  const keys = new Set((way ? (fieldsOf(way) ?? []) : []).map(({ key }) => key));
  const secrets = { ...value.secrets };
  for (const [key, draft] of Object.entries(secrets))
    if (keys.has(key)) secrets[key] = await storedSecret(draft, proposedName(location, id, key));
  return { ...value, secrets };
}

/** What the API takes; null: none. */
export function authConfigOf(value: Credentials, ways: Template[]): conn.AuthConfig | null {
  const way = ways[value.way];
  const fields = way && fieldsOf(way);
  if (!way || !fields) return null;
  const plain = value.fields;
  const secret = (key: string): conn.Secret => ({ secretVersion: value.secrets[key]?.version ?? "" });
  const additionalVariables = fields
    .slice(OWN[way.authType ?? "AUTH_TYPE_UNSPECIFIED"]?.length)
    .flatMap(({ key, isSecret }): conn.ConfigVariable[] => {
      if (isSecret) return value.secrets[key]?.version ? [{ key, secretValue: secret(key) }] : [];
      return plain[key] ? [{ key, stringValue: plain[key] }] : [];
    });
  const config: conn.AuthConfig = additionalVariables.length ? { additionalVariables } : {};
  if (way.authType) config.authType = way.authType;
  const { username = "", client_id: clientId = "", issuer = "", subject = "", audience = "" } = plain;
  if (way.authType === "USER_PASSWORD") {
    if (!username && !value.secrets["password"]?.version) return null;
    config.userPassword = { username, password: secret("password") };
  }
  if (way.authType === "OAUTH2_CLIENT_CREDENTIALS")
    config.oauth2ClientCredentials = { clientId, clientSecret: secret("client_secret") };
  if (way.authType === "OAUTH2_JWT_BEARER")
    config.oauth2JwtBearer = { clientKey: secret("client_key"), jwtClaims: { issuer, subject, audience } };
  return config;
}
