import { type ComponentType, lazy, type LazyExoticComponent } from "react";

/** A view gets the resource name that its address is, without a trailing collection. */
export interface ViewProps {
  name: string;
}

interface Route {
  pattern: RegExp;
  view: LazyExoticComponent<ComponentType<ViewProps>>;
}

type View = () => Promise<ComponentType<ViewProps>>;

function route(pattern: string, load: View): Route {
  const source = pattern.replaceAll("**", "§").replaceAll("*", "[^/]+").replaceAll("§", ".+");
  return { pattern: new RegExp(`^${source}$`), view: lazy(async () => ({ default: await load() })) };
}

const AGENT = "projects/*/locations/*/agents/*";
const APP = "projects/*/locations/*/apps/*";

/** Every address below /console/: the resource's own name, or a word. The first that fits counts. */
const ROUTES: Route[] = [
  route("", async () => (await import("./features/start/start")).Start),
  route("agents", async () => (await import("./features/agents/agent-list")).AgentList),
  route("secrets", async () => (await import("./features/server/secrets")).Secrets),
  route("health", async () => (await import("./features/server/health")).Health),
  route("settings", async () => (await import("./features/server/settings")).Settings),
  route(AGENT, async () => (await import("./features/agents/agent-overview")).AgentOverview),
  route(`${AGENT}/playbooks`, async () => (await import("./features/playbooks/playbook-list")).PlaybookList),
  route(`${AGENT}/playbooks/*`, async () => (await import("./features/playbooks/playbook-editor")).PlaybookEditor),
  route(`${AGENT}/examples`, async () => (await import("./features/examples/example-list")).ExampleList),
  route(
    `${AGENT}/playbooks/*/examples/*`,
    async () => (await import("./features/examples/example-editor")).ExampleEditor,
  ),
  route(`${AGENT}/tools`, async () => (await import("./features/tools/tool-list")).ToolList),
  route(`${AGENT}/tools/*`, async () => (await import("./features/tools/tool-page")).ToolPage),
  route(`${AGENT}/sessions/*`, async () => (await import("./features/simulator/simulator")).Simulator),
  route(`${APP}/sessions/*`, async () => (await import("./features/simulator/simulator")).Simulator),
];

const COLLECTIONS = /\/(playbooks|examples|tools|conversations)$/;

/** The view of a path below /console/, and the resource name it shows; null for what is no address of ours. */
export function viewAt(path: string): { view: Route["view"]; name: string } | null {
  const name = decodeURIComponent(path.replace(/^\/|\/$/g, ""));
  const found = ROUTES.find(({ pattern }) => pattern.test(name));
  return found ? { view: found.view, name: name.replace(COLLECTIONS, "") } : null;
}
