import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { ces } from "../../api/generated/types";
import { IconButton, Button } from "../../ui/button";
import { Menu } from "../../ui/menu";
import { tookAway } from "../../ui/toast";
import { t } from "../../words/words";
import { kindOf, kindTitles, newStep, type StepKind } from "./golden-steps";
import { type Choices, StepFields } from "./step-fields";

const INPUTS: StepKind[] = ["text", "event", "variables", "toolResponses", "enters"];

/** The turns of a golden conversation, to edit in place. */
export function GoldenEditor(props: {
  turns: ces.Evaluation_GoldenTurn[];
  choices: Choices;
  onChange: (turns: ces.Evaluation_GoldenTurn[]) => void;
}): ReactNode {
  const { turns, onChange } = props;
  function remove(index: number): void {
    onChange(turns.toSpliced(index, 1));
    tookAway(t("Turn {n} is removed.", { n: index + 1 }), () => onChange(turns));
  }
  return (
    <>
      <ol className="golden">
        {turns.map((turn, index) => (
          <li key={index} className="card pad stack" aria-label={t("Turn {n}", { n: index + 1 })}>
            <div className="row">
              <h3 className="grow">{t("Turn {n}", { n: index + 1 })}</h3>
              <IconButton
                small
                label={t("Remove turn {n}", { n: index + 1 })}
                icon={<IconTrash size={15} />}
                onClick={() => remove(index)}
              />
            </div>
            <Steps
              turn={index + 1}
              steps={turn.steps ?? []}
              choices={props.choices}
              onChange={(steps) => onChange(turns.with(index, { ...turn, steps }))}
            />
          </li>
        ))}
      </ol>
      <Button
        icon={<IconPlus size={15} />}
        onClick={() => onChange([...turns, { steps: [newStep("text"), newStep("agentResponse")] }])}
      >
        {t("Add a turn")}
      </Button>
    </>
  );
}

function Steps(props: {
  turn: number;
  steps: ces.Evaluation_Step[];
  choices: Choices;
  onChange: (steps: ces.Evaluation_Step[]) => void;
}): ReactNode {
  const { steps, onChange, turn } = props;
  const titles = kindTitles();
  function move(index: number, by: number): void {
    const other = steps[index + by];
    const own = steps[index];
    if (own && other) onChange(steps.with(index, other).with(index + by, own));
  }
  return (
    <>
      <ol className="stack">
        {steps.map((step, index) => {
          const kind = kindOf(step);
          const place = { n: index + 1, turn };
          return (
            <li key={index} className="golden-step">
              <div className="row">
                <span className="small faint grow">{kind ? titles[kind] : t("Kept as it is")}</span>
                <IconButton
                  small
                  disabled={index === 0}
                  label={t("Move step {n} of turn {turn} up", place)}
                  icon={<IconArrowUp size={15} />}
                  onClick={() => move(index, -1)}
                />
                <IconButton
                  small
                  disabled={index === steps.length - 1}
                  label={t("Move step {n} of turn {turn} down", place)}
                  icon={<IconArrowDown size={15} />}
                  onClick={() => move(index, 1)}
                />
                <IconButton
                  small
                  label={t("Remove step {n} of turn {turn}", place)}
                  icon={<IconTrash size={15} />}
                  onClick={() => onChange(steps.toSpliced(index, 1))}
                />
              </div>
              {kind && (
                <StepFields
                  kind={kind}
                  step={step}
                  place={t("step {n} of turn {turn}", place)}
                  choices={props.choices}
                  onChange={(next) => onChange(steps.with(index, next))}
                />
              )}
            </li>
          );
        })}
      </ol>
      <div>
        <Menu
          className="btn s"
          label={t("Add to turn {n}", { n: turn })}
          button={
            <>
              <IconPlus size={15} /> {t("Add")}
            </>
          }
        >
          {(Object.keys(titles) as StepKind[]).map((kind) => (
            <button
              key={kind}
              type="button"
              onClick={() =>
                onChange(
                  INPUTS.includes(kind)
                    ? steps.toSpliced(steps.filter(({ expectation }) => !expectation).length, 0, newStep(kind))
                    : [...steps, newStep(kind)],
                )
              }
            >
              {titles[kind]}
            </button>
          ))}
        </Menu>
      </div>
    </>
  );
}
