import type { cx } from "../../api/generated/types";
import type { Tone } from "../../ui/states";
import { t } from "../../words/words";

export type ToolKind = "openapi" | "function" | "dataStore" | "connector" | "code" | "other";

export function kindOfTool(tool: cx.Tool): ToolKind {
  if (tool.openApiSpec) return "openapi";
  if (tool.functionSpec) return "function";
  if (tool.dataStoreSpec) return "dataStore";
  if (tool.connectorSpec) return "connector";
  return tool.toolType === "BUILTIN_TOOL" || tool.name?.endsWith("code-interpreter-tool") ? "code" : "other";
}

export function kindWords(kind: ToolKind): { label: string; tone: Tone } {
  const words: Record<ToolKind, { label: string; tone: Tone }> = {
    openapi: { label: "OpenAPI", tone: "tool" },
    function: { label: t("Function"), tone: "pause" },
    dataStore: { label: t("Data store"), tone: "retrieval" },
    connector: { label: t("Connector"), tone: "hand" },
    code: { label: "Code Interpreter", tone: "code" },
    other: { label: t("Other"), tone: "plain" },
  };
  return words[kind];
}

const SCHEMA = `openapi: 3.0.0
info:
  title: My API
  version: 1.0.0
servers:
  - url: https://api.example.com
paths:
  /things:
    get:
      summary: List all things
      operationId: listThings
      parameters:
        - name: label
          in: query
          schema:
            type: string
      responses:
        200:
          description: The things
`;

/** A tool to begin with, by kind. */
export function newTool(kind: ToolKind, displayName: string, description: string): cx.Tool {
  const about = { displayName, description };
  if (kind === "openapi") return { ...about, openApiSpec: { textSchema: SCHEMA } };
  if (kind === "dataStore") return { ...about, dataStoreSpec: { dataStoreConnections: [], fallbackPrompt: {} } };
  if (kind === "connector") return { ...about, connectorSpec: { name: "", actions: [] } };
  const properties = { question: { type: "string", description: "What is asked" } };
  return {
    ...about,
    functionSpec: {
      inputSchema: { type: "object", properties, required: ["question"] },
      outputSchema: { type: "object", properties: { answer: { type: "string" } } },
    },
  };
}
