import type { ReactNode } from "react";
import { Link } from "wouter";
import { cesApi } from "../../api/generated/methods";
import type { ces } from "../../api/generated/types";
import { lastPart } from "../../api/names";
import { useRpc } from "../../api/query";
import type { ViewProps } from "../../routes";
import { useCrumbs } from "../../shell/crumbs";
import { useCurrent } from "../../shell/current-agent";
import { Empty, Loaded, Tag } from "../../ui/states";
import { t } from "../../words/words";

export function appToolKind(tool: ces.Tool): string {
  const kinds: [keyof ces.Tool, string][] = [
    ["pythonFunction", t("Python function")],
    ["clientFunction", t("Client function")],
    ["openApiTool", "OpenAPI"],
    ["dataStoreTool", t("Data store")],
    ["connectorTool", t("Connector")],
    ["mcpTool", "MCP"],
    ["agentTool", t("Agent as a tool")],
    ["systemTool", t("System")],
    ["googleSearchTool", "Google Search"],
  ];
  return kinds.find(([key]) => tool[key])?.[1] ?? t("Other");
}

/** Tools and toolsets of an app. */
export function AppTools({ name }: ViewProps): ReactNode {
  const whole = useCurrent();
  useCrumbs({ label: whole?.title ?? "", href: `/${name}` }, { label: t("Tools") });
  const tools = useRpc(cesApi.listTools, { parent: name, pageSize: 500 });
  const toolsets = useRpc(cesApi.listToolsets, { parent: name, pageSize: 200 });
  return (
    <div className="page">
      <header className="page-head">
        <div className="grow">
          <h1>{t("Tools")}</h1>
          <p>{t("Tools and toolsets of the app.")}</p>
        </div>
      </header>
      <Loaded query={tools}>
        {(data) => {
          const rows = [
            ...(data.tools ?? []).map((tool) => ({
              name: tool.name ?? "",
              title: tool.displayName,
              kind: appToolKind(tool),
              about: aboutOf(tool),
            })),
            ...(toolsets.data?.toolsets ?? []).map((set) => ({
              name: set.name ?? "",
              title: set.displayName,
              kind: t("Toolset"),
              about: set.description,
            })),
          ];
          return rows.length ? (
            <table>
              <tbody>
                {rows.map((row) => (
                  <tr key={row.name}>
                    <td>
                      <Link href={`/${row.name}`}>
                        <b>{row.title || lastPart(row.name)}</b>
                      </Link>
                    </td>
                    <td>
                      <Tag tone="tool">{row.kind}</Tag>
                    </td>
                    <td className="muted">{row.about}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          ) : (
            <Empty title={t("No tools yet")} />
          );
        }}
      </Loaded>
    </div>
  );
}

function aboutOf(tool: ces.Tool): string {
  const part = tool.pythonFunction ?? tool.clientFunction ?? tool.openApiTool ?? tool.dataStoreTool ?? tool.mcpTool;
  return (part as { description?: string } | undefined)?.description ?? "";
}
