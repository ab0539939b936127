import { type KeyboardEvent, type ReactNode } from "react";

export interface Tab {
  id: string;
  label: string;
  note?: ReactNode;
}

/** A row of tabs; arrows move between them (WAI-ARIA, "Tabs"). */
export function Tabs(props: {
  tabs: Tab[];
  at: string;
  onChange: (id: string) => void;
  label: string;
  segmented?: boolean;
  panel?: string;
}): ReactNode {
  const { tabs, at, onChange } = props;
  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = tabs[(tabs.findIndex((tab) => tab.id === at) + step + tabs.length) % tabs.length];
    if (!next) return;
    onChange(next.id);
    event.currentTarget.querySelectorAll<HTMLElement>("button")[tabs.indexOf(next)]?.focus();
  }
  return (
    <div className={props.segmented ? "seg" : "tabs"} role="tablist" aria-label={props.label} onKeyDown={onKeyDown}>
      {tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          aria-selected={tab.id === at}
          aria-controls={props.panel}
          tabIndex={tab.id === at ? 0 : -1}
          onClick={() => onChange(tab.id)}
        >
          {tab.label} {tab.note !== undefined && tab.note !== "" && <small>{tab.note}</small>}
        </button>
      ))}
    </div>
  );
}
