import type { ReactNode } from "react";
import type { conn } from "../../api/generated/types";
import { SelectField } from "../../ui/field";
import { t } from "../../words/words";
import { PEM_ROWS, proposedName } from "./connection-credentials";
import { ConnectionSecret, isStorable, NO_SECRET, type SecretDraft, storedSecret } from "./connection-secrets";

type Certificate = "privateServerCertificate" | "clientCertificate" | "clientPrivateKey" | "clientPrivateKeyPass";

/** How TLS proves both sides of a connection, while it is written. */
export interface Tls {
  mode: "" | "verified" | "unverified";
  secrets: Partial<Record<Certificate, SecretDraft>>;
}

export const NO_TLS: Tls = { mode: "", secrets: {} };

const CERTIFICATES: { id: Certificate; key: string; label: string; rows?: number }[] = [
  { id: "privateServerCertificate", key: "server-certificate", label: "Certificate that is trusted", rows: PEM_ROWS },
  { id: "clientCertificate", key: "client-certificate", label: "Certificate of this server", rows: PEM_ROWS },
  { id: "clientPrivateKey", key: "client-private-key", label: "Its private key", rows: PEM_ROWS },
  { id: "clientPrivateKeyPass", key: "client-private-key-pass", label: "Passphrase of the key" },
];

export function TlsForm(props: { location: string; id: string; value: Tls; onChange: (next: Tls) => void }): ReactNode {
  const { value, onChange } = props;
  return (
    <>
      <SelectField
        label={t("TLS")}
        value={value.mode}
        none={t("as is usual for the system")}
        options={[
          { value: "verified", label: t("required, certificate checked") },
          { value: "unverified", label: t("required, certificate not checked") },
        ]}
        onChange={(mode) => onChange({ ...value, mode: mode as Tls["mode"] })}
      />
      {value.mode &&
        CERTIFICATES.filter(({ id }) => value.mode === "verified" || id !== "privateServerCertificate").map(
          ({ id, key, label, rows }) => (
            <ConnectionSecret
              key={id}
              label={t(label)}
              rows={rows}
              value={value.secrets[id] ?? NO_SECRET}
              proposed={proposedName(props.location, props.id, key)}
              onChange={(next) => onChange({ ...value, secrets: { ...value.secrets, [id]: next } })}
            />
          ),
        )}
    </>
  );
}

/** Whether every certificate that was typed has a name that it can be stored under. */
export function isTlsStorable({ secrets }: Tls, location: string, id: string): boolean {
  return CERTIFICATES.every(({ id: member, key }) =>
    isStorable(secrets[member] ?? NO_SECRET, proposedName(location, id, key)),
  );
}

/** The same with what was typed stored. Throws what the server says. */
export async function withTlsStored(value: Tls, location: string, id: string): Promise<Tls> {
  if (!value.mode) return value;
  const secrets = { ...value.secrets };
  for (const { id: member, key } of CERTIFICATES) {
    const draft = secrets[member];
    if (draft) secrets[member] = await storedSecret(draft, proposedName(location, id, key));
  }
  return { ...value, secrets };
}

/** What the API takes; null: nothing is said of TLS. */
export function sslConfigOf({ mode, secrets }: Tls): conn.SslConfig | null {
  if (!mode) return null;
  const named = CERTIFICATES.flatMap(({ id }) => {
    const version = secrets[id]?.version;
    return version && (mode === "verified" || id !== "privateServerCertificate")
      ? [[id, { secretVersion: version }]]
      : [];
  });
  const held = Object.fromEntries(named) as Partial<Record<Certificate, conn.Secret>>;
  const { privateServerCertificate: trusted, ...own } = held;
  return {
    type: Object.keys(own).length ? "MTLS" : "TLS",
    useSsl: true,
    trustModel: mode === "unverified" ? "INSECURE" : trusted ? "PRIVATE" : "PUBLIC",
    ...held,
  };
}
