import { type ReactNode, useId, useRef } from "react";

/** A button that opens a list of actions, on the browser's own popover. */
export function Menu(props: { button: ReactNode; label: string; className?: string; children: ReactNode }): ReactNode {
  const id = useId();
  const trigger = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  function place(): void {
    const box = trigger.current?.getBoundingClientRect();
    const menu = list.current;
    if (!box || !menu) return;
    const width = Math.max(menu.offsetWidth, 190);
    menu.style.left = `${Math.max(8, Math.min(box.left, innerWidth - width - 8))}px`;
    const below = innerHeight - box.bottom > menu.offsetHeight + 12;
    menu.style.top = below ? `${box.bottom + 4}px` : `${Math.max(8, box.top - menu.offsetHeight - 4)}px`;
  }
  return (
    <>
      <button
        ref={trigger}
        type="button"
        className={props.className ?? "btn quiet icon"}
        aria-label={props.label}
        title={props.label}
        popoverTarget={id}
      >
        {props.button}
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        className="menu"
        onToggle={(event) => {
          if (event.newState !== "open") return;
          place();
          list.current?.querySelector<HTMLElement>("button, a")?.focus();
        }}
        onClick={() => list.current?.hidePopover()}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          const items = [...(list.current?.querySelectorAll<HTMLElement>("button, a") ?? [])];
          if (!step || !items.length) return;
          event.preventDefault();
          const at = items.indexOf(document.activeElement as HTMLElement);
          items[(at + step + items.length) % items.length]?.focus();
        }}
      >
        {props.children}
      </div>
    </>
  );
}
