import type { ReactNode } from "react";
import { opApi } from "../../api/generated/methods";
import type { cx } from "../../api/generated/types";
import { useRpc } from "../../api/query";
import { SelectField, TextField } from "../../ui/field";
import { t } from "../../words/words";

type Auth = cx.Tool_Authentication;

const KINDS: { id: keyof Auth; label: string; start: Auth }[] = [
  {
    id: "apiKeyConfig",
    label: "API key",
    start: { apiKeyConfig: { keyName: "X-API-Key", requestLocation: "HEADER" } },
  },
  { id: "bearerTokenConfig", label: "Bearer token", start: { bearerTokenConfig: {} } },
  { id: "basicAuthConfig", label: "User and password", start: { basicAuthConfig: {} } },
  {
    id: "oauthConfig",
    label: "OAuth, client credentials",
    start: { oauthConfig: { oauthGrantType: "CLIENT_CREDENTIAL", scopes: [] } },
  },
  {
    id: "serviceAgentAuthConfig",
    label: "Service agent",
    start: { serviceAgentAuthConfig: { serviceAgentAuth: "ID_TOKEN" } },
  },
  { id: "serviceAccountAuthConfig", label: "Service account", start: { serviceAccountAuthConfig: {} } },
];

/** How calls say who they are: one form per kind. */
export function Authentication({ value, onChange }: { value: Auth; onChange: (next: Auth | null) => void }): ReactNode {
  const kind = KINDS.find(({ id }) => value[id])?.id ?? "";
  return (
    <div className="stack">
      <SelectField
        label={t("Kind of authentication")}
        value={kind}
        none={t("none")}
        options={KINDS.map(({ id, label }) => ({ value: id, label: t(label) }))}
        onChange={(next) => onChange(KINDS.find(({ id }) => id === next)?.start ?? null)}
      />
      {value.apiKeyConfig && (
        <ApiKey value={value.apiKeyConfig} onChange={(apiKeyConfig) => onChange({ apiKeyConfig })} />
      )}
      {value.bearerTokenConfig && (
        <Secret
          label={t("Token")}
          typed={value.bearerTokenConfig.token}
          version={value.bearerTokenConfig.secretVersionForToken}
          onTyped={(token) => onChange({ bearerTokenConfig: { token } })}
          onVersion={(secretVersionForToken) => onChange({ bearerTokenConfig: { secretVersionForToken } })}
        />
      )}
      {value.basicAuthConfig && (
        <Basic value={value.basicAuthConfig} onChange={(basicAuthConfig) => onChange({ basicAuthConfig })} />
      )}
      {value.oauthConfig && <OAuth value={value.oauthConfig} onChange={(oauthConfig) => onChange({ oauthConfig })} />}
      {value.serviceAgentAuthConfig && (
        <SelectField
          label={t("Token of the service agent")}
          value={value.serviceAgentAuthConfig.serviceAgentAuth ?? ""}
          options={[
            { value: "ID_TOKEN", label: t("Identity token") },
            { value: "ACCESS_TOKEN", label: t("Access token") },
          ]}
          onChange={(next) =>
            onChange({ serviceAgentAuthConfig: { serviceAgentAuth: next as "ID_TOKEN" | "ACCESS_TOKEN" } })
          }
        />
      )}
      {value.serviceAccountAuthConfig && (
        <TextField
          label={t("Service account")}
          value={value.serviceAccountAuthConfig.serviceAccount ?? ""}
          placeholder="name@project.iam.gserviceaccount.com"
          onChange={(serviceAccount) => onChange({ serviceAccountAuthConfig: { serviceAccount } })}
        />
      )}
      {kind && (
        <p className="small faint">{t("A value that is typed here is stored encrypted and never shown again.")}</p>
      )}
    </div>
  );
}

type ApiKeyConfig = cx.Tool_Authentication_ApiKeyConfig;

function ApiKey({ value, onChange }: { value: ApiKeyConfig; onChange: (next: ApiKeyConfig) => void }): ReactNode {
  const { apiKey: _typed, secretVersionForApiKey: _version, ...place } = value;
  return (
    <>
      <div className="pair">
        <TextField
          label={t("Name of the key")}
          value={value.keyName ?? ""}
          onChange={(keyName) => onChange({ ...value, keyName })}
        />
        <SelectField
          label={t("Where it goes")}
          value={value.requestLocation ?? "HEADER"}
          options={[
            { value: "HEADER", label: t("Header") },
            { value: "QUERY_STRING", label: t("Query string") },
          ]}
          onChange={(next) => onChange({ ...value, requestLocation: next as "HEADER" | "QUERY_STRING" })}
        />
      </div>
      <Secret
        label={t("Key")}
        typed={value.apiKey}
        version={value.secretVersionForApiKey}
        onTyped={(apiKey) => onChange({ ...place, apiKey })}
        onVersion={(secretVersionForApiKey) => onChange({ ...place, secretVersionForApiKey })}
      />
    </>
  );
}

type BasicConfig = cx.Tool_Authentication_BasicAuthConfig;

function Basic({ value, onChange }: { value: BasicConfig; onChange: (next: BasicConfig) => void }): ReactNode {
  const username = value.username ?? "";
  return (
    <>
      <TextField label={t("User")} value={username} onChange={(next) => onChange({ ...value, username: next })} />
      <Secret
        label={t("Password")}
        typed={value.password}
        version={value.secretVersionForPassword}
        onTyped={(password) => onChange({ username, password })}
        onVersion={(secretVersionForPassword) => onChange({ username, secretVersionForPassword })}
      />
    </>
  );
}

type OAuthConfig = cx.Tool_Authentication_OAuthConfig;

function OAuth({ value, onChange }: { value: OAuthConfig; onChange: (next: OAuthConfig) => void }): ReactNode {
  const { clientSecret: _typed, secretVersionForClientSecret: _version, ...rest } = value;
  return (
    <>
      <TextField
        label={t("Token endpoint")}
        value={value.tokenEndpoint ?? ""}
        placeholder="https://login.example.com/token"
        onChange={(tokenEndpoint) => onChange({ ...value, tokenEndpoint })}
      />
      <div className="pair">
        <TextField
          label={t("Client ID")}
          value={value.clientId ?? ""}
          onChange={(clientId) => onChange({ ...value, clientId })}
        />
        <TextField
          label={t("Scopes, separated by spaces")}
          value={(value.scopes ?? []).join(" ")}
          onChange={(text) => onChange({ ...value, scopes: text.split(/\s+/).filter(Boolean) })}
        />
      </div>
      <Secret
        label={t("Client secret")}
        typed={value.clientSecret}
        version={value.secretVersionForClientSecret}
        onTyped={(clientSecret) => onChange({ ...rest, clientSecret })}
        onVersion={(secretVersionForClientSecret) => onChange({ ...rest, secretVersionForClientSecret })}
      />
    </>
  );
}

/** A stored secret by its version, or a value that is typed once. */
export function Secret(props: {
  label: string;
  typed: string | undefined;
  version: string | undefined;
  onTyped: (value: string) => void;
  onVersion: (version: string) => void;
  /** Lines of a value that has several, such as a private key: a field of one line would join them. */
  rows?: number | undefined;
}): ReactNode {
  const secrets = useRpc(opApi.listSecrets, { parent: "projects/-" }).data?.secrets ?? [];
  const versions = secrets.flatMap(({ name, versions: all }) => [
    { value: `${name}/versions/latest`, label: `${name} · ${t("latest")}` },
    ...(all ?? []).map((each) => ({ value: each.name ?? "", label: each.name ?? "" })),
  ]);
  const known = !props.version || versions.some(({ value }) => value === props.version);
  return (
    <div className="pair">
      <SelectField
        label={t("{label}: stored secret", { label: props.label })}
        value={props.version ?? ""}
        none={t("type a value instead")}
        options={known ? versions : [{ value: props.version ?? "", label: props.version ?? "" }, ...versions]}
        onChange={(next) => (next ? props.onVersion(next) : props.onTyped(""))}
      />
      {!props.version && (
        <TextField
          label={t("{label}: value", { label: props.label })}
          {...(props.rows ? { rows: props.rows, mono: true } : { type: "password" })}
          value={props.typed ?? ""}
          onChange={props.onTyped}
        />
      )}
    </div>
  );
}
