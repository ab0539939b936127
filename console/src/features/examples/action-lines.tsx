import {
  IconArrowDown,
  IconArrowsExchange,
  IconArrowUp,
  IconMessage,
  IconTool,
  IconTrash,
  IconUser,
} from "@tabler/icons-react";
import { type ReactNode, useRef } from "react";
import { cxApi } from "../../api/generated/methods";
import type { cx } from "../../api/generated/types";
import { useRpc } from "../../api/query";
import { Button, IconButton } from "../../ui/button";
import { SelectField } from "../../ui/field";
import { tookAway } from "../../ui/toast";
import { t } from "../../words/words";
import { JsonMessage } from "../tools/json-message";
import { ToolUseCard } from "./tool-use-card";

/** A conversation, line by line, to edit in place. */
export function ActionLines({
  agent,
  actions,
  onChange,
}: {
  agent: string;
  actions: cx.Action[];
  onChange: (actions: cx.Action[]) => void;
}): ReactNode {
  const tools = useRpc(cxApi.listTools, { parent: agent, pageSize: 500 }).data?.tools ?? [];
  const playbooks = useRpc(cxApi.listPlaybooks, { parent: agent, pageSize: 200 }).data?.playbooks ?? [];
  const set = (index: number, next: cx.Action): void => onChange(actions.with(index, next));
  function move(index: number, by: number): void {
    const other = actions[index + by];
    const own = actions[index];
    if (other && own) onChange(actions.with(index, other).with(index + by, own));
  }
  const latest = useRef(actions);
  latest.current = actions;
  function remove(index: number): void {
    const gone = actions[index];
    if (!gone) return;
    onChange(actions.toSpliced(index, 1));
    tookAway(t("Line {n} is removed.", { n: index + 1 }), () => onChange(latest.current.toSpliced(index, 0, gone)));
  }
  const add = (action: cx.Action): void => onChange([...actions, action]);
  return (
    <div>
      <ol className="lines" aria-label={t("The conversation of the example")}>
        {actions.map((action, index) => (
          <li className="line" key={index}>
            <LineIcon action={action} />
            <div className="grow">
              <Line
                action={action}
                tools={tools}
                playbooks={playbooks}
                onChange={(next) => set(index, next)}
                n={index + 1}
              />
            </div>
            <div className="line-tools">
              <IconButton
                small
                label={t("Move line {n} up", { n: index + 1 })}
                icon={<IconArrowUp size={14} />}
                onClick={() => move(index, -1)}
              />
              <IconButton
                small
                label={t("Move line {n} down", { n: index + 1 })}
                icon={<IconArrowDown size={14} />}
                onClick={() => move(index, 1)}
              />
              <IconButton
                small
                label={t("Remove line {n}", { n: index + 1 })}
                icon={<IconTrash size={14} />}
                onClick={() => remove(index)}
              />
            </div>
          </li>
        ))}
      </ol>
      <div className="row wrap add-line">
        <Button small onClick={() => add({ userUtterance: { text: "" } })}>
          {t("User says")}
        </Button>
        <Button small onClick={() => add({ agentUtterance: { text: "" } })}>
          {t("Agent says")}
        </Button>
        <Button
          small
          onClick={() => add({ toolUse: { tool: tools[0]?.name ?? "", action: "", inputActionParameters: {} } })}
        >
          {t("Tool call")}
        </Button>
        <Button small onClick={() => add({ playbookInvocation: { playbook: playbooks[0]?.name ?? "" } })}>
          {t("Hand-over")}
        </Button>
      </div>
    </div>
  );
}

function LineIcon({ action }: { action: cx.Action }): ReactNode {
  const Shown = action.userUtterance
    ? IconUser
    : action.toolUse
      ? IconTool
      : action.agentUtterance
        ? IconMessage
        : IconArrowsExchange;
  return (
    <span className={action.toolUse ? "who tone-tool" : "who"} aria-hidden="true">
      <Shown size={15} />
    </span>
  );
}

function Line(props: {
  action: cx.Action;
  tools: cx.Tool[];
  playbooks: cx.Playbook[];
  onChange: (next: cx.Action) => void;
  n: number;
}): ReactNode {
  const { action, onChange, n } = props;
  if (action.userUtterance)
    return (
      <Words
        label={t("Line {n}: user says", { n })}
        value={action.userUtterance.text ?? ""}
        onChange={(text) => onChange({ ...action, userUtterance: { ...action.userUtterance, text } })}
      />
    );
  if (action.agentUtterance)
    return (
      <Words
        label={t("Line {n}: agent says", { n })}
        value={action.agentUtterance.text ?? ""}
        onChange={(text) => onChange({ ...action, agentUtterance: { ...action.agentUtterance, text } })}
      />
    );
  if (action.toolUse)
    return (
      <ToolUseCard
        use={action.toolUse}
        tools={props.tools}
        n={n}
        onChange={(toolUse) => onChange({ ...action, toolUse })}
      />
    );
  if (action.playbookInvocation)
    return (
      <SelectField
        label={t("Line {n}: hands over to", { n })}
        value={action.playbookInvocation.playbook ?? ""}
        options={props.playbooks.map(({ name, displayName }) => ({ value: name ?? "", label: displayName ?? "" }))}
        onChange={(playbook) => onChange({ ...action, playbookInvocation: { ...action.playbookInvocation, playbook } })}
      />
    );
  return (
    <JsonMessage
      label={t("Line {n}", { n })}
      value={action as never}
      onChange={(next) => onChange(next as cx.Action)}
    />
  );
}

function Words({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (text: string) => void;
}): ReactNode {
  return (
    <textarea
      className="input words"
      aria-label={label}
      rows={Math.max(1, Math.ceil(value.length / 80))}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
