import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { sentence } from "../api/errors";
import { same } from "../api/json";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Diff } from "../ui/diff";
import { pretty } from "../ui/code";
import { say, tookAway } from "../ui/toast";
import { t } from "../words/words";
import { useKeys } from "../shell/keys";

export interface Draft<Resource> {
  value: Resource;
  isChanged: boolean;
  isSaving: boolean;
  error: unknown;
  set: (next: Resource) => void;
  save: () => void;
  discard: () => void;
  /** Shown while two people's edits meet. */
  conflict: ReactNode;
}

const KEPT = "openplaybook.draft:";
const MOST_KEPT = 500_000;
const QUIET_MS = 300;
/** Typed secrets are sent, and kept nowhere on the way. */
const SECRETS = new Set(["apiKey", "token", "password", "clientSecret", "clientKey"]);

/**
 * A resource while it is edited. Unsaved work survives a reload; somebody else's edit in between is shown and never
 * overwritten unasked.
 */
export function useDraft<Resource extends object>(
  name: string,
  stored: Resource,
  api: { read: () => Promise<Resource>; write: (next: Resource) => Promise<Resource> },
): Draft<Resource> {
  const [base, setBase] = useState(stored);
  const [value, setValue] = useState(() => kept<Resource>(name) ?? stored);
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [theirs, setTheirs] = useState<Resource | null>(null);
  const isChanged = !same(value, base);
  const storing = useRef<(() => void) | null>(null);
  const latest = useRef({ value, base, api });
  latest.current = { value, base, api };

  useEffect(() => {
    const store = (): void => {
      const text = isChanged ? JSON.stringify(value, withoutSecrets) : "";
      keep(KEPT + name, text.length <= MOST_KEPT ? text : "");
    };
    // When the keys rest, or the page goes: at each key it would cost a frame of what is long.
    storing.current = store;
    const timer = setTimeout(store, QUIET_MS);
    addEventListener("pagehide", store);
    return () => {
      clearTimeout(timer);
      removeEventListener("pagehide", store);
    };
  }, [isChanged, name, value]);
  useEffect(() => () => storing.current?.(), []);
  useEffect(() => {
    if (!isChanged) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isChanged]);

  const write = useCallback(async (isOver: boolean) => {
    setSaving(true);
    setError(null);
    // What is saved is not kept as a draft, also where saving leads to another page.
    const store = storing.current;
    storing.current = null;
    let isSaved = false;
    try {
      const now = await latest.current.api.read();
      if (!isOver && !same(now, latest.current.base) && !same(now, latest.current.value)) {
        setTheirs(now);
        return;
      }
      const saved = await latest.current.api.write(latest.current.value);
      isSaved = true;
      setBase(saved);
      setValue(saved);
      setTheirs(null);
      say(t("Saved."));
    } catch (caught) {
      setError(caught);
      say(sentence(caught));
    } finally {
      if (!isSaved) storing.current ??= store;
      setSaving(false);
    }
  }, []);
  const save = useCallback(() => void write(false), [write]);
  useKeys([{ keys: "Ctrl S", what: t("Save"), run: save }]);

  return {
    value,
    isChanged,
    isSaving,
    error,
    set: setValue,
    save,
    discard: () => {
      setValue(base);
      tookAway(t("The changes are discarded."), () => setValue(value));
    },
    conflict: theirs && (
      <Conflict
        theirs={theirs}
        mine={value}
        onClose={() => setTheirs(null)}
        onTheirs={() => {
          setBase(theirs);
          setValue(theirs);
          setTheirs(null);
          tookAway(t("Your changes are discarded."), () => setValue(value));
        }}
        onMine={() => void write(true)}
      />
    ),
  };
}

/** Browsers keep some megabytes for all drafts together: a huge one, or one too many, is kept on this page alone. */
function keep(key: string, text: string): void {
  sessionStorage.removeItem(key);
  try {
    if (text) sessionStorage.setItem(key, text);
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "QuotaExceededError")) throw error;
  }
}

function withoutSecrets(key: string, value: unknown): unknown {
  return SECRETS.has(key) ? undefined : value;
}

function kept<Resource>(name: string): Resource | null {
  const text = sessionStorage.getItem(KEPT + name);
  return text ? (JSON.parse(text) as Resource) : null;
}

function Conflict(props: {
  theirs: object;
  mine: object;
  onTheirs: () => void;
  onMine: () => void;
  onClose: () => void;
}): ReactNode {
  return (
    <Dialog label={t("Somebody else saved this meanwhile")} onClose={props.onClose}>
      <p className="muted gap-top">{t("Red is what is stored now, green is what you have here.")}</p>
      <div className="gap-top">
        <Diff before={pretty(props.theirs)} after={pretty(props.mine)} label={t("The two versions")} />
      </div>
      <div className="dialog-foot">
        <Button kind="quiet" onClick={props.onClose}>
          {t("Go on editing")}
        </Button>
        <Button onClick={props.onTheirs}>{t("Take the stored one")}</Button>
        <Button kind="primary" onClick={props.onMine}>
          {t("Store mine over it")}
        </Button>
      </div>
    </Dialog>
  );
}

/** Save and discard, with what is unsaved said in words. */
export function SaveButtons<Resource extends object>({ draft }: { draft: Draft<Resource> }): ReactNode {
  return (
    <>
      {draft.isChanged && (
        <Button kind="quiet" onClick={draft.discard}>
          {t("Discard changes")}
        </Button>
      )}
      <Button kind="primary" disabled={!draft.isChanged || draft.isSaving} onClick={draft.save}>
        {t("Save")} <kbd>Ctrl S</kbd>
      </Button>
      {draft.conflict}
    </>
  );
}
