import { call } from "../../api/call";
import { cesApi, opApi } from "../../api/generated/methods";
import type { op } from "../../api/generated/types";
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
export async function executed({ tool, action, input, parameters, draft }: Trial): Promise<TrialResult> {
  if (tool.includes("/apps/")) return executedInApp(tool, action, input, parameters);
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

async function executedInApp(
  tool: string,
  action: string,
  args: JsonObject,
  variables: JsonObject,
): Promise<TrialResult> {
  const response = await call(cesApi.executeTool, {
    parent: upTo(tool, "apps"),
    args,
    ...(tool.includes("/toolsets/") ? { toolsetTool: { toolset: tool, toolId: action } } : { tool }),
    ...(Object.keys(variables).length ? { variables } : {}),
  });
  return { output: response.response ?? {}, error: null, errorOutput: undefined, note: "", exchanges: [] };
}
