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
