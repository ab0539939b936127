import type { ReactNode } from "react";
import type { conn } from "../../api/generated/types";
import { SelectField, TextField } from "../../ui/field";
import { t } from "../../words/words";
import { consentAddress } from "./consent";
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
  /** Of a value of several lines. */
  rows?: number;
}

type Template = conn.AuthConfigTemplate;

export const PEM_ROWS = 5;

type Own = Omit<Field, "isRequired" | "hint">;

const plain = (key: string, label: string): Own => ({ key, label, isSecret: false });
const secret = (key: string, label: string): Own => ({ key, label, isSecret: true });
const pem = (key: string, label: string): Own => ({ ...secret(key, label), rows: PEM_ROWS });

/** What each kind of authentication has besides its variables. */
const OWN: Record<string, Own[]> = {
  USER_PASSWORD: [plain("username", "User"), secret("password", "Password")],
  OAUTH2_CLIENT_CREDENTIALS: [plain("client_id", "Client ID"), secret("client_secret", "Client secret")],
  OAUTH2_AUTH_CODE_FLOW: [
    plain("client_id", "Client ID"),
    secret("client_secret", "Client secret"),
    plain("redirect_uri", "Redirect address"),
  ],
  OAUTH2_JWT_BEARER: [
    plain("issuer", "Issuer"),
    plain("subject", "Subject"),
    plain("audience", "Audience"),
    pem("client_key", "Private key"),
  ],
  SSH_PUBLIC_KEY: [
    plain("username", "User"),
    pem("ssh_client_cert", "Private key"),
    secret("ssh_client_cert_pass", "Passphrase"),
  ],
  GOOGLE_AUTHENTICATION: [],
  AUTH_TYPE_UNSPECIFIED: [],
};

export function startOf(ways: Template[]): Credentials {
  const way = ways.findIndex(({ isDefault }) => isDefault);
  return { way: way < 0 && ways.length ? 0 : way, fields: {}, secrets: {} };
}

/** The fields of a way to authenticate. A consent is none: it is given when the connection is there. */
function fieldsOf(way: Template): Field[] {
  const variables = (way.configVariableTemplates ?? []).filter(({ valueType }) => valueType !== "AUTHORIZATION_CODE");
  return [
    ...(OWN[typeOf(way)] ?? []).map((field) => ({ ...field, isRequired: false })),
    ...variables.map((each) => ({
      key: each.key ?? "",
      label: each.displayName ?? each.key ?? "",
      isSecret: each.valueType === "SECRET",
      isRequired: each.required ?? false,
      hint: each.description,
    })),
  ];
}

function typeOf(way: Template): string {
  return way.authType ?? "AUTH_TYPE_UNSPECIFIED";
}

export function proposedName(location: string, id: string, key: string): string {
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
  const isConsent = way?.authType === "OAUTH2_AUTH_CODE_FLOW";
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
      {fields.map((field) =>
        field.isSecret ? (
          <ConnectionSecret
            key={field.key}
            label={t(field.label)}
            value={value.secrets[field.key] ?? NO_SECRET}
            proposed={proposedName(props.location, props.id, field.key)}
            rows={field.rows}
            onChange={(next) => onChange({ ...value, secrets: { ...value.secrets, [field.key]: next } })}
          />
        ) : (
          <TextField
            key={field.key}
            label={t(field.label)}
            hint={field.hint}
            required={field.isRequired}
            value={value.fields[field.key] ?? ""}
            {...(field.key === "redirect_uri" ? { placeholder: consentAddress() } : {})}
            onChange={(next) => onChange({ ...value, fields: { ...value.fields, [field.key]: next } })}
          />
        ),
      )}
      {isConsent && (
        <p className="note plain">
          {t(
            "Register {address} with the system as where its users come back to. They sign in when the connection is created.",
            {
              address: value.fields["redirect_uri"] || consentAddress(),
            },
          )}
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
  const keys = new Set((way ? fieldsOf(way) : []).map(({ key }) => key));
  const secrets = { ...value.secrets };
  for (const [key, draft] of Object.entries(secrets))
    if (keys.has(key)) secrets[key] = await storedSecret(draft, proposedName(location, id, key));
  return { ...value, secrets };
}

/** What the API takes; null: none. */
export function authConfigOf(value: Credentials, ways: Template[]): conn.AuthConfig | null {
  const way = ways[value.way];
  if (!way) return null;
  const text = (key: string): string => value.fields[key] ?? "";
  const version = (key: string): string => value.secrets[key]?.version ?? "";
  const secretOf = (key: string): conn.Secret => ({ secretVersion: version(key) });
  const additionalVariables = fieldsOf(way)
    .slice(OWN[typeOf(way)]?.length)
    .flatMap(({ key, isSecret }): conn.ConfigVariable[] => {
      if (isSecret) return version(key) ? [{ key, secretValue: secretOf(key) }] : [];
      return text(key) ? [{ key, stringValue: text(key) }] : [];
    });
  const config: conn.AuthConfig = additionalVariables.length ? { additionalVariables } : {};
  if (way.authType) config.authType = way.authType;
  switch (way.authType) {
    case "USER_PASSWORD":
      if (!text("username") && !version("password")) return null;
      return { ...config, userPassword: { username: text("username"), password: secretOf("password") } };
    case "OAUTH2_CLIENT_CREDENTIALS":
      return {
        ...config,
        oauth2ClientCredentials: { clientId: text("client_id"), clientSecret: secretOf("client_secret") },
      };
    case "OAUTH2_AUTH_CODE_FLOW":
      return {
        ...config,
        oauth2AuthCodeFlow: {
          clientId: text("client_id"),
          clientSecret: secretOf("client_secret"),
          redirectUri: text("redirect_uri") || consentAddress(),
        },
      };
    case "OAUTH2_JWT_BEARER": {
      const jwtClaims = { issuer: text("issuer"), subject: text("subject"), audience: text("audience") };
      return { ...config, oauth2JwtBearer: { clientKey: secretOf("client_key"), jwtClaims } };
    }
    case "SSH_PUBLIC_KEY": {
      const key = { username: text("username"), sshClientCert: secretOf("ssh_client_cert") };
      const pass = version("ssh_client_cert_pass") ? { sshClientCertPass: secretOf("ssh_client_cert_pass") } : {};
      return { ...config, sshPublicKey: { ...key, ...pass } };
    }
    default:
      return config;
  }
}
