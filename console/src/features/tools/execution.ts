import { call } from "../../api/call";
import { cesApi, opApi } from "../../api/generated/methods";
import type { ces, op } from "../../api/generated/types";
import type { Json, JsonObject } from "../../api/json";
import { upTo } from "../../api/names";

export interface Trial {
  /** Resource name of a tool, or of a toolset of an app. */
  tool: string;
  action: string;
  input: JsonObject;
  /** Session parameters, or variables. */
  parameters: JsonObject;
  draft?: JsonObject | undefined;
  /** Results in place of the calls that code of an app makes. */
  mockConfig?: ces.MockConfig | undefined;
}

export interface TrialResult {
  output: JsonObject | null;
  error: { code: string; message: string } | null;
  /** What comes with an error: the response body of a service, for example. */
  errorOutput: Json | undefined;
  /** What the server left out or did not do. */
  note: string;
  exchanges: op.Exchange[];
}

/** Takes one action as the model would, of an agent's tool or an app's. */
export async function executed(trial: Trial): Promise<TrialResult> {
  const { tool, action, input, parameters, draft } = trial;
  if (tool.includes("/apps/")) return executedInApp(trial);
  const response = await call(opApi.executeTool, {
    tool,
    action,
    inputParameters: input,
    ...(Object.keys(parameters).length ? { sessionParameters: parameters } : {}),
    ...(draft ? { draft } : {}),
  });
  const { error } = response;
  return {
    output: response.outputParameters ?? null,
    error: error ? { code: error.code ?? "", message: error.message ?? "" } : null,
    errorOutput: response.errorOutput,
    note: response.note ?? "",
    exchanges: response.exchanges ?? [],
  };
}

async function executedInApp({ tool, action, input, parameters, mockConfig }: Trial): Promise<TrialResult> {
  const response = await call(cesApi.executeTool, {
    parent: upTo(tool, "apps"),
    args: input,
    ...(tool.includes("/toolsets/") ? { toolsetTool: { toolset: tool, toolId: action } } : { tool }),
    ...(Object.keys(parameters).length ? { variables: parameters } : {}),
    ...(mockConfig ? { mockConfig } : {}),
  });
  return { output: response.response ?? {}, error: null, errorOutput: undefined, note: "", exchanges: [] };
}
