import { IconCheck, IconCopy } from "@tabler/icons-react";
import { Fragment, type ReactNode, useState } from "react";
import { bytes } from "../words/format";
import { t } from "../words/words";
import { Button, IconButton } from "./button";

const SHOWN = 64_000;
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\b(true|false|null)\b/g;

/** JSON with its parts coloured. Of a large text only the beginning is shown; the whole can be downloaded. */
export function JsonView({ value, label }: { value: unknown; label: string }): ReactNode {
  return <TextView text={typeof value === "string" ? value : pretty(value)} label={label} json />;
}

export function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? "";
}

export function TextView({ text, label, json = false }: { text: string; label: string; json?: boolean }): ReactNode {
  const shown = text.length > SHOWN ? text.slice(0, SHOWN) : text;
  return (
    <div>
      <pre className="code-view" tabIndex={0} role="region" aria-label={label}>
        {json ? coloured(shown) : shown}
      </pre>
      {text.length > SHOWN && (
        <p className="row small muted wrap">
          {t("The first {shown} of {all}.", { shown: bytes(SHOWN), all: bytes(text.length) })}
          <Button small onClick={() => download(text, "output.txt")}>
            {t("Download all")}
          </Button>
        </p>
      )}
    </div>
  );
}

function coloured(text: string): ReactNode {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [all, quoted, colon, number] = match;
    parts.push(<Fragment key={`${end}t`}>{text.slice(end, match.index)}</Fragment>);
    const kind = quoted ? (colon ? "json-key" : "json-text") : number ? "json-number" : "json-word";
    parts.push(
      <span key={match.index} className={kind}>
        {quoted && colon ? quoted : all}
      </span>,
    );
    if (quoted && colon) parts.push(colon);
    end = match.index + all.length;
  }
  parts.push(text.slice(end));
  return parts;
}

export function download(content: string | Blob, name: string): void {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content]));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

export function CopyButton({ text, label }: { text: string; label: string }): ReactNode {
  const [done, setDone] = useState(false);
  return (
    <IconButton
      small
      label={done ? t("Copied") : label}
      icon={done ? <IconCheck size={15} /> : <IconCopy size={15} />}
      onClick={async () => {
        await navigator.clipboard.writeText(text);
        setDone(true);
        setTimeout(() => setDone(false), 1500);
      }}
    />
  );
}
