import type { ReactNode } from "react";
import type { cx } from "../../api/generated/types";
import { asJson, isObject, type JsonObject } from "../../api/json";
import { CodeEditor } from "../../editor/code-editor";
import { TextField } from "../../ui/field";
import type { Tab } from "../../ui/tabs";
import { t } from "../../words/words";
import type { ActionName } from "./actions";
import { Authentication } from "./authentication";
import { ConnectorSettings } from "./connector-settings";
import { DataStoreSettings } from "./data-store-settings";
import { JsonMessage } from "./json-message";
import type { ToolKind } from "./kinds";
import { OpenApiSchema } from "./openapi-schema";
import { Operations } from "./operations";

export interface ToolTabProps {
  tool: cx.Tool;
  onChange: (tool: cx.Tool) => void;
  actions: ActionName[];
  onTest: (action: string) => void;
}

export function tabsOf(kind: ToolKind): Tab[] {
  const about = { id: "about", label: t("Name and description") };
  const json = { id: "json", label: "JSON" };
  switch (kind) {
    case "openapi":
      return [
        { id: "schema", label: t("Schema") },
        { id: "operations", label: t("Operations") },
        { id: "authentication", label: t("Authentication") },
        { id: "settings", label: t("Settings") },
        about,
      ];
    case "function":
      return [
        { id: "input", label: t("Input schema") },
        { id: "output", label: t("Output schema") },
        { id: "client", label: t("Client code") },
        about,
      ];
    case "dataStore":
      return [{ id: "stores", label: t("Stores and answers") }, about, json];
    case "connector":
      return [{ id: "connector", label: t("Connection and actions") }, about, json];
    case "code":
      return [{ id: "code", label: t("What it can do") }];
    default:
      return [about, json];
  }
}

export function ToolTab({ tab, ...props }: ToolTabProps & { tab: string }): ReactNode {
  switch (tab) {
    case "schema":
      return <OpenApiSchema {...props} />;
    case "operations":
      return <Operations {...props} />;
    case "authentication":
      return <AuthenticationTab {...props} />;
    case "settings":
      return <SettingsTab {...props} />;
    case "input":
    case "output":
      return <FunctionSchema key={tab} {...props} part={tab === "input" ? "inputSchema" : "outputSchema"} />;
    case "client":
      return <ClientCode {...props} />;
    case "stores":
      return <DataStoreSettings {...props} />;
    case "connector":
      return <ConnectorSettings {...props} />;
    case "code":
      return <AboutCode />;
    case "json":
      return <WholeTool {...props} />;
    default:
      return <About {...props} />;
  }
}

function About({ tool, onChange }: ToolTabProps): ReactNode {
  return (
    <div className="tab-body stack">
      <TextField
        label={t("Name")}
        value={tool.displayName ?? ""}
        onChange={(displayName) => onChange({ ...tool, displayName })}
        hint={t("What instructions call it, such as pets.")}
      />
      <TextField
        label={t("Description")}
        rows={4}
        value={tool.description ?? ""}
        onChange={(description) => onChange({ ...tool, description })}
        hint={t("For the model: what it does, and when to use it.")}
      />
    </div>
  );
}

function AuthenticationTab({ tool, onChange }: ToolTabProps): ReactNode {
  const spec = tool.openApiSpec ?? {};
  return (
    <div className="tab-body">
      <Authentication
        value={spec.authentication ?? {}}
        onChange={(next) => {
          const { authentication: _gone, ...rest } = spec;
          onChange({ ...tool, openApiSpec: next ? { ...rest, authentication: next } : rest });
        }}
      />
    </div>
  );
}

function SettingsTab({ tool, onChange }: ToolTabProps): ReactNode {
  const { textSchema = "", authentication, ...settings } = tool.openApiSpec ?? {};
  return (
    <div className="tab-body stack">
      <p className="muted">
        {t(
          "Certificates, private endpoints, which operations are offered, which response fields the model sees, times.",
        )}
      </p>
      <JsonMessage
        label={t("Settings")}
        value={asJson(settings)}
        onChange={(next) =>
          onChange({ ...tool, openApiSpec: { textSchema, ...(authentication ? { authentication } : {}), ...next } })
        }
      />
    </div>
  );
}

function FunctionSchema({ tool, onChange, part }: ToolTabProps & { part: "inputSchema" | "outputSchema" }): ReactNode {
  const spec = tool.functionSpec ?? {};
  return (
    <div className="tab-body stack">
      <p className="muted">
        {part === "inputSchema"
          ? t("What the model sends to your program: a JSON Schema.")
          : t("What your program sends back. A result that does not fit is reported.")}
      </p>
      <JsonMessage
        label={part === "inputSchema" ? t("Input schema") : t("Output schema")}
        value={spec[part] ?? {}}
        onChange={(next) => onChange({ ...tool, functionSpec: { ...spec, [part]: next } })}
      />
    </div>
  );
}

function ClientCode({ tool }: ToolTabProps): ReactNode {
  const action = tool.displayName ?? "action";
  const sample = `// In the web page, with <openplaybook-messenger>:
const messenger = document.querySelector("openplaybook-messenger");
messenger.registerClientSideFunction("${tool.name}", "${action}", async (input) => {
  return ${JSON.stringify(sampleOf(tool.functionSpec?.outputSchema))};
});

# In Python, with Google's client: answer the toolCall of a response.
query_input = QueryInput(
    tool_call_result=ToolCallResult(
        tool="${tool.name}",
        action="${action}",
        output_parameters=${JSON.stringify(sampleOf(tool.functionSpec?.outputSchema))},
    ),
    language_code="en",
)`;
  return (
    <div className="tab-body stack">
      <p className="muted">
        {t("The turn pauses when the model calls this function, and resumes with the result that your program sends.")}
      </p>
      <CodeEditor value={sample} language="text" label={t("Client code")} />
    </div>
  );
}

function sampleOf(schema: JsonObject | undefined): JsonObject {
  const properties = isObject(schema?.["properties"]) ? schema["properties"] : {};
  const entries = Object.entries(properties).map(([name, part]) => {
    const type = isObject(part) ? part["type"] : "";
    return [name, type === "number" || type === "integer" ? 1 : type === "boolean" ? true : "…"] as const;
  });
  return Object.fromEntries(entries);
}

function AboutCode(): ReactNode {
  return (
    <div className="tab-body stack">
      <h2>{t("Python in a sandbox")}</h2>
      <p className="muted">
        {t(
          "The tool writes and runs Python: analysis, plots, equations. Without a model, send the code itself as the query. It has no network, and limits of time and memory.",
        )}
      </p>
      <p className="muted">{t("Try it on the right: a task in words, or Python, and files to work on.")}</p>
    </div>
  );
}

function WholeTool({ tool, onChange }: ToolTabProps): ReactNode {
  return (
    <div className="tab-body">
      <JsonMessage
        label="JSON"
        value={asJson(tool)}
        onChange={(next) => onChange({ ...next, name: tool.name ?? "" } as cx.Tool)}
      />
    </div>
  );
}
