import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { useLocation } from "wouter";
import { cxApi } from "../api/generated/methods";
import { useRpc } from "../api/query";
import { viewAt } from "../routes";
import { Dialog } from "../ui/dialog";
import { t } from "../words/words";
import { useWholes, type Whole } from "./current-agent";
import { useBindings } from "./keys";
import { groupsOf, simulatorOf } from "./navigation";

interface Entry {
  group: string;
  label: string;
  note?: string;
  run: () => void;
}

const SHOWN = 40;

/** Goes anywhere and does anything, by typing. Takes resource names too. */
export function Palette(props: { whole: Whole | undefined; onClose: () => void; onKeys: () => void }): ReactNode {
  const { whole, onClose } = props;
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const id = useId();
  const entries = useEntries(whole, props.onKeys);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = entries.filter(({ label, group }) =>
    words.every((word) => `${label} ${group}`.toLowerCase().includes(word)),
  );
  const shown = [...pasted(text, useNavigate()), ...found].slice(0, SHOWN);
  const fallback = useFallback(text, whole);
  const list = shown.length ? shown : fallback;

  function choose(entry: Entry | undefined): void {
    if (!entry) return;
    onClose();
    entry.run();
  }
  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && list.length) setAt((at + step + list.length) % list.length);
    else if (event.key === "Enter") choose(list[at]);
    else return;
    event.preventDefault();
  }
  return (
    <Dialog label={t("Commands")} onClose={onClose} className="palette" bare>
      <input
        autoFocus
        value={text}
        placeholder={t("Go to or do…")}
        aria-label={t("Search commands")}
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={`${id}-${at}`}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul id={id} role="listbox" aria-label={t("Commands")}>
        {list.map((entry, index) => (
          <li key={`${entry.group}${entry.label}${index}`} role="presentation">
            {entry.group !== list[index - 1]?.group && (
              <div className="group" role="presentation">
                {entry.group}
              </div>
            )}
            <div
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              ref={index === at ? (element) => element?.scrollIntoView({ block: "nearest" }) : undefined}
              onPointerMove={() => setAt(index)}
              onClick={() => choose(entry)}
            >
              <span className="clip">{entry.label}</span>
              {entry.note && <small>{entry.note}</small>}
            </div>
          </li>
        ))}
        {!list.length && (
          <li className="group" role="presentation">
            {t("Nothing is called that. Escape goes back.")}
          </li>
        )}
      </ul>
    </Dialog>
  );
}

function useNavigate(): (path: string) => void {
  return useLocation()[1];
}

function useEntries(whole: Whole | undefined, onKeys: () => void): Entry[] {
  const navigate = useNavigate();
  const wholes = useWholes() ?? [];
  const agent = whole && !whole.isApp ? whole.name : "";
  const parent = agent ? { parent: agent, pageSize: 200 } : null;
  const tools = useRpc(cxApi.listTools, parent).data?.tools ?? [];
  const playbooks = useRpc(cxApi.listPlaybooks, parent).data?.playbooks ?? [];
  const bindings = useBindings();
  const go = (group: string, label: string, href: string, note = ""): Entry => ({
    group,
    label,
    note,
    run: () => navigate(href),
  });
  return [
    ...bindings
      .filter(({ keys }) => !keys.startsWith("G ") && keys !== "Ctrl K" && keys !== "?")
      .map(({ what, keys, run }) => ({ group: t("Do"), label: what, note: keys, run })),
    { group: t("Do"), label: t("Keys of this view"), note: "?", run: onKeys },
    ...groupsOf(whole).flatMap(({ places }) =>
      places.map((place) => go(t("Go to"), place.label, place.href, place.keys)),
    ),
    go(t("Go to"), t("Start"), "/", "G G"),
    go(t("Go to"), t("Agents and apps"), "/agents"),
    go(t("Go to"), t("Connectors"), "/connectors"),
    go(t("Go to"), t("Messenger"), "/messenger"),
    ...tools.map((tool) => go(t("Tools"), tool.displayName ?? "", `/${tool.name}`)),
    ...playbooks.map((playbook) => go(t("Playbooks"), playbook.displayName ?? "", `/${playbook.name}`)),
    ...wholes.map(({ title, name, isApp }) =>
      go(t("Agents and apps"), title, `/${name}`, isApp ? t("CX Agent Studio app") : t("Dialogflow agent")),
    ),
  ];
}

function pasted(text: string, navigate: (path: string) => void): Entry[] {
  const name = text.trim().replace(/^.*?(?=projects\/)/, "");
  if (!name.startsWith("projects/") || !viewAt(`/${name}`)) return [];
  return [{ group: t("Go to"), label: name, run: () => navigate(`/${name}`) }];
}

/** Nothing is called that: it may be something to say. */
function useFallback(text: string, whole: Whole | undefined): Entry[] {
  const navigate = useNavigate();
  if (!text.trim() || !whole) return [];
  return [
    {
      group: t("Do"),
      label: t("Say “{text}” to {agent}", { text: text.trim(), agent: whole.title }),
      run: () => navigate(`${simulatorOf(whole.name)}?say=${encodeURIComponent(text.trim())}`),
    },
  ];
}
