import { IconPlus, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { cesApi } from "../../api/generated/methods";
import type { ces } from "../../api/generated/types";
import { parsedObject } from "../../api/json";
import { lastPart } from "../../api/names";
import { useRpc } from "../../api/query";
import { Button, IconButton } from "../../ui/button";
import { SelectField, TextField } from "../../ui/field";
import { t } from "../../words/words";

/** A result that is given in place of a call, as it is typed. */
interface Mock {
  /** Resource name of a tool, or of a toolset: any of its actions. */
  tool: string;
  expected: string;
  response: string;
}

/** Results in place of the calls that a Python function makes, for one execution. */
export interface Mocks {
  calls: Mock[];
  unmatched: "FAIL" | "PASS_THROUGH";
}

export const NO_MOCKS: Mocks = { calls: [], unmatched: "FAIL" };

/** What the API takes; undefined: nothing is mocked. Null: something is not complete, or no JSON object. */
export function mockConfigOf({ calls, unmatched }: Mocks): ces.MockConfig | undefined | null {
  if (!calls.length) return undefined;
  const mockedToolCalls: ces.MockedToolCall[] = [];
  for (const { tool, expected, response } of calls) {
    const [pattern, result] = [parsedObject(expected), parsedObject(response)];
    if (!tool || !pattern || !result) return null;
    const place = tool.includes("/toolsets/") ? { toolset: { toolset: tool } } : { tool };
    mockedToolCalls.push({ ...place, expectedArgsPattern: pattern, mockResponse: result });
  }
  return { mockedToolCalls, unmatchedToolCallBehavior: unmatched };
}

export function MocksForm(props: { app: string; value: Mocks; onChange: (next: Mocks) => void }): ReactNode {
  const { value, onChange } = props;
  const parent = { parent: props.app, pageSize: 200 };
  const tools = useRpc(cesApi.listTools, parent).data?.tools ?? [];
  const sets = useRpc(cesApi.listToolsets, parent).data?.toolsets ?? [];
  const options = [...tools, ...sets].map(({ name = "", displayName }) => ({
    value: name,
    label: displayName || lastPart(name),
  }));
  const change = (place: number, next: Partial<Mock>): void =>
    onChange({ ...value, calls: value.calls.map((each, index) => (index === place ? { ...each, ...next } : each)) });
  return (
    <details>
      <summary className="small muted">{t("Mocked calls")}</summary>
      <div className="stack">
        <p className="small muted">
          {t("Results in place of the tools that this code calls. The first one whose arguments fit counts.")}
        </p>
        {value.calls.map((mock, place) => (
          <fieldset key={place} className="stack" aria-label={t("Mocked call {n}", { n: place + 1 })}>
            <div className="row">
              <div className="grow">
                <SelectField
                  label={t("Called tool")}
                  value={mock.tool}
                  none={t("choose one")}
                  options={options}
                  onChange={(tool) => change(place, { tool })}
                />
              </div>
              <IconButton
                small
                label={t("Remove this mock")}
                icon={<IconX size={13} />}
                onClick={() => onChange({ ...value, calls: value.calls.filter((_, index) => index !== place) })}
              />
            </div>
            <TextField
              label={t("Arguments that fit, as JSON")}
              mono
              rows={2}
              value={mock.expected}
              wrong={parsedObject(mock.expected) ? undefined : t("This is not a JSON object.")}
              hint={t("Each member must be equal. {} fits all arguments.")}
              onChange={(expected) => change(place, { expected })}
            />
            <TextField
              label={t("Result, as JSON")}
              mono
              rows={3}
              value={mock.response}
              wrong={parsedObject(mock.response) ? undefined : t("This is not a JSON object.")}
              onChange={(response) => change(place, { response })}
            />
          </fieldset>
        ))}
        {value.calls.length > 0 && (
          <SelectField
            label={t("Calls that nothing fits")}
            value={value.unmatched}
            options={[
              { value: "FAIL", label: t("fail") },
              { value: "PASS_THROUGH", label: t("are made") },
            ]}
            onChange={(next) => onChange({ ...value, unmatched: next as Mocks["unmatched"] })}
          />
        )}
        <div className="row">
          <Button
            small
            icon={<IconPlus size={14} />}
            onClick={() =>
              onChange({ ...value, calls: [...value.calls, { tool: "", expected: "{}", response: "{}" }] })
            }
          >
            {t("Add a mock")}
          </Button>
        </div>
      </div>
    </details>
  );
}
