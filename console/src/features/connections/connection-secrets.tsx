import type { ReactNode } from "react";
import { call } from "../../api/call";
import { opApi } from "../../api/generated/methods";
import { forget, useRpc } from "../../api/query";
import { TextField } from "../../ui/field";
import { t } from "../../words/words";
import { Secret } from "../tools/authentication";

/** A secret of a connection: a version that is stored, or a value that is going to be, under a name. */
export interface SecretDraft {
  version: string;
  typed: string;
  /** Resource name; empty: the one that is proposed. */
  name: string;
}

export const NO_SECRET: SecretDraft = { version: "", typed: "", name: "" };

const SECRET_NAME = /^projects\/[^/]+\/secrets\/[A-Za-z0-9_-]+$/;

/** Whether nothing was typed, or it can be stored under its name. */
export function isStorable(draft: SecretDraft, proposed: string): boolean {
  return !draft.typed || SECRET_NAME.test(draft.name || proposed);
}

/** What was typed becomes a version of a secret: connections name secrets, and hold no values. Throws what the server says. */
export async function storedSecret(draft: SecretDraft, proposed: string): Promise<SecretDraft> {
  if (!draft.typed) return draft;
  const data = btoa(String.fromCharCode(...new TextEncoder().encode(draft.typed)));
  const { name = "" } = await call(opApi.addSecretVersion, { parent: draft.name || proposed, payload: { data } });
  forget(opApi.listSecrets);
  return { version: name, typed: "", name: "" };
}

/** A stored secret to choose, or a value to type and the name that it is stored under. */
export function ConnectionSecret(props: {
  label: string;
  value: SecretDraft;
  proposed: string;
  /** Lines of a value that has several. */
  rows?: number | undefined;
  onChange: (next: SecretDraft) => void;
}): ReactNode {
  const { label, value, proposed, onChange } = props;
  const secrets = useRpc(opApi.listSecrets, { parent: "projects/-" }).data?.secrets ?? [];
  const name = value.name || proposed;
  return (
    <>
      <Secret
        label={label}
        typed={value.typed}
        version={value.version}
        rows={props.rows}
        onTyped={(typed) => onChange({ ...value, typed, version: "" })}
        onVersion={(version) => onChange({ ...NO_SECRET, version })}
      />
      {value.typed && (
        <TextField
          label={t("{label}: name of the secret", { label })}
          mono
          value={name}
          onChange={(next) => onChange({ ...value, name: next })}
          wrong={isStorable(value, proposed) ? undefined : t("Such as {name}.", { name: proposed })}
          hint={
            secrets.some((each) => each.name === name)
              ? t("There is a secret of this name: the value becomes its latest version.")
              : t("“Test connection” and “Create” store the value encrypted, as a secret of this name.")
          }
        />
      )}
    </>
  );
}
