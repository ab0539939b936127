import { type FormEvent, type ReactNode, useState } from "react";
import { call } from "../../api/call";
import { opApi } from "../../api/generated/methods";
import type { op } from "../../api/generated/types";
import { lastPart } from "../../api/names";
import { forget, useRpc } from "../../api/query";
import { useCrumbs } from "../../shell/crumbs";
import { Button } from "../../ui/button";
import { Confirm, Dialog } from "../../ui/dialog";
import { CheckField, TextField } from "../../ui/field";
import { Empty, ErrorNote, Loaded } from "../../ui/states";
import { say } from "../../ui/toast";
import { sentence } from "../../api/errors";
import { ago } from "../../words/format";
import { count, t } from "../../words/words";

/** Names and versions; values are written and never shown. */
export function Secrets(): ReactNode {
  useCrumbs({ label: t("Secrets") });
  const secrets = useRpc(opApi.listSecrets, { parent: "projects/-" });
  const [writing, setWriting] = useState<string | null>(null);
  const [deleting, setDeleting] = useState<op.Secret | null>(null);
  return (
    <div className="page">
      <header className="page-head">
        <div className="grow">
          <h1>{t("Secrets")}</h1>
          <p>{t("Keys and passwords that tools use. They are stored encrypted, and nobody can read them back.")}</p>
        </div>
        <Button kind="primary" onClick={() => setWriting("projects/default/secrets/")}>
          {t("New secret")}
        </Button>
      </header>
      <Loaded query={secrets}>
        {(data) =>
          data.secrets?.length ? (
            <table>
              <thead>
                <tr>
                  <th>{t("Name")}</th>
                  <th>{t("Versions")}</th>
                  <th>{t("Changed")}</th>
                  <th>
                    <span className="sr">{t("Actions")}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {data.secrets.map((secret) => (
                  <tr key={secret.name}>
                    <td className="mono">{secret.name}</td>
                    <td>{count(secret.versions?.length ?? 0, "{n} version", "{n} versions")}</td>
                    <td className="faint">{ago(secret.versions?.at(-1)?.createTime)}</td>
                    <td align="right">
                      <Button small onClick={() => setWriting(secret.name ?? "")}>
                        {t("New value")}
                      </Button>{" "}
                      <Button small kind="danger" onClick={() => setDeleting(secret)}>
                        {t("Delete")}
                      </Button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          ) : (
            <Empty title={t("No secrets yet")}>
              <p>{t("A tool’s authentication names one, so that its value is in no export and no trace.")}</p>
            </Empty>
          )
        }
      </Loaded>
      {writing !== null && <Write name={writing} onClose={() => setWriting(null)} />}
      {deleting && (
        <Confirm
          title={t("Delete the secret for good?")}
          action={t("Delete")}
          typed={lastPart(deleting.name ?? "")}
          onClose={() => setDeleting(null)}
          onConfirm={() => {
            void call(opApi.deleteSecret, { name: deleting.name ?? "" })
              .then(() => forget(opApi.listSecrets))
              .catch((error: unknown) => say(sentence(error)));
            setDeleting(null);
          }}
        >
          {t("Tools that use it fail from then on. It cannot be undone.")}
        </Confirm>
      )}
    </div>
  );
}

function Write({ name, onClose }: { name: string; onClose: () => void }): ReactNode {
  const [parent, setParent] = useState(name);
  const [value, setValue] = useState("");
  const [isLong, setLong] = useState(false);
  const [error, setError] = useState<unknown>(null);
  async function store(event: FormEvent): Promise<void> {
    event.preventDefault();
    try {
      const data = btoa(String.fromCharCode(...new TextEncoder().encode(value)));
      await call(opApi.addSecretVersion, { parent, payload: { data } });
      forget(opApi.listSecrets);
      say(t("Stored, encrypted."));
      onClose();
    } catch (caught) {
      setError(caught);
    }
  }
  return (
    <Dialog label={t("Store a secret")} onClose={onClose}>
      <form className="stack gap-top" onSubmit={(event) => void store(event)}>
        <TextField
          label={t("Resource name")}
          mono
          value={parent}
          onChange={setParent}
          placeholder="projects/P/secrets/NAME"
        />
        <TextField
          label={t("Value")}
          {...(isLong ? { rows: 6, mono: true } : { type: "password" })}
          value={value}
          onChange={setValue}
          autoFocus
          hint={t("It can be replaced, and never be read back.")}
        />
        <CheckField label={t("It has several lines, as a private key has")} value={isLong} onChange={setLong} />
        {error ? <ErrorNote error={error} /> : null}
        <div className="dialog-foot">
          <Button kind="quiet" onClick={onClose}>
            {t("Cancel")}
          </Button>
          <Button kind="primary" type="submit" disabled={!value || !/^projects\/[^/]+\/secrets\/[^/]+$/.test(parent)}>
            {t("Store")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
