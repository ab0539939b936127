import { IconDots, IconTrash } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import { call } from "../../api/call";
import { cxApi, opApi } from "../../api/generated/methods";
import type { cx } from "../../api/generated/types";
import { asJson } from "../../api/json";
import { lastPart, upTo } from "../../api/names";
import { forget, useRpc } from "../../api/query";
import { Checks, useChecks } from "../../draft/checks";
import { SaveButtons, useDraft } from "../../draft/draft";
import type { ViewProps } from "../../routes";
import { useCrumbs } from "../../shell/crumbs";
import { useCurrent } from "../../shell/current-agent";
import { Menu } from "../../ui/menu";
import { ErrorNote, Loaded, Tag } from "../../ui/states";
import { SelectField, TextField } from "../../ui/field";
import { undoable } from "../../ui/toast";
import { t } from "../../words/words";
import { DRAFT_EXAMPLE } from "../simulator/keeping";
import { ActionLines } from "./action-lines";
import "./examples.css";

const EMPTY: cx.Example = {
  displayName: "",
  languageCode: "en",
  actions: [{ userUtterance: { text: "" } }, { agentUtterance: { text: "" } }],
};

export function ExampleEditor({ name }: ViewProps): ReactNode {
  if (lastPart(name) === "new") return <NewExample playbook={upTo(name, "playbooks")} />;
  return <StoredExample name={name} />;
}

function StoredExample({ name }: { name: string }): ReactNode {
  const example = useRpc(cxApi.getExample, { name });
  return (
    <Loaded query={example}>{(data) => <Editor key={name} stored={data} playbook={upTo(name, "playbooks")} />}</Loaded>
  );
}

/** What the simulator hands over, or an empty conversation; stored with the first save. */
function NewExample({ playbook }: { playbook: string }): ReactNode {
  const [begun] = useState<cx.Example>(() => {
    const handed = sessionStorage.getItem(DRAFT_EXAMPLE);
    return handed ? (JSON.parse(handed) as cx.Example) : EMPTY;
  });
  return <Editor stored={{}} begun={begun} playbook={playbook} />;
}

const MASK =
  "displayName,actions,playbookInput,playbookOutput,languageCode,conversationState,retrievalStrategy,description";
const STATES = [
  "OUTPUT_STATE_OK",
  "OUTPUT_STATE_PENDING",
  "OUTPUT_STATE_CANCELLED",
  "OUTPUT_STATE_FAILED",
  "OUTPUT_STATE_ESCALATED",
] as const;

function Editor({ stored, begun, playbook }: { stored: cx.Example; begun?: cx.Example; playbook: string }): ReactNode {
  const name = stored.name ?? `${playbook}/examples/new`;
  const whole = useCurrent();
  const agent = upTo(playbook, "agents");
  const [, navigate] = useLocation();
  const draft = useDraft<cx.Example>(name, stored, {
    read: async () => (stored.name ? await call(cxApi.getExample, { name }) : {}),
    write: async (example) => {
      const saved = stored.name
        ? await call(cxApi.updateExample, { example, updateMask: MASK })
        : await call(cxApi.createExample, { parent: playbook, example });
      sessionStorage.removeItem(DRAFT_EXAMPLE);
      forget(cxApi.getExample, cxApi.listExamples);
      if (!stored.name) {
        sessionStorage.removeItem(`openplaybook.draft:${name}`);
        navigate(`/${saved.name}`, { replace: true });
      }
      return saved;
    },
  });
  const value = !stored.name && !draft.isChanged ? (begun ?? EMPTY) : draft.value;
  const shown = {
    ...draft,
    isChanged: draft.isChanged || (!stored.name && !!begun),
    save: () => {
      if (!draft.isChanged && begun) draft.set(begun);
      setTimeout(draft.save);
    },
  };
  const problems = useChecks(
    value,
    async (signal) =>
      (await call(opApi.checkExample, { parent: playbook, example: asJson(value) }, { signal })).problems ?? [],
  );
  useCrumbs(
    { label: whole?.title ?? "", href: `/${agent}` },
    { label: t("Examples"), href: `/${agent}/examples` },
    { label: value.displayName || t("New example") },
  );
  return (
    <div className="page example">
      <header className="page-head">
        <div className="grow">
          <div className="row wrap">
            <h1>{value.displayName || t("New example")}</h1>
            {draft.isChanged && <Tag tone="retrieval">{t("not saved")}</Tag>}
          </div>
          <p className="small faint">{t("Shown to the model when it fits.")}</p>
        </div>
        {stored.name && (
          <Menu label={t("More")} button={<IconDots size={16} />}>
            <button type="button" className="tone-bad" onClick={() => remove(stored, playbook, navigate)}>
              <IconTrash size={15} aria-hidden="true" />
              {t("Delete the example")}
            </button>
          </Menu>
        )}
        <SaveButtons draft={shown} />
      </header>
      {draft.error ? <ErrorNote error={draft.error} what={t("Not saved.")} /> : null}
      <div className="stack">
        <div className="pair">
          <TextField
            label={t("Name")}
            value={value.displayName ?? ""}
            onChange={(displayName) => draft.set({ ...value, displayName })}
          />
          <SelectField
            label={t("How it ends")}
            value={value.conversationState ?? "OUTPUT_STATE_OK"}
            options={STATES.map((each) => ({ value: each, label: each.replace("OUTPUT_STATE_", "") }))}
            onChange={(state) => draft.set({ ...value, conversationState: state as (typeof STATES)[number] })}
          />
        </div>
        <Checks problems={problems} />
        <ActionLines
          agent={agent}
          actions={value.actions ?? []}
          onChange={(actions) => draft.set({ ...value, actions })}
        />
      </div>
    </div>
  );
}

function remove(example: cx.Example, playbook: string, navigate: (path: string) => void): void {
  navigate(`/${playbook}`);
  undoable(
    example.name ?? "",
    t("The example {name} is deleted.", { name: example.displayName ?? "" }),
    (keepalive) =>
      call(cxApi.deleteExample, { name: example.name ?? "" }, { keepalive }).finally(() => forget(cxApi.listExamples)),
    () => navigate(`/${example.name}`),
  );
}
