import { type FormEvent, type ReactNode, useState } from "react";
import { call } from "../../api/call";
import { cesApi } from "../../api/generated/methods";
import type { ces } from "../../api/generated/types";
import { asJson } from "../../api/json";
import { forget, useRpc } from "../../api/query";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { CheckField, SelectField, TextField } from "../../ui/field";
import { ErrorNote } from "../../ui/states";
import { undoable } from "../../ui/toast";
import { t } from "../../words/words";
import { JsonMessage } from "../tools/json-message";
import { KEPT_FORMS } from "./kept-guardrails";

type Lists = "bannedContents" | "bannedContentsInUserInput" | "bannedContentsInAgentResponse";
const RUN = "contentFilter";
const KINDS = ["llmPromptSecurity", "llmPolicy", "modelSafety", "codeCallback"] as const;

/** A guardrail of banned phrases as a form; other kinds, which are kept and not run, as forms too. */
export function GuardrailForm(props: { app: string; stored: ces.Guardrail; onClose: () => void }): ReactNode {
  const { app, stored, onClose } = props;
  const [value, setValue] = useState(stored);
  const [error, setError] = useState<unknown>(null);
  const kind = KINDS.find((each) => stored[each]);
  const Kept = kind && KEPT_FORMS[kind];
  const agents = useRpc(cesApi.listAgents, { parent: app, pageSize: 500 });
  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    try {
      const guardrail = kind ? value : { ...value, [RUN]: value.contentFilter ?? {} };
      if (stored.name) await call(cesApi.updateGuardrail, { guardrail });
      else await call(cesApi.createGuardrail, { parent: app, guardrail });
      forget(cesApi.listGuardrails);
      onClose();
    } catch (caught) {
      setError(caught);
    }
  }
  function remove(): void {
    const name = stored.name ?? "";
    onClose();
    undoable(name, t("The guardrail {name} is deleted.", { name: stored.displayName ?? "" }), (keepalive) =>
      call(cesApi.deleteGuardrail, { name }, { keepalive }).finally(() => forget(cesApi.listGuardrails)),
    );
  }
  return (
    <Dialog
      label={stored.name ? t("Edit {name}", { name: stored.displayName ?? "" }) : t("New guardrail")}
      onClose={onClose}
      className="wide-dialog"
    >
      <form className="stack gap-top" onSubmit={(event) => void save(event)}>
        <TextField
          label={t("Name")}
          value={value.displayName ?? ""}
          onChange={(displayName) => setValue({ ...value, displayName })}
          required
        />
        <TextField
          label={t("Description")}
          value={value.description ?? ""}
          onChange={(description) => setValue({ ...value, description })}
        />
        {kind ? (
          <>
            <p className="note plain">{t("This kind is kept for exports; this server does not run it.")}</p>
            {Kept && <Kept value={value} onChange={setValue} />}
            <details>
              <summary>{t("The same as JSON")}</summary>
              <JsonMessage
                label={kind}
                value={asJson(value[kind] ?? {})}
                onChange={(next) => setValue({ ...value, [kind]: next })}
              />
            </details>
          </>
        ) : (
          <ContentFilter
            filter={value.contentFilter ?? {}}
            onChange={(contentFilter) => setValue({ ...value, contentFilter })}
          />
        )}
        <Reaction
          action={value.action ?? {}}
          agents={agents.data?.agents ?? []}
          onChange={(action) => setValue({ ...value, action })}
        />
        {error ? <ErrorNote error={error} what={t("Not saved.")} /> : null}
        <div className="dialog-foot">
          {stored.name && (
            <Button kind="danger" onClick={remove}>
              {t("Delete")}
            </Button>
          )}
          <span className="grow" />
          <Button kind="quiet" onClick={onClose}>
            {t("Cancel")}
          </Button>
          <Button kind="primary" type="submit" disabled={!value.displayName?.trim()}>
            {t("Save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function ContentFilter(props: {
  filter: ces.Guardrail_ContentFilter;
  onChange: (next: ces.Guardrail_ContentFilter) => void;
}): ReactNode {
  const { filter, onChange } = props;
  const lists: [Lists, string][] = [
    ["bannedContents", t("Banned everywhere")],
    ["bannedContentsInUserInput", t("Banned in what users say")],
    ["bannedContentsInAgentResponse", t("Banned in what the agent says")],
  ];
  return (
    <>
      {lists.map(([name, label]) => (
        <TextField
          key={name}
          label={label}
          rows={2}
          hint={t("One phrase a line.")}
          value={(filter[name] ?? []).join("\n")}
          onChange={(text) => onChange({ ...filter, [name]: text ? text.split("\n") : [] })}
        />
      ))}
      <SelectField
        label={t("How phrases match")}
        value={filter.matchType ?? "SIMPLE_STRING_MATCH"}
        onChange={(matchType) => onChange({ ...filter, matchType: matchType as "SIMPLE_STRING_MATCH" })}
        options={[
          { value: "SIMPLE_STRING_MATCH", label: t("anywhere in the text") },
          { value: "WORD_BOUNDARY_STRING_MATCH", label: t("as whole words") },
          { value: "REGEXP_MATCH", label: t("as regular expressions") },
        ]}
      />
      <CheckField
        label={t("Ignore accents")}
        value={filter.disregardDiacritics ?? false}
        onChange={(disregardDiacritics) => onChange({ ...filter, disregardDiacritics })}
      />
    </>
  );
}

/** What happens where it fires. */
function Reaction(props: {
  action: ces.TriggerAction;
  agents: ces.Agent[];
  onChange: (next: ces.TriggerAction) => void;
}): ReactNode {
  const { action, onChange } = props;
  const kind = action.transferAgent
    ? "transferAgent"
    : action.generativeAnswer
      ? "generativeAnswer"
      : "respondImmediately";
  const starts: Record<string, ces.TriggerAction> = {
    respondImmediately: { respondImmediately: { responses: [{ text: "" }] } },
    transferAgent: { transferAgent: { agent: props.agents[0]?.name ?? "" } },
    generativeAnswer: { generativeAnswer: { prompt: "" } },
  };
  return (
    <>
      <SelectField
        label={t("When it fires")}
        value={kind}
        onChange={(next) => onChange(starts[next] ?? {})}
        options={[
          { value: "respondImmediately", label: t("say these words") },
          { value: "transferAgent", label: t("hand over to an agent") },
          { value: "generativeAnswer", label: t("let the model answer") },
        ]}
      />
      {kind === "transferAgent" ? (
        <SelectField
          label={t("Agent")}
          value={action.transferAgent?.agent ?? ""}
          onChange={(agent) => onChange({ transferAgent: { agent } })}
          options={props.agents.map((each) => ({ value: each.name ?? "", label: each.displayName ?? "" }))}
        />
      ) : kind === "generativeAnswer" ? (
        <TextField
          label={t("Prompt")}
          rows={3}
          value={action.generativeAnswer?.prompt ?? ""}
          onChange={(prompt) => onChange({ generativeAnswer: { prompt } })}
        />
      ) : (
        <TextField
          label={t("Words")}
          rows={2}
          hint={t("One answer a line; one of them is said.")}
          value={(action.respondImmediately?.responses ?? []).map(({ text }) => text ?? "").join("\n")}
          onChange={(text) =>
            onChange({ respondImmediately: { responses: text.split("\n").map((each) => ({ text: each })) } })
          }
        />
      )}
    </>
  );
}
