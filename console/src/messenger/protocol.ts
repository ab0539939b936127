/** What the messenger sends and reads: detectIntent of agents, runSession of apps. */

export interface PendingCall {
  id: string;
  tool: string;
  action: string;
  input: Record<string, unknown>;
}

export interface Reply {
  texts: string[];
  payloads: Record<string, unknown>[];
  calls: PendingCall[];
  ended: boolean;
}

export type Input =
  | { text: string }
  | { event: string }
  | { result: PendingCall; output: Record<string, unknown> | null; error: string };

export interface Connection {
  server: string;
  session: string;
  key: string;
  /** For this session alone; goes before `key`. */
  token: string;
  language: string;
}

type Json = Record<string, unknown>;

export async function exchanged(connection: Connection, input: Input, parameters: Json): Promise<Reply> {
  const isApp = connection.session.includes("/apps/");
  const path = isApp ? `/v1/${connection.session}:runSession` : `/v3/${connection.session}:detectIntent`;
  const body = isApp ? appBody(connection, input, parameters) : agentBody(connection, input, parameters);
  const headers: Record<string, string> = {
    "Content-Type": "application/json",
    "Idempotency-Key": crypto.randomUUID(),
  };
  if (connection.token) headers["Authorization"] = `Bearer ${connection.token}`;
  else if (connection.key) headers["x-goog-api-key"] = connection.key;
  // On pages of the server itself, the console's session speaks for who is logged in.
  if (!connection.server) headers["X-OpenPlaybook-Console"] = "1";
  const response = await fetch(connection.server + path, { method: "POST", headers, body: JSON.stringify(body) });
  const answer = (await response.json()) as Json;
  if (!response.ok) throw new Error(String((answer["error"] as Json | undefined)?.["message"] ?? response.statusText));
  return isApp ? appReply(answer) : agentReply(answer);
}

function agentBody({ language }: Connection, input: Input, parameters: Json): Json {
  const queryInput: Json = { languageCode: language };
  if ("text" in input) queryInput["text"] = { text: input.text };
  else if ("event" in input) queryInput["event"] = { event: input.event };
  else {
    const { tool, action, id } = input.result;
    const end = input.error ? { error: { message: input.error } } : { outputParameters: input.output ?? {} };
    queryInput["toolCallResult"] = { tool, action, id, ...end };
  }
  return { queryInput, ...(Object.keys(parameters).length ? { queryParams: { parameters } } : {}) };
}

function appBody({ session }: Connection, input: Input, parameters: Json): Json {
  const inputs: Json[] = Object.keys(parameters).length ? [{ variables: parameters }] : [];
  if ("text" in input) inputs.push({ text: input.text });
  else if ("event" in input) inputs.push({ event: { event: input.event } });
  else {
    const { tool, id } = input.result;
    const response = input.error ? { error: input.error } : (input.output ?? {});
    inputs.push({ toolResponses: { toolResponses: [{ tool, id, response }] } });
  }
  return { config: { session }, inputs };
}

function agentReply(answer: Json): Reply {
  const reply: Reply = { texts: [], payloads: [], calls: [], ended: false };
  const messages = ((answer["queryResult"] as Json | undefined)?.["responseMessages"] ?? []) as Json[];
  for (const message of messages) {
    const text = (message["text"] as { text?: string[] } | undefined)?.text;
    if (text) reply.texts.push(...text);
    if (message["payload"]) reply.payloads.push(message["payload"] as Json);
    if (message["toolCall"]) reply.calls.push(callOf(message["toolCall"] as Json, "inputParameters"));
    if (message["endInteraction"]) reply.ended = true;
  }
  return reply;
}

function appReply(answer: Json): Reply {
  const reply: Reply = { texts: [], payloads: [], calls: [], ended: false };
  for (const output of (answer["outputs"] ?? []) as Json[]) {
    if (output["text"]) reply.texts.push(String(output["text"]));
    if (output["payload"]) reply.payloads.push(output["payload"] as Json);
    const calls = (output["toolCalls"] as { toolCalls?: Json[] } | undefined)?.toolCalls ?? [];
    reply.calls.push(...calls.map((call) => callOf(call, "args")));
    if (output["endSession"]) reply.ended = true;
  }
  return reply;
}

function callOf(call: Json, inputs: string): PendingCall {
  return {
    id: String(call["id"] ?? ""),
    tool: String(call["tool"] ?? ""),
    action: String(call["action"] ?? call["displayName"] ?? ""),
    input: (call[inputs] ?? {}) as Json,
  };
}
