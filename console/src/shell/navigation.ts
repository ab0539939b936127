import {
  IconActivity,
  IconBook2,
  IconClock,
  IconDatabase,
  IconFlask,
  IconKey,
  IconListCheck,
  IconListDetails,
  IconMessage,
  IconPlug,
  IconSettings,
  IconShieldCheck,
  IconTool,
  IconUsersGroup,
  type Icon,
} from "@tabler/icons-react";
import { newId } from "../api/names";
import { t } from "../words/words";
import type { Whole } from "./current-agent";

export interface Place {
  label: string;
  icon: Icon;
  href: string;
  /** What an address below this place begins with. */
  below?: string;
  keys?: string;
}

const LAST_SESSION = "openplaybook.session:";

/** The conversation that the simulator of an agent was last at; a new one the first time. */
export function simulatorOf(agent: string): string {
  const kept = sessionStorage.getItem(LAST_SESSION + agent);
  const id = kept ?? newId();
  if (!kept) sessionStorage.setItem(LAST_SESSION + agent, id);
  return `/${agent}/sessions/${id}`;
}

export function rememberSession(agent: string, session: string): void {
  sessionStorage.setItem(LAST_SESSION + agent, session.slice(session.lastIndexOf("/") + 1));
}

/** What the side bar leads to, in three groups; in the words of the kind of agent. */
export function groupsOf(whole: Whole | undefined): { title: string; places: Place[] }[] {
  return [
    ...(whole ? [{ title: t("Build"), places: whole.isApp ? appPlaces(whole.name) : agentPlaces(whole.name) }] : []),
    ...(whole ? [{ title: t("Run"), places: runPlaces(whole) }] : []),
    {
      title: t("Server"),
      places: [
        { label: t("Data stores"), icon: IconDatabase, href: "/data-stores", below: "/dataStores/", keys: "G D" },
        { label: t("Connections"), icon: IconPlug, href: "/connections", below: "/connections/", keys: "G N" },
        { label: t("Secrets"), icon: IconKey, href: "/secrets" },
        { label: t("Health"), icon: IconActivity, href: "/health", keys: "G H" },
        { label: t("Settings"), icon: IconSettings, href: "/settings" },
      ],
    },
  ];
}

function agentPlaces(name: string): Place[] {
  return [
    { label: t("Playbooks"), icon: IconBook2, href: `/${name}/playbooks`, below: `/${name}/playbooks/`, keys: "G P" },
    { label: t("Tools"), icon: IconTool, href: `/${name}/tools`, below: `/${name}/tools/`, keys: "G T" },
    { label: t("Examples"), icon: IconListDetails, href: `/${name}/examples`, below: "/examples/", keys: "G E" },
  ];
}

function appPlaces(name: string): Place[] {
  return [
    {
      label: t("Agents of the app"),
      icon: IconUsersGroup,
      href: `/${name}/agents`,
      below: `/${name}/agents/`,
      keys: "G P",
    },
    { label: t("Tools"), icon: IconTool, href: `/${name}/tools`, below: `/${name}/tools/`, keys: "G T" },
    { label: t("Guardrails"), icon: IconShieldCheck, href: `/${name}/guardrails` },
  ];
}

function runPlaces(whole: Whole): Place[] {
  const { name } = whole;
  return [
    { label: t("Simulator"), icon: IconMessage, href: simulatorOf(name), below: `/${name}/sessions/`, keys: "G S" },
    {
      label: t("Conversations"),
      icon: IconClock,
      href: `/${name}/conversations`,
      below: `/${name}/conversations/`,
      keys: "G C",
    },
    ...(whole.isApp ? [evaluationsOf(name)] : []),
    whole.isApp
      ? { label: t("Tests"), icon: IconFlask, href: `/${name}/tests`, keys: "G X" }
      : { label: t("Tests"), icon: IconFlask, href: `/${name}/testCases`, below: `/${name}/testCases/`, keys: "G X" },
  ];
}

function evaluationsOf(app: string): Place {
  const href = `/${app}/evaluations`;
  return { label: t("Evaluations"), icon: IconListCheck, href, below: `/${app}/evaluation`, keys: "G V" };
}
