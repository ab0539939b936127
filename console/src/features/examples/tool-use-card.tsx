import { type ReactNode, useState } from "react";
import type { cx } from "../../api/generated/types";
import type { JsonObject } from "../../api/json";
import { same } from "../../api/json";
import { problemsOf } from "../../schema-form/validate";
import { Button } from "../../ui/button";
import { pretty } from "../../ui/code";
import { Diff } from "../../ui/diff";
import { SelectField } from "../../ui/field";
import { ErrorNote, Tag } from "../../ui/states";
import { t } from "../../words/words";
import { useAction, useActions } from "../tools/actions";
import { JsonMessage } from "../tools/json-message";
import { TestPanel } from "../tools/test-panel";

/** A tool call of an example: its input and output, tried in place, whose new output is taken over. */
export function ToolUseCard(props: {
  use: cx.ToolUse;
  tools: cx.Tool[];
  n: number;
  onChange: (use: cx.ToolUse) => void;
}): ReactNode {
  const { use, tools, n, onChange } = props;
  const [isTesting, setTesting] = useState(false);
  const [previous, setPrevious] = useState<JsonObject | null>(null);
  const { actions, error } = useActions(use.tool ?? "");
  const { action: chosen } = useAction(use.tool ?? "", use.action ?? "");
  const input = use.inputActionParameters ?? {};
  const output = use.outputActionParameters ?? {};
  const fits = !chosen || problemsOf(chosen.input, input).size === 0;
  return (
    <section className="card tool-use" aria-label={t("Line {n}: tool call", { n })}>
      <header>
        <SelectField
          label={t("Tool of line {n}", { n })}
          value={use.tool ?? ""}
          options={tools.map(({ name, displayName }) => ({ value: name ?? "", label: displayName ?? "" }))}
          onChange={(tool) => onChange({ ...use, tool, action: "" })}
        />
        <SelectField
          label={t("Action of line {n}", { n })}
          value={use.action ?? ""}
          none={t("choose one")}
          options={(actions ?? []).map(({ name }) => ({ value: name, label: name }))}
          onChange={(action) => onChange({ ...use, action })}
        />
        {chosen && <Tag tone={fits ? "good" : "bad"}>{fits ? t("Fits the schema") : t("Does not fit the schema")}</Tag>}
        <span className="grow" />
        <Button small disabled={!chosen} onClick={() => setTesting(!isTesting)} aria-expanded={isTesting}>
          {t("Test")}
        </Button>
      </header>
      {error ? <ErrorNote error={error} /> : null}
      {isTesting && chosen ? (
        <div className="trial">
          <TestPanel
            tool={use.tool ?? ""}
            actions={[chosen]}
            action={chosen.name}
            onAction={() => undefined}
            start={input}
            onUse={(_action, tried, result) => {
              setPrevious(output);
              onChange({ ...use, inputActionParameters: tried, outputActionParameters: result });
              setTesting(false);
            }}
          />
        </div>
      ) : (
        <div className="in-out">
          <div>
            <h3>{t("Input")}</h3>
            <JsonMessage
              minLines={4}
              label={t("Input of line {n}", { n })}
              value={input}
              onChange={(next) => onChange({ ...use, inputActionParameters: next })}
            />
          </div>
          <div>
            <h3>{t("Output")}</h3>
            <JsonMessage
              minLines={4}
              label={t("Output of line {n}", { n })}
              value={output}
              onChange={(next) => onChange({ ...use, outputActionParameters: next })}
            />
          </div>
        </div>
      )}
      {previous && !same(previous, output) && (
        <div className="trial">
          <p className="small muted">
            {t("The output was taken over. Sentences below that quote old values may need a change.")}
          </p>
          <Diff before={pretty(previous)} after={pretty(output)} label={t("What changed in the output")} />
        </div>
      )}
    </section>
  );
}
