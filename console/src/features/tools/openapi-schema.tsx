import { IconAlertTriangle, IconWand } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { sentence } from "../../api/errors";
import { upTo } from "../../api/names";
import { CodeEditor } from "../../editor/code-editor";
import { Button } from "../../ui/button";
import { Tag } from "../../ui/states";
import { count, t } from "../../words/words";
import { fixed, useInspection } from "./inspection";
import { SchemaGenerator } from "./schema-generator";
import type { ToolTabProps } from "./tool-tabs";

/** The description as text, with what is wrong with it at its line, as one types. */
export function OpenApiSchema({ tool, onChange }: ToolTabProps): ReactNode {
  const text = tool.openApiSpec?.textSchema ?? "";
  const { remarks, isStale, operations, error } = useInspection(upTo(tool.name ?? "", "agents"), text);
  const [jump, setJump] = useState<{ line: number } | undefined>();
  const [isGenerating, setGenerating] = useState(false);
  const set = (textSchema: string): void => onChange({ ...tool, openApiSpec: { ...tool.openApiSpec, textSchema } });
  return (
    <div className="openapi">
      <div className="bar-top">
        {operations > 0 && (
          <Tag tone="good">{count(operations, "{n} operation can be called", "{n} operations can be called")}</Tag>
        )}
        <span className="small faint grow">
          {isStale
            ? t("checking…")
            : error
              ? sentence(error)
              : remarks.length
                ? count(remarks.length, "{n} remark", "{n} remarks")
                : ""}
        </span>
        <Button small icon={<IconWand size={15} />} onClick={() => setGenerating(true)}>
          {t("Generate from samples")}
        </Button>
      </div>
      <CodeEditor
        fill
        label={t("OpenAPI schema")}
        language={text.trimStart().startsWith("{") ? "json" : "yaml"}
        value={text}
        onChange={set}
        diagnostics={remarks}
        jump={jump}
      />
      {remarks.length > 0 && (
        <ul className="problems" aria-label={t("Remarks")}>
          {remarks.slice(0, 200).map((each, index) => (
            <li key={index} className="row">
              <button type="button" onClick={() => setJump({ line: each.line })}>
                <span className={each.severity === "error" ? "tone-bad" : "tone-retrieval"}>
                  <IconAlertTriangle size={14} aria-hidden="true" />
                </span>
                <span className="faint num">{t("line {n}", { n: each.line })}</span>
                <span className="grow">{each.message}</span>
              </button>
              {each.fix && (
                <Button small onClick={() => set(fixed(text, each))}>
                  {t("Use {name}", { name: each.fix })}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {isGenerating && (
        <SchemaGenerator
          agent={upTo(tool.name ?? "", "agents")}
          current={text}
          onTake={(next) => {
            set(next);
            setGenerating(false);
          }}
          onClose={() => setGenerating(false)}
        />
      )}
    </div>
  );
}
