import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { call } from "../../api/call";
import { opApi } from "../../api/generated/methods";
import type { op } from "../../api/generated/types";
import type { JsonObject } from "../../api/json";
import { upTo } from "../../api/names";
import { cache } from "../../api/query";
import type { Schema } from "../../schema-form/schema";

/** One thing that the model may call, as the list shows it. */
export interface ActionName {
  name: string;
  title: string;
  description: string;
}

/** The same with its schemas, as the model sees it. */
export interface ToolAction extends ActionName {
  input: Schema;
  output: Schema | null;
  /** Whether the client runs it. */
  client: boolean;
  readOnly: boolean;
  /** Arguments that the server fills in; the model never sees them. */
  filled: string[];
}

export interface ActionsState {
  actions: ActionName[] | undefined;
  problems: op.Problem[];
  error: unknown;
  refetch: () => void;
}

const PAGE = 1000;
const MOST_PAGES = 20;

function ownerOf(tool: string): string {
  return tool.includes("/apps/") ? upTo(tool, "apps") : upTo(tool, "agents");
}

/** A tool was stored: what is known of its actions, here and in examples, is asked again. */
export function forgetActions(tool: string): void {
  for (const kind of ["actions", "action"]) void cache.invalidateQueries({ queryKey: [kind, tool] });
}

/** The names of a tool's actions, of all pages; of a draft where one is given. */
export function useActions(tool: string, draft?: JsonObject): ActionsState {
  const query = useQuery({
    queryKey: ["actions", tool, draft],
    queryFn: async ({ signal }) => {
      const actions: op.ToolAction[] = [];
      const request = { parent: ownerOf(tool), tool, namesOnly: true, pageSize: PAGE, ...(draft ? { draft } : {}) };
      let problems: op.Problem[] = [];
      let pageToken = "";
      for (let page = 0; page < MOST_PAGES; page++) {
        const found = await call(opApi.listToolActions, { ...request, pageToken }, { signal });
        actions.push(...(found.actions ?? []));
        if (!page) problems = found.problems ?? [];
        pageToken = found.nextPageToken ?? "";
        if (!pageToken) break;
      }
      return { actions, problems };
    },
    enabled: !!tool,
    placeholderData: (last) => last,
  });
  const actions = useMemo(() => query.data?.actions.map(named), [query.data]);
  return { actions, problems: query.data?.problems ?? [], error: query.error, refetch: () => void query.refetch() };
}

/** One action with its schemas; undefined until it is known. */
export function useAction(
  tool: string,
  name: string,
  draft?: JsonObject,
): { action: ToolAction | undefined; error: unknown } {
  const query = useQuery({
    queryKey: ["action", tool, name, draft],
    queryFn: async ({ signal }) => {
      const request = { parent: ownerOf(tool), tool, filter: name, pageSize: PAGE, ...(draft ? { draft } : {}) };
      const found = await call(opApi.listToolActions, request, { signal });
      return found.actions?.find((each) => (each.action || each.name) === name) ?? null;
    },
    enabled: !!tool && !!name,
    placeholderData: (last) => last,
  });
  const action = useMemo(
    () => (query.data && named(query.data).name === name ? whole(query.data) : undefined),
    [query.data, name],
  );
  return { action, error: query.error };
}

function named(action: op.ToolAction): ActionName {
  const place = action.path ? `${action.method} ${action.path}` : "";
  return { name: action.action || action.name || "", title: place, description: action.description ?? "" };
}

const ANY: Schema = { type: "object" };

function whole(action: op.ToolAction): ToolAction {
  return {
    ...named(action),
    input: action.inputSchema ?? ANY,
    output: action.outputSchema ?? null,
    client: action.client ?? false,
    readOnly: action.readOnly ?? false,
    filled: action.filledArguments ?? [],
  };
}
