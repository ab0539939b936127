import { type ReactNode, useState } from "react";
import { call } from "../../api/call";
import { sentence } from "../../api/errors";
import { cesApi } from "../../api/generated/methods";
import type { ces } from "../../api/generated/types";
import { forget, useRpc } from "../../api/query";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { CheckField, SelectField, TextField } from "../../ui/field";
import { ErrorNote, Tag } from "../../ui/states";
import { say, undoable, useDoomed } from "../../ui/toast";
import { exact } from "../../words/format";
import { t } from "../../words/words";

const PAGE = 500;
type Schedule = ces.ScheduledEvaluationRun;
type Frequency = ces.ScheduledEvaluationRun_SchedulingConfig_Frequency;

/** Runs of evaluations at their times. */
export function Schedules({ app, evaluations }: { app: string; evaluations: ces.Evaluation[] }): ReactNode {
  const [isAdding, setAdding] = useState(false);
  const doomed = useDoomed();
  const query = useRpc(cesApi.listScheduledEvaluationRuns, { parent: app, pageSize: PAGE });
  const schedules = (query.data?.scheduledEvaluationRuns ?? []).filter(({ name }) => !doomed.has(name ?? ""));
  if (!evaluations.length && !schedules.length) return null;
  return (
    <section className="gap-top stack" aria-label={t("Schedules")}>
      <div className="row">
        <h2 className="grow">{t("Schedules")}</h2>
        <Button small disabled={!evaluations.length} onClick={() => setAdding(true)}>
          {t("New schedule")}
        </Button>
      </div>
      {!schedules.length && <p className="muted">{t("Nothing runs by itself.")}</p>}
      <ul className="stack">
        {schedules.map((schedule) => (
          <Line key={schedule.name} schedule={schedule} />
        ))}
      </ul>
      {isAdding && <NewSchedule app={app} evaluations={evaluations} onClose={() => setAdding(false)} />}
    </section>
  );
}

function Line({ schedule }: { schedule: Schedule }): ReactNode {
  const { name = "", displayName: title = "", active: isActive = false } = schedule;
  const frequency = schedule.schedulingConfig?.frequency;
  async function turn(): Promise<void> {
    try {
      await call(cesApi.updateScheduledEvaluationRun, {
        scheduledEvaluationRun: { name, active: !isActive },
        updateMask: "active",
      });
      forget(cesApi.listScheduledEvaluationRuns);
    } catch (error) {
      say(sentence(error));
    }
  }
  const remove = (): void =>
    undoable(name, t("The schedule is deleted."), (keepalive) =>
      call(cesApi.deleteScheduledEvaluationRun, { name }, { keepalive }).finally(() =>
        forget(cesApi.listScheduledEvaluationRuns),
      ),
    );
  return (
    <li className="row wrap">
      <b className="clip">{title}</b>
      <Tag>{frequencies().find(({ value }) => value === frequency)?.label}</Tag>
      <span className="faint small grow">
        {schedule.nextScheduledExecutionTime
          ? t("next: {time}", { time: exact(schedule.nextScheduledExecutionTime) })
          : isActive
            ? t("nothing more is due")
            : t("rests")}
      </span>
      <CheckField label={t("{name} is active", { name: title })} value={isActive} onChange={() => void turn()} />
      <Button small kind="danger" aria-label={t("Delete {name}", { name: title })} onClick={remove}>
        {t("Delete")}
      </Button>
    </li>
  );
}

function frequencies(): { value: Frequency; label: string }[] {
  return [
    { value: "DAILY", label: t("daily") },
    { value: "WEEKLY", label: t("weekly") },
    { value: "BIWEEKLY", label: t("every two weeks") },
    { value: "NONE", label: t("once") },
  ];
}

function NewSchedule(props: { app: string; evaluations: ces.Evaluation[]; onClose: () => void }): ReactNode {
  const { app, onClose } = props;
  const datasets =
    useRpc(cesApi.listEvaluationDatasets, { parent: app, pageSize: PAGE }).data?.evaluationDatasets ?? [];
  const [displayName, setName] = useState("");
  const [what, setWhat] = useState("");
  const [frequency, setFrequency] = useState<Frequency>("DAILY");
  const [start, setStart] = useState("");
  const [hasFakes, setFakes] = useState(false);
  const [error, setError] = useState<unknown>(null);
  async function add(): Promise<void> {
    const evaluations = props.evaluations.map(({ name }) => name ?? "");
    const request: ces.RunEvaluationRequest = {
      app,
      displayName,
      config: { toolCallBehaviour: hasFakes ? "FAKE" : "REAL" },
      ...(what ? { evaluationDataset: what } : { evaluations }),
    };
    const schedulingConfig = { frequency, startTime: new Date(start).toISOString() };
    try {
      const scheduledEvaluationRun: Schedule = { displayName, request, schedulingConfig, active: true };
      await call(cesApi.createScheduledEvaluationRun, { parent: app, scheduledEvaluationRun });
      forget(cesApi.listScheduledEvaluationRuns);
      onClose();
    } catch (caught) {
      setError(caught);
    }
  }
  return (
    <Dialog label={t("New schedule")} onClose={onClose}>
      <form
        className="stack gap-top"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <TextField label={t("Name")} required autoFocus value={displayName} onChange={setName} />
        <SelectField
          label={t("What runs")}
          value={what}
          none={t("all evaluations of today")}
          options={datasets.map(({ name = "", displayName: title = "" }) => ({ value: name, label: title }))}
          onChange={setWhat}
        />
        <div className="pair">
          <SelectField
            label={t("How often")}
            value={frequency}
            options={frequencies()}
            onChange={(value) => setFrequency(value as Frequency)}
          />
          <TextField
            label={t("First time")}
            type="datetime-local"
            required
            value={start}
            hint={t("In the time of this browser; kept in UTC.")}
            onChange={setStart}
          />
        </div>
        <CheckField
          label={t("Use the fakes of tools")}
          hint={t("Without a mock or a fake, a tool is really called.")}
          value={hasFakes}
          onChange={setFakes}
        />
        {error ? <ErrorNote error={error} /> : null}
        <div className="dialog-foot">
          <Button kind="quiet" onClick={onClose}>
            {t("Cancel")}
          </Button>
          <Button kind="primary" type="submit" disabled={!displayName.trim() || !start}>
            {t("Add")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
