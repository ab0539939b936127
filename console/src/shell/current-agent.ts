import { useEffect, useMemo } from "react";
import { useLocation } from "wouter";
import { cesApi, cxApi } from "../api/generated/methods";
import type { ces, cx } from "../api/generated/types";
import { locationOf, upTo } from "../api/names";
import { useRpc } from "../api/query";
import { EVERYWHERE, WHOLES_SHOWN } from "./first-requests";

const KEPT = "openplaybook.agent";

export interface Whole {
  name: string;
  title: string;
  about: string;
  isApp: boolean;
}

interface WholesQuery {
  /** Undefined until they are known. */
  data: Whole[] | undefined;
  error: unknown;
  refetch: () => void;
}

/** All agents and apps of the server. */
export function useWholesQuery(): WholesQuery {
  const agents = useRpc(cxApi.listAgents, { parent: EVERYWHERE, pageSize: WHOLES_SHOWN });
  const apps = useRpc(cesApi.listApps, { parent: EVERYWHERE, pageSize: WHOLES_SHOWN });
  const data = useMemo(
    () =>
      agents.data && apps.data && [...(agents.data.agents ?? []).map(ofAgent), ...(apps.data.apps ?? []).map(ofApp)],
    [agents.data, apps.data],
  );
  return {
    data,
    error: agents.error ?? apps.error,
    refetch: () => {
      void agents.refetch();
      void apps.refetch();
    },
  };
}

export function useWholes(): Whole[] | undefined {
  return useWholesQuery().data;
}

function ofAgent(agent: cx.Agent): Whole {
  return {
    name: agent.name ?? "",
    title: agent.displayName ?? "",
    about: agent.description ?? "",
    isApp: false,
  };
}

function ofApp(app: ces.App): Whole {
  return { name: app.name ?? "", title: app.displayName ?? "", about: app.description ?? "", isApp: true };
}

/** The agent or app that the side bar is about: that of the address, else the last one, else the first. */
export function useCurrent(): Whole | undefined {
  const [path] = useLocation();
  const wholes = useWholes();
  const here = upTo(decodeURIComponent(path), "agents").slice(1);
  const app = upTo(decodeURIComponent(path), "apps").slice(1);
  const named = app || (/^projects\/[^/]+\/locations\/[^/]+\/agents\/[^/]+$/.test(here) ? here : "");
  useEffect(() => {
    if (named) localStorage.setItem(KEPT, named);
  }, [named]);
  const kept = localStorage.getItem(KEPT);
  return (
    wholes?.find(({ name }) => name === named) ?? wholes?.find(({ name }) => name === kept) ?? wholes?.[0] ?? undefined
  );
}

const LOCATION_WITHOUT_AGENTS = "projects/default/locations/global";

/** Where data stores and connections are made and listed: the current agent's location; null until it is known. */
export function usePlace(): string | null {
  const wholes = useWholes();
  const whole = useCurrent();
  if (!wholes) return null;
  return whole ? locationOf(whole.name) : LOCATION_WITHOUT_AGENTS;
}
