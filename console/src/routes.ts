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
  route("data-stores", async () => (await import("./features/data-stores/store-list")).StoreList),
  route("connections", async () => (await import("./features/connections/connection-list")).ConnectionList),
  route("consent", async () => (await import("./features/connections/consent-view")).ConsentView),
  route("connectors", async () => (await import("./features/connections/catalogue")).Catalogue),
  route("secrets", async () => (await import("./features/server/secrets")).Secrets),
  route("health", async () => (await import("./features/server/health")).Health),
  route("signed-in", async () => (await import("./features/server/signed-in")).SignedIn),
  route("settings", async () => (await import("./features/server/settings")).Settings),
  route("messenger", async () => (await import("./features/server/messenger-demo")).MessengerDemo),
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
  route(
    `${AGENT}/conversations`,
    async () => (await import("./features/conversations/conversation-list")).ConversationList,
  ),
  route(
    `${AGENT}/conversations/*`,
    async () => (await import("./features/conversations/conversation-view")).ConversationView,
  ),
  route(`${AGENT}/testCases`, async () => (await import("./features/tests/test-list")).TestList),
  route(`${AGENT}/testCases/*`, async () => (await import("./features/tests/test-page")).TestPage),
  route(`${APP}/tests`, async () => (await import("./features/tests/app-tests")).AppTests),
  route(`${APP}/evaluations`, async () => (await import("./features/evaluations/evaluation-list")).EvaluationList),
  route(`${APP}/evaluations/*`, async () => (await import("./features/evaluations/evaluation-page")).EvaluationPage),
  route(`${APP}/evaluationRuns/*`, async () => (await import("./features/evaluations/run-page")).RunPage),
  route(`${APP}/sessions/*`, async () => (await import("./features/simulator/simulator")).Simulator),
  route(
    `${APP}/conversations`,
    async () => (await import("./features/conversations/conversation-list")).ConversationList,
  ),
  route(
    `${APP}/conversations/*`,
    async () => (await import("./features/conversations/conversation-view")).ConversationView,
  ),
  route(APP, async () => (await import("./features/apps/app-overview")).AppOverview),
  route(`${APP}/agents`, async () => (await import("./features/apps/app-overview")).AppOverview),
  route(`${APP}/agents/*`, async () => (await import("./features/apps/app-agent")).AppAgent),
  route(`${APP}/tools`, async () => (await import("./features/apps/app-tools")).AppTools),
  route(`${APP}/(tools|toolsets)/*`, async () => (await import("./features/apps/app-tool")).AppTool),
  route(`${APP}/guardrails`, async () => (await import("./features/apps/app-guardrails")).AppGuardrails),
  route(
    "projects/*/locations/*/collections/*/dataStores/*",
    async () => (await import("./features/data-stores/store-page")).StorePage,
  ),
  route(
    "projects/*/locations/*/connections/*",
    async () => (await import("./features/connections/connection-page")).ConnectionPage,
  ),
];

const COLLECTIONS =
  /\/(playbooks|examples|tools|conversations|guardrails|testCases|tests|evaluations)$|(?<=\/apps\/[^/]+)\/agents$/;

/** The view of a path below /console/, and the resource name it shows; null for what is no address of ours. */
export function viewAt(path: string): { view: Route["view"]; name: string } | null {
  const name = decodeURIComponent(path.replace(/^\/|\/$/g, ""));
  const found = ROUTES.find(({ pattern }) => pattern.test(name));
  return found ? { view: found.view, name: name.replace(COLLECTIONS, "") } : null;
}
