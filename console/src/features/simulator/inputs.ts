import { cesApi, cxApi } from "../../api/generated/methods";
import type { ces, cx } from "../../api/generated/types";
import { type CallOptions, stream } from "../../api/call";
import type { JsonObject } from "../../api/json";
import { upTo } from "../../api/names";

/** What one turn begins with, in the words of neither API. */
export interface TurnInput {
  text?: string;
  results?: ClientResult[];
  /** Session parameters to set with it. */
  parameters?: JsonObject;
  model?: string;
  language: string;
}

/** What the client says of a call that it ran: an output, or an error. */
export interface ClientResult {
  id: string;
  tool: string;
  action: string;
  output?: JsonObject;
  error?: string;
}

/** Words of the agent while they arrive, by reply; later pieces of a reply come after earlier ones. */
export interface Piece {
  text: string;
  reply: number;
}

export function isAppSession(session: string): boolean {
  return session.includes("/apps/");
}

export function wholeOf(session: string): string {
  return isAppSession(session) ? upTo(session, "apps") : upTo(session, "agents");
}

/** Runs a turn and yields the agent's words as they arrive; ends with the turn. */
export async function* runTurn(session: string, input: TurnInput, options: CallOptions): AsyncGenerator<Piece> {
  if (isAppSession(session)) yield* runAppTurn(session, input, options);
  else yield* runAgentTurn(session, input, options);
}

/** The request as Google's clients send it. */
export function agentRequest(session: string, input: TurnInput): cx.DetectIntentRequest {
  const queryParams: cx.QueryParameters = {};
  if (input.parameters) queryParams.parameters = input.parameters;
  if (input.model) queryParams.llmModelSettings = { model: input.model };
  const [first] = input.results ?? [];
  const queryInput: cx.QueryInput = first
    ? { toolCallResult: toolCallResult(first), languageCode: input.language }
    : { text: { text: input.text ?? "" }, languageCode: input.language };
  return { session, queryInput, ...(Object.keys(queryParams).length ? { queryParams } : {}) };
}

function toolCallResult({ id, tool, action, output, error }: ClientResult): cx.ToolCallResult {
  return {
    id,
    tool,
    action,
    ...(error === undefined ? { outputParameters: output ?? {} } : { error: { message: error } }),
  };
}

export function appRequest(session: string, input: TurnInput): ces.RunSessionRequest {
  const inputs: ces.SessionInput[] = [];
  if (input.parameters) inputs.push({ variables: input.parameters });
  if (input.results?.length)
    inputs.push({
      toolResponses: {
        toolResponses: input.results.map(({ id, tool, output, error }) => ({
          id,
          tool,
          response: error === undefined ? (output ?? {}) : { error },
        })),
      },
    });
  else inputs.push({ text: input.text ?? "" });
  return { config: { session, enableTextStreaming: true }, inputs };
}

async function* runAgentTurn(session: string, input: TurnInput, options: CallOptions): AsyncGenerator<Piece> {
  for await (const item of stream(cxApi.serverStreamingDetectIntent, agentRequest(session, input), options)) {
    if (item.responseType !== "PARTIAL") continue;
    for (const message of item.queryResult?.responseMessages ?? [])
      for (const text of message.text?.text ?? []) yield { text, reply: message.replyIndex ?? 0 };
  }
}

async function* runAppTurn(session: string, input: TurnInput, options: CallOptions): AsyncGenerator<Piece> {
  for await (const item of stream(cesApi.streamRunSession, appRequest(session, input), options))
    for (const output of item.outputs ?? [])
      if (output.text && !output.turnCompleted) yield { text: output.text, reply: output.replyIndex ?? 0 };
}
