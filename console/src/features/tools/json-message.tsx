import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { isObject, type JsonObject, same } from "../../api/json";
import { sentence } from "../../api/errors";
import { CodeEditor, type Diagnostic } from "../../editor/code-editor";
import { Button } from "../../ui/button";
import { pretty } from "../../ui/code";
import { t } from "../../words/words";

/** An object as text. What does not parse is kept and said at its line, and changes nothing. */
export function JsonMessage({
  label,
  value,
  onChange,
  minLines = 12,
}: {
  label: string;
  value: JsonObject;
  onChange: (next: JsonObject) => void;
  minLines?: number;
}): ReactNode {
  const [text, setText] = useState(() => pretty(value));
  const [wrong, setWrong] = useState("");
  const known = useRef(value);
  const parsed = parse(text);
  const shown = wrong || same(parsed.value, value) ? text : pretty(value);
  const diagnostics = useMemo(() => (wrong ? [diagnosticOf(wrong)] : []), [wrong]);
  useEffect(() => {
    // Discarded, or taken over from elsewhere: what was typed here is about another value.
    if (!same(known.current, value)) setWrong("");
    known.current = value;
  }, [value]);
  return (
    <div className="stack">
      <CodeEditor
        label={label}
        language="json"
        value={shown}
        minLines={minLines}
        diagnostics={diagnostics}
        onChange={(next) => {
          setText(next);
          const read = parse(next);
          setWrong(read.wrong);
          if (!read.value) return;
          known.current = read.value;
          onChange(read.value);
        }}
      />
      {wrong && (
        <p className="wrong row wrap" role="alert">
          <span className="grow">{t("Not JSON yet: {why}. The last good value is kept.", { why: wrong })}</span>
          <Button
            small
            onClick={() => {
              setText(pretty(value));
              setWrong("");
            }}
          >
            {t("Back to the last good value")}
          </Button>
        </p>
      )}
    </div>
  );
}

function parse(text: string): { value: JsonObject | null; wrong: string } {
  try {
    const value: unknown = JSON.parse(text || "{}");
    return isObject(value) ? { value, wrong: "" } : { value: null, wrong: t("it is no object") };
  } catch (error) {
    return { value: null, wrong: sentence(error) };
  }
}

/** Where Chromium and Firefox say that the text breaks; its beginning where they do not. */
function diagnosticOf(message: string): Diagnostic {
  const place = /line (\d+) column (\d+)/.exec(message);
  const at = place ? { line: Number(place[1]), column: Number(place[2]) } : { line: 1 };
  return { ...at, severity: "error", message };
}
