import { type ReactNode, useState } from "react";
import { isObject, type JsonObject, same } from "../../api/json";
import { sentence } from "../../api/errors";
import { CodeEditor } from "../../editor/code-editor";
import { pretty } from "../../ui/code";
import { t } from "../../words/words";

/** An object as text. What does not parse is kept and said, and changes nothing. */
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
  const parsed = parse(text);
  const shown = wrong || same(parsed.value, value) ? text : pretty(value);
  return (
    <div className="stack">
      <CodeEditor
        label={label}
        language="json"
        value={shown}
        minLines={minLines}
        onChange={(next) => {
          setText(next);
          const read = parse(next);
          setWrong(read.wrong);
          if (read.value) onChange(read.value);
        }}
      />
      {wrong && (
        <p className="wrong" role="alert">
          {t("Not JSON yet: {why}. The last good value is kept.", { why: wrong })}
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
