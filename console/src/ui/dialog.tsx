import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { t } from "../words/words";
import { Button } from "./button";

/** A modal dialog. Escape, or a click beside it, closes it. */
export function Dialog(props: {
  label: string;
  onClose: () => void;
  children: ReactNode;
  className?: string;
  bare?: boolean;
}): ReactNode {
  const ref = useRef<HTMLDialogElement>(null);
  // Closed before it leaves the page, so that the focus returns to where it was.
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (dialog && !dialog.open) dialog.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      aria-label={props.label}
      className={props.className}
      onCancel={(event) => {
        if (event.target !== ref.current) return; // a file's choice in it was cancelled
        // Left to the browser, the closed dialog would keep the focus for a while, and the next keys with it.
        event.preventDefault();
        props.onClose();
      }}
      onClose={() => ref.current && props.onClose()}
      onClick={(event) => {
        if (event.target === ref.current) props.onClose();
      }}
    >
      {props.bare ? (
        props.children
      ) : (
        <div className="dialog-body">
          <h2>{props.label}</h2>
          {props.children}
        </div>
      )}
    </dialog>
  );
}

/** Asks before something is destroyed for good; large things by typing their name. */
export function Confirm(props: {
  title: string;
  children: ReactNode;
  action: string;
  typed?: string;
  onConfirm: () => void;
  onClose: () => void;
}): ReactNode {
  const [text, setText] = useState("");
  const ready = !props.typed || text === props.typed;
  return (
    <Dialog label={props.title} onClose={props.onClose}>
      <form
        className="stack gap-top"
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) props.onConfirm();
        }}
      >
        <div>{props.children}</div>
        {props.typed && (
          <label className="field">
            <span className="label">{t("Type “{name}” to confirm", { name: props.typed })}</span>
            <input
              className="input"
              value={text}
              autoComplete="off"
              onChange={(event) => setText(event.target.value)}
            />
          </label>
        )}
        <div className="dialog-foot">
          <Button kind="quiet" onClick={props.onClose}>
            {t("Cancel")}
          </Button>
          <Button kind="danger" type="submit" disabled={!ready}>
            {props.action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
