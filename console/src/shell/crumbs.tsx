import { Fragment, type ReactNode, useEffect, useSyncExternalStore } from "react";
import { Link } from "wouter";

export interface Crumb {
  label: string;
  href?: string;
}

let crumbs: readonly Crumb[] = [];
const listeners = new Set<() => void>();

/** Where a view is: shown in the top bar and, its last part, as the page's title. */
export function useCrumbs(...path: Crumb[]): void {
  const text = JSON.stringify(path);
  useEffect(() => {
    crumbs = JSON.parse(text) as Crumb[];
    const title = crumbs.at(-1)?.label;
    document.title = title ? `${title} · OpenPlaybook` : "OpenPlaybook";
    for (const listener of listeners) listener();
  }, [text]);
}

export function CrumbSlot(): ReactNode {
  const path = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => crumbs,
  );
  return (
    <div className="crumbs grow">
      {path.map(({ label, href }, index) => (
        <Fragment key={index}>
          {index > 0 && <span aria-hidden="true">/</span>}
          {href && index < path.length - 1 ? <Link href={href}>{label}</Link> : <b>{label}</b>}
        </Fragment>
      ))}
    </div>
  );
}
