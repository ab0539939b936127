import { type ReactNode, useState } from "react";
import { connApi } from "../../api/generated/methods";
import type { conn } from "../../api/generated/types";
import { upTo } from "../../api/names";
import { useRpc } from "../../api/query";
import { Button } from "../../ui/button";
import { TextField } from "../../ui/field";
import { ErrorNote } from "../../ui/states";
import { say } from "../../ui/toast";
import { t } from "../../words/words";
import { answerIn, begun, consentAddress, pageOf } from "./consent";
import { exchanged } from "./consent-view";

/** A connection that logs in as a user: the user signs in at the system once, and again when that has ended. */
export function ConsentCard({ connection }: { connection: conn.Connection }): ReactNode {
  const parent = upTo(connection.connectorVersion ?? "", "connectors");
  const versions = useRpc(connApi.listConnectorVersions, { parent }).data?.connectorVersions;
  const [address, setAddress] = useState("");
  const [error, setError] = useState<unknown>(null);
  const version = versions?.find(({ name }) => name === connection.connectorVersion);
  const page = version && pageOf(connection, version);
  const redirect = connection.authConfig?.oauth2AuthCodeFlow?.redirectUri || consentAddress();
  async function begin(): Promise<void> {
    if (version && page) location.assign(await begun(connection, version, page));
  }
  async function finish(): Promise<void> {
    setError(null);
    try {
      const answer = answerIn(address.trim());
      if (!("code" in answer)) throw new Error(answer.refusal || t("This sign-in was not begun in this tab"));
      await exchanged(answer.code, answer.consent);
      setAddress("");
      say(t("You are signed in."));
    } catch (caught) {
      setError(caught);
    }
  }
  return (
    <section className="stack gap-top" aria-label={t("Sign-in")}>
      <div className="row wrap">
        <p className="grow muted">
          {t("This connection acts as the user who signs in at the system. What comes of it is stored encrypted.")}
        </p>
        <Button kind="primary" disabled={!page} onClick={() => void begin().catch(setError)}>
          {version ? t("Sign in at {system}", { system: version.displayName ?? "" }) : t("Sign-in")}
        </Button>
      </div>
      {version && !page && <p className="note bad">{t("The connector does not name the page where users sign in.")}</p>}
      {redirect !== consentAddress() && (
        <div className="row wrap">
          <div className="grow">
            <TextField
              label={t("Address that the browser ended at")}
              value={address}
              placeholder={`${redirect}?code=…&state=…`}
              hint={t(
                "The connection leads back to {address}. Sign in, come back to this tab, and paste the address.",
                {
                  address: redirect,
                },
              )}
              onChange={setAddress}
            />
          </div>
          <Button disabled={!address.trim()} onClick={() => void finish()}>
            {t("Finish")}
          </Button>
        </div>
      )}
      {error ? <ErrorNote error={error} /> : null}
    </section>
  );
}
