import type { ReactNode } from "react";
import type { ces } from "../../api/generated/types";
import type { JsonObject } from "../../api/json";
import { SelectField, TextField } from "../../ui/field";
import { t } from "../../words/words";
import { JsonMessage } from "../tools/json-message";
import { type StepKind, type ToolChoice, toolValue, withTool, wordsOf } from "./golden-steps";

/** What steps can name of the app. */
export interface Choices {
  tools: ToolChoice[];
  agents: ToolChoice[];
}

interface Props {
  step: ces.Evaluation_Step;
  /** Where it is, in words that labels end with. */
  place: string;
  choices: Choices;
  onChange: (next: ces.Evaluation_Step) => void;
}

/** The form of one step. */
export function StepFields({ kind, ...props }: Props & { kind: StepKind }): ReactNode {
  switch (kind) {
    case "text":
    case "event":
      return <Words {...props} isEvent={kind === "event"} />;
    case "variables":
      return <Variables {...props} value={props.step.userInput?.variables} wrap={given} />;
    case "updatedVariables":
      return <Variables {...props} value={props.step.expectation?.updatedVariables} wrap={updated} />;
    case "enters":
    case "agentTransfer":
      return <Agent {...props} isInput={kind === "enters"} />;
    case "agentResponse":
      return <Reply {...props} />;
    case "toolResponses":
      return <Returned {...props} />;
    case "noToolCalls":
      return null;
    default:
      return <Tool {...props} kind={kind} />;
  }
}

const given = (variables: JsonObject): ces.Evaluation_Step => ({ userInput: { variables } });
const updated = (updatedVariables: JsonObject): ces.Evaluation_Step => ({ expectation: { updatedVariables } });

function Words({ step, place, onChange, isEvent }: Props & { isEvent: boolean }): ReactNode {
  const { userInput = {} } = step;
  return (
    <TextField
      label={isEvent ? t("Event of {place}", { place }) : t("Words of {place}", { place })}
      value={isEvent ? (userInput.event?.event ?? "") : (userInput.text ?? "")}
      onChange={(text) =>
        onChange({ userInput: { ...userInput, ...(isEvent ? { event: { event: text } } : { text }) } })
      }
    />
  );
}

function Variables(
  props: Props & { value: JsonObject | undefined; wrap: (next: JsonObject) => ces.Evaluation_Step },
): ReactNode {
  return (
    <JsonPart
      label={t("Variables of {place}", { place: props.place })}
      value={props.value ?? {}}
      onChange={(next) => {
        const made = props.wrap(next);
        props.onChange(made.expectation ? { expectation: { ...props.step.expectation, ...made.expectation } } : made);
      }}
    />
  );
}

function Agent({ step, place, choices, onChange, isInput }: Props & { isInput: boolean }): ReactNode {
  const transfer = isInput ? step.agentTransfer : step.expectation?.agentTransfer;
  return (
    <SelectField
      label={t("Agent of {place}", { place })}
      value={transfer?.targetAgent ?? ""}
      none={t("choose one")}
      options={choices.agents}
      onChange={(targetAgent) =>
        onChange(
          isInput
            ? { agentTransfer: { targetAgent } }
            : { expectation: { ...step.expectation, agentTransfer: { targetAgent } } },
        )
      }
    />
  );
}

function Reply({ step, place, onChange }: Props): ReactNode {
  const { expectation = {} } = step;
  return (
    <div className="stack">
      <TextField
        rows={2}
        label={t("Words of {place}", { place })}
        value={wordsOf(expectation.agentResponse)}
        onChange={(text) =>
          onChange({
            expectation: { ...expectation, agentResponse: { ...expectation.agentResponse, chunks: [{ text }] } },
          })
        }
      />
      <SelectField
        label={t("Comparison of {place}", { place })}
        value={expectation.comparisonType ?? ""}
        none={t("the same words")}
        options={[
          { value: "EQUALS", label: t("letter by letter") },
          { value: "CONTAINS", label: t("as a part, letter by letter") },
        ]}
        onChange={(type) => {
          const { comparisonType: _type, ...rest } = expectation;
          const comparisonType = type as ces.EvaluationMetricsConfig_ComparisonType;
          onChange({ expectation: type ? { ...rest, comparisonType } : rest });
        }}
      />
    </div>
  );
}

function Tool(props: Props & { kind: "toolCall" | "mockToolResponse" | "toolResponse" }): ReactNode {
  const { step, place, choices, kind } = props;
  const part: ces.ToolCall & ces.ToolResponse = step.expectation?.[kind] ?? {};
  const set = (next: ces.ToolCall & ces.ToolResponse): void =>
    props.onChange({ expectation: { ...step.expectation, [kind]: next } });
  return (
    <div className="stack">
      <ToolFields part={part} place={place} tools={choices.tools} onChange={set} />
      <JsonPart
        label={kind === "toolCall" ? t("Arguments of {place}", { place }) : t("Response of {place}", { place })}
        value={(kind === "toolCall" ? part.args : part.response) ?? {}}
        onChange={(value) => set({ ...part, [kind === "toolCall" ? "args" : "response"]: value })}
      />
    </div>
  );
}

function JsonPart(props: { label: string; value: JsonObject; onChange: (next: JsonObject) => void }): ReactNode {
  return (
    <div>
      <p className="small" aria-hidden="true">
        {props.label}
      </p>
      <JsonMessage minLines={3} {...props} />
    </div>
  );
}

/** What the client returns of one call; of several, the first is edited, and the others are kept. */
function Returned({ step, place, choices, onChange }: Props): ReactNode {
  const responses = step.userInput?.toolResponses?.toolResponses ?? [];
  const [first = {}, ...others] = responses;
  const set = (next: ces.ToolResponse): void =>
    onChange({ userInput: { toolResponses: { toolResponses: [next, ...others] } } });
  return (
    <div className="stack">
      <ToolFields part={first} place={place} tools={choices.tools} onChange={set} />
      <JsonPart
        label={t("Response of {place}", { place })}
        value={first.response ?? {}}
        onChange={(response) => set({ ...first, response })}
      />
    </div>
  );
}

function ToolFields<Part extends ces.ToolCall | ces.ToolResponse>(props: {
  part: Part;
  place: string;
  tools: ToolChoice[];
  onChange: (next: Part) => void;
}): ReactNode {
  const { part, place, onChange } = props;
  return (
    <>
      <SelectField
        label={t("Tool of {place}", { place })}
        value={toolValue(part)}
        none={t("choose one")}
        options={props.tools}
        onChange={(value) => onChange(withTool(part, value))}
      />
      {part.toolsetTool && (
        <TextField
          label={t("Tool of the toolset, {place}", { place })}
          value={part.toolsetTool.toolId ?? ""}
          hint={t("An operation’s name. Empty: any.")}
          onChange={(toolId) => onChange({ ...part, toolsetTool: { ...part.toolsetTool, toolId } })}
        />
      )}
    </>
  );
}
