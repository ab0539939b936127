import { IconPlus } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { Link, useLocation } from "wouter";
import { call } from "../../api/call";
import { cesApi } from "../../api/generated/methods";
import type { ces } from "../../api/generated/types";
import { useRpc } from "../../api/query";
import type { ViewProps } from "../../routes";
import { useCrumbs } from "../../shell/crumbs";
import { useCurrent } from "../../shell/current-agent";
import { useKeys } from "../../shell/keys";
import { simulatorOf } from "../../shell/navigation";
import { Button, LinkButton } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { CheckField, TextField } from "../../ui/field";
import { Empty, ErrorNote, Loaded, Tag } from "../../ui/states";
import { useDoomed } from "../../ui/toast";
import { ago, exact } from "../../words/format";
import { t } from "../../words/words";
import { Datasets } from "./datasets";
import { ResultMarks, ResultTag } from "./outcome";
import { RunTable } from "./run-table";
import { Schedules } from "./schedules";
import { forgetResults, type RunChoice, startRun } from "./runs";
import "./evaluations.css";

const PAGE = 1000;
const MOST_TIMES = 100;

/** The evaluations of an app with their latest results, its datasets and its runs. */
export function EvaluationList({ name: app }: ViewProps): ReactNode {
  const whole = useCurrent();
  useCrumbs({ label: whole?.title ?? "", href: `/${app}` }, { label: t("Evaluations") });
  const evaluations = useRpc(cesApi.listEvaluations, { parent: app, pageSize: PAGE, lastTenResults: true });
  const [isAdding, setAdding] = useState(false);
  const [times, setTimes] = useState("1");
  const [hasFakes, setFakes] = useState(false);
  const [isStable, setStable] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const doomed = useDoomed();
  const all = (evaluations.data?.evaluations ?? []).filter(({ name }) => !doomed.has(name ?? ""));
  async function run(choice: Pick<RunChoice, "evaluations" | "dataset" | "title">): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    setError(null);
    const ended = (why: unknown): void => {
      setError(why);
      setBusy(false);
    };
    const count = Math.min(MOST_TIMES, Math.max(1, Math.floor(Number(times)) || 1));
    await startRun(app, { ...choice, times: count, hasFakes, isStable }, ended).catch(ended);
  }
  const runAll = (): Promise<void> => run({ evaluations: all.map(({ name }) => name ?? "") });
  useKeys([{ keys: "R", what: t("Run all evaluations"), run: () => void runAll() }]);
  return (
    <div className="page">
      <header className="page-head">
        <div className="grow">
          <h1>{t("Evaluations")}</h1>
          <p>{t("Conversations, and what has to happen in them. A run keeps no conversation.")}</p>
        </div>
        <Button icon={<IconPlus size={15} />} onClick={() => setAdding(true)}>
          {t("New evaluation")}
        </Button>
        {all.length > 0 && (
          <Button kind="primary" disabled={isBusy} onClick={() => void runAll()}>
            {isBusy ? t("runs…") : t("Run all")}
          </Button>
        )}
      </header>
      {error ? <ErrorNote error={error} /> : null}
      {all.length > 0 && (
        <div className="run-choice">
          <TextField label={t("Times each")} type="number" value={times} onChange={setTimes} />
          <CheckField
            label={t("Use the fakes of tools")}
            hint={t("Without a mock or a fake, a tool is really called.")}
            value={hasFakes}
            onChange={setFakes}
          />
          <CheckField
            label={t("Each turn on its own")}
            hint={t("It begins with what was expected before it.")}
            value={isStable}
            onChange={setStable}
          />
        </div>
      )}
      <Loaded query={evaluations}>
        {() =>
          all.length ? (
            <Table evaluations={all} isBusy={isBusy} onRun={(name) => void run({ evaluations: [name] })} />
          ) : (
            <Empty title={t("No evaluations yet")}>
              <p>{t("Talk to the app, and save a conversation that went well as an evaluation.")}</p>
              <LinkButton href={simulatorOf(app)}>{t("Talk")}</LinkButton>
            </Empty>
          )
        }
      </Loaded>
      <Datasets app={app} evaluations={all} isBusy={isBusy} onRun={(dataset, title) => void run({ dataset, title })} />
      <Schedules app={app} evaluations={all} />
      <RunTable app={app} />
      {isAdding && <NewEvaluation app={app} onClose={() => setAdding(false)} />}
    </div>
  );
}

function Table(props: { evaluations: ces.Evaluation[]; isBusy: boolean; onRun: (name: string) => void }): ReactNode {
  return (
    <table>
      <thead>
        <tr>
          <th>{t("Name")}</th>
          <th>{t("Last result")}</th>
          <th>{t("Last results")}</th>
          <th>{t("Run")}</th>
          <th>
            <span className="sr">{t("Actions")}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {props.evaluations.map((each) => (
          <tr key={each.name}>
            <td>
              <Link href={`/${each.name}`}>
                <b>{each.displayName}</b>
              </Link>{" "}
              {each.scenario && <Tag>{t("scenario")}</Tag>} {each.invalid && <Tag tone="bad">{t("invalid")}</Tag>}
            </td>
            <td>
              <ResultTag result={each.lastCompletedResult} />
            </td>
            <td>
              <ResultMarks results={each.lastTenResults ?? []} />
            </td>
            <td className="faint" title={exact(each.lastCompletedResult?.createTime)}>
              {ago(each.lastCompletedResult?.createTime)}
            </td>
            <td>
              <Button
                small
                disabled={props.isBusy}
                aria-label={t("Run {name}", { name: each.displayName ?? "" })}
                onClick={() => props.onRun(each.name ?? "")}
              >
                {t("Run")}
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function NewEvaluation({ app, onClose }: { app: string; onClose: () => void }): ReactNode {
  const [, navigate] = useLocation();
  const [displayName, setName] = useState("");
  const [said, setSaid] = useState("");
  const [expected, setExpected] = useState("");
  const [error, setError] = useState<unknown>(null);
  async function add(): Promise<void> {
    const agentResponse: ces.Message = { role: "agent", chunks: [{ text: expected }] };
    const steps: ces.Evaluation_Step[] = [
      { userInput: { text: said } },
      ...(expected ? [{ expectation: { agentResponse } }] : []),
    ];
    try {
      const made = await call(cesApi.createEvaluation, {
        parent: app,
        evaluation: { displayName, golden: { turns: [{ steps }] } },
      });
      forgetResults();
      navigate(`/${made.name}`);
    } catch (caught) {
      setError(caught);
    }
  }
  return (
    <Dialog label={t("New evaluation")} onClose={onClose}>
      <form
        className="stack gap-top"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <TextField label={t("Name")} required autoFocus value={displayName} onChange={setName} />
        <TextField label={t("The user says")} required value={said} onChange={setSaid} />
        <TextField
          label={t("The agent says")}
          hint={t("Its words, whatever their case and punctuation. More is added on the next page.")}
          rows={2}
          value={expected}
          onChange={setExpected}
        />
        {error ? <ErrorNote error={error} /> : null}
        <div className="dialog-foot">
          <Button kind="quiet" onClick={onClose}>
            {t("Cancel")}
          </Button>
          <Button kind="primary" type="submit" disabled={!displayName.trim() || !said.trim()}>
            {t("Add")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
