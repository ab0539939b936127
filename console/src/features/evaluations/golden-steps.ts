import type { ces } from "../../api/generated/types";
import type { JsonObject } from "../../api/json";
import { lastPart } from "../../api/names";
import { t } from "../../words/words";

/** What a step of a golden turn can be. */
export type StepKind =
  | "text"
  | "event"
  | "variables"
  | "toolResponses"
  | "enters"
  | "agentResponse"
  | "toolCall"
  | "mockToolResponse"
  | "toolResponse"
  | "agentTransfer"
  | "updatedVariables"
  | "noToolCalls";

const INPUTS = ["text", "event", "variables", "toolResponses"] as const;
const EXPECTED = [
  "agentResponse",
  "toolCall",
  "mockToolResponse",
  "toolResponse",
  "agentTransfer",
  "updatedVariables",
  "noToolCalls",
] as const;

/** Null for kinds that are not shown in a form, such as audio. */
export function kindOf(step: ces.Evaluation_Step): StepKind | null {
  if (step.agentTransfer) return "enters";
  const { userInput, expectation } = step;
  if (userInput) return INPUTS.find((kind) => userInput[kind] !== undefined) ?? null;
  return EXPECTED.find((kind) => expectation?.[kind] !== undefined) ?? null;
}

/** What a step is, in words. */
export function kindTitles(): Record<StepKind, string> {
  return {
    text: t("The user says"),
    event: t("Event"),
    variables: t("Variables are given"),
    toolResponses: t("The client returns"),
    enters: t("Begins with the agent"),
    agentResponse: t("The agent says"),
    toolCall: t("A tool is called"),
    mockToolResponse: t("The call returns, without calling"),
    toolResponse: t("The call returns"),
    agentTransfer: t("Another agent takes over"),
    updatedVariables: t("Variables are set"),
    noToolCalls: t("No tool is called"),
  };
}

/** A new step of a kind, to be filled in. */
export function newStep(kind: StepKind): ces.Evaluation_Step {
  switch (kind) {
    case "text":
      return { userInput: { text: "" } };
    case "event":
      return { userInput: { event: { event: "" } } };
    case "variables":
      return { userInput: { variables: {} } };
    case "toolResponses":
      return { userInput: { toolResponses: { toolResponses: [{ response: {} }] } } };
    case "enters":
      return { agentTransfer: {} };
    case "agentResponse":
      return { expectation: { agentResponse: { role: "agent", chunks: [{ text: "" }] } } };
    case "noToolCalls":
      return { expectation: { noToolCalls: true } };
    case "agentTransfer":
    case "updatedVariables":
      return { expectation: { [kind]: {} } };
    default:
      return { expectation: { [kind]: kind === "toolCall" ? { args: {} } : { response: {} } } };
  }
}

export function wordsOf(message: ces.Message | undefined): string {
  return message?.chunks?.map(({ text, transcript }) => text ?? transcript ?? "").join("\n") ?? "";
}

interface Reference {
  tool?: string;
  toolsetTool?: ces.ToolsetTool;
  displayName?: string;
}

/** How a call, or what it returned, calls its tool. */
export function toolTitle({ tool, toolsetTool, displayName }: Reference): string {
  return displayName || toolsetTool?.toolId || lastPart(tool ?? toolsetTool?.toolset ?? "");
}

export function agentTitle({ targetAgent = "", displayName }: ces.AgentTransfer, names: Map<string, string>): string {
  return names.get(targetAgent) ?? displayName ?? lastPart(targetAgent);
}

/** A tool that a step can name: one of the app, or any of a toolset. */
export interface ToolChoice {
  value: string;
  label: string;
}

export function toolValue({ tool, toolsetTool }: Reference): string {
  return tool ?? toolsetTool?.toolset ?? "";
}

/** The reference with another tool, or toolset; which tool of a toolset is said apart. */
export function withTool<Part extends Reference>(part: Part, value: string): Part {
  const { tool: _tool, toolsetTool: _toolset, displayName: _name, ...rest } = part;
  const reference = value.includes("/toolsets/")
    ? { toolsetTool: { toolset: value, toolId: part.toolsetTool?.toolId ?? "" } }
    : { tool: value };
  return { ...rest, ...reference } as Part;
}

/** What is expected of a step and what was observed, as texts to compare; null where there is nothing to compare. */
export function compared(
  outcome: ces.EvaluationResult_GoldenExpectationOutcome,
  agents: Map<string, string>,
): { before: string; after: string } | null {
  const { expectation = {} } = outcome;
  if (expectation.agentResponse)
    return { before: wordsOf(expectation.agentResponse), after: wordsOf(outcome.observedAgentResponse) };
  if (expectation.toolCall)
    return {
      before: call(expectation.toolCall),
      after: outcome.observedToolCall ? call(outcome.observedToolCall) : "",
    };
  if (expectation.toolResponse)
    return {
      before: json(expectation.toolResponse.response),
      after: outcome.observedToolResponse ? json(outcome.observedToolResponse.response) : "",
    };
  if (expectation.agentTransfer) {
    const observed = outcome.observedAgentTransfer;
    return {
      before: agentTitle(expectation.agentTransfer, agents),
      after: observed ? agentTitle(observed, agents) : "",
    };
  }
  return expectation.updatedVariables ? { before: json(expectation.updatedVariables), after: "" } : null;
}

function call(made: ces.ToolCall): string {
  return `${toolTitle(made)} ${json(made.args)}`;
}

export function json(value: JsonObject | undefined): string {
  return JSON.stringify(sorted(value ?? {}), null, 2);
}

/** Members in alphabetical order: their order means nothing, and a difference in it would hide the others. */
function sorted(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => left.localeCompare(right)));
}
