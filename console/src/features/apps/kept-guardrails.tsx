import type { ReactNode } from "react";
import type { ces } from "../../api/generated/types";
import { CodeEditor } from "../../editor/code-editor";
import { CheckField, SelectField, TextField } from "../../ui/field";
import { t } from "../../words/words";

interface Part {
  value: ces.Guardrail;
  onChange: (next: ces.Guardrail) => void;
}

/** The forms of guardrails that are kept for exports and not run here. */
export const KEPT_FORMS = {
  llmPromptSecurity: PromptSecurity,
  llmPolicy: Policy,
  modelSafety: Safety,
  codeCallback: Callbacks,
} as const;

function PromptSecurity({ value, onChange }: Part): ReactNode {
  const security = value.llmPromptSecurity ?? {};
  const { customPolicy } = security;
  const set = (next: ces.Guardrail_LlmPromptSecurity): void => onChange({ ...value, llmPromptSecurity: next });
  return (
    <>
      <CheckField
        label={t("A prompt of one’s own")}
        value={customPolicy !== undefined}
        onChange={(isOwn) => {
          const { customPolicy: _policy, defaultSettings: _default, ...rest } = security;
          set(isOwn ? { ...rest, customPolicy: {} } : { ...rest, defaultSettings: {} });
        }}
      />
      {customPolicy && (
        <PolicyFields policy={customPolicy} onChange={(next) => set({ ...security, customPolicy: next })} />
      )}
      <FailOpen value={security.failOpen ?? false} onChange={(failOpen) => set({ ...security, failOpen })} />
    </>
  );
}

function Policy({ value, onChange }: Part): ReactNode {
  const policy = value.llmPolicy ?? {};
  const set = (llmPolicy: ces.Guardrail_LlmPolicy): void => onChange({ ...value, llmPolicy });
  return (
    <>
      <PolicyFields policy={policy} onChange={set} />
      <FailOpen value={policy.failOpen ?? false} onChange={(failOpen) => set({ ...policy, failOpen })} />
    </>
  );
}

function FailOpen(props: { value: boolean; onChange: (next: boolean) => void }): ReactNode {
  return <CheckField label={t("Let pass when the check itself fails")} {...props} />;
}

function PolicyFields(props: {
  policy: ces.Guardrail_LlmPolicy;
  onChange: (next: ces.Guardrail_LlmPolicy) => void;
}): ReactNode {
  const { policy, onChange } = props;
  const most = policy.maxConversationMessages;
  return (
    <>
      <TextField
        label={t("Prompt of the check")}
        rows={5}
        value={policy.prompt ?? ""}
        onChange={(prompt) => onChange({ ...policy, prompt })}
      />
      <div className="pair">
        <SelectField
          label={t("What is checked")}
          value={policy.policyScope ?? ""}
          none={t("not set")}
          options={[
            { value: "USER_QUERY", label: t("what users say") },
            { value: "AGENT_RESPONSE", label: t("what the agent says") },
            { value: "USER_QUERY_AND_AGENT_RESPONSE", label: t("both") },
          ]}
          onChange={(next) =>
            onChange({ ...policy, policyScope: (next || "POLICY_SCOPE_UNSPECIFIED") as "USER_QUERY" })
          }
        />
        <TextField
          label={t("Messages of the conversation that the check sees")}
          type="number"
          value={most === undefined ? "" : String(most)}
          onChange={(text) => {
            const { maxConversationMessages: _most, ...rest } = policy;
            onChange(text ? { ...rest, maxConversationMessages: Math.max(0, Math.trunc(Number(text))) } : rest);
          }}
        />
      </div>
      <CheckField
        label={t("Leave out very short messages of users")}
        value={policy.allowShortUtterance ?? false}
        onChange={(allowShortUtterance) => onChange({ ...policy, allowShortUtterance })}
      />
    </>
  );
}

type Category = NonNullable<ces.Guardrail_ModelSafety_SafetySetting["category"]>;
type Threshold = NonNullable<ces.Guardrail_ModelSafety_SafetySetting["threshold"]>;

function Safety({ value, onChange }: Part): ReactNode {
  const settings = value.modelSafety?.safetySettings ?? [];
  const categories: [Category, string][] = [
    ["HARM_CATEGORY_HATE_SPEECH", t("Hate speech")],
    ["HARM_CATEGORY_DANGEROUS_CONTENT", t("Dangerous content")],
    ["HARM_CATEGORY_HARASSMENT", t("Harassment")],
    ["HARM_CATEGORY_SEXUALLY_EXPLICIT", t("Sexually explicit content")],
  ];
  function set(category: Category, threshold: string): void {
    const rest = settings.filter((each) => each.category !== category);
    const safetySettings = threshold ? [...rest, { category, threshold: threshold as Threshold }] : rest;
    onChange({ ...value, modelSafety: { ...value.modelSafety, safetySettings } });
  }
  return (
    <div className="pair">
      {categories.map(([category, label]) => (
        <SelectField
          key={category}
          label={label}
          value={settings.find((each) => each.category === category)?.threshold ?? ""}
          none={t("not set")}
          options={[
            { value: "BLOCK_LOW_AND_ABOVE", label: t("block if a little likely") },
            { value: "BLOCK_MEDIUM_AND_ABOVE", label: t("block if likely") },
            { value: "BLOCK_ONLY_HIGH", label: t("block only if very likely") },
            { value: "BLOCK_NONE", label: t("block nothing") },
            { value: "OFF", label: t("off") },
          ]}
          onChange={(next) => set(category, next)}
        />
      ))}
    </div>
  );
}

type Place = keyof ces.Guardrail_CodeCallback;

function Callbacks({ value, onChange }: Part): ReactNode {
  const callbacks = value.codeCallback ?? {};
  const places: [Place, string][] = [
    ["beforeAgentCallback", t("Before the agent")],
    ["beforeModelCallback", t("Before the model")],
    ["afterModelCallback", t("After the model")],
    ["afterAgentCallback", t("After the agent")],
  ];
  return places.map(([place, label]) => (
    <details key={place} open={!!callbacks[place]?.pythonCode}>
      <summary>{label}</summary>
      <CodeEditor
        label={label}
        language="text"
        minLines={4}
        value={callbacks[place]?.pythonCode ?? ""}
        onChange={(pythonCode) =>
          onChange({ ...value, codeCallback: { ...callbacks, [place]: { ...callbacks[place], pythonCode } } })
        }
      />
    </details>
  ));
}
