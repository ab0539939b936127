import { type ReactNode, useState } from "react";
import { call } from "../../api/call";
import { cesApi } from "../../api/generated/methods";
import type { ces } from "../../api/generated/types";
import { forget, useRpc } from "../../api/query";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { CheckField, TextField } from "../../ui/field";
import { ErrorNote } from "../../ui/states";
import { undoable, useDoomed } from "../../ui/toast";
import { count, t } from "../../words/words";

const PAGE = 500;

/** Groups of evaluations that are run together. */
export function Datasets(props: {
  app: string;
  evaluations: ces.Evaluation[];
  isBusy: boolean;
  onRun: (dataset: string, title: string) => void;
}): ReactNode {
  const { app, evaluations } = props;
  const [edited, setEdited] = useState<ces.EvaluationDataset | null>(null);
  const doomed = useDoomed();
  const stored = useRpc(cesApi.listEvaluationDatasets, { parent: app, pageSize: PAGE }).data?.evaluationDatasets ?? [];
  const datasets = stored.filter(({ name }) => !doomed.has(name ?? ""));
  if (!evaluations.length && !datasets.length) return null;
  return (
    <section className="gap-top stack">
      <div className="row">
        <h2 className="grow">{t("Datasets")}</h2>
        <Button small onClick={() => setEdited({})}>
          {t("New dataset")}
        </Button>
      </div>
      {!datasets.length && <p className="muted">{t("A dataset groups evaluations that are run together.")}</p>}
      <ul className="stack">
        {datasets.map((dataset) => {
          const title = dataset.displayName ?? "";
          const n = dataset.evaluations?.length ?? 0;
          return (
            <li key={dataset.name} className="row">
              <b className="clip">{title}</b>
              <span className="faint small grow">{count(n, "{n} evaluation", "{n} evaluations")}</span>
              <Button small aria-label={t("Edit {name}", { name: title })} onClick={() => setEdited(dataset)}>
                {t("Edit")}
              </Button>
              <Button
                small
                disabled={props.isBusy || !n}
                aria-label={t("Run {name}", { name: title })}
                onClick={() => props.onRun(dataset.name ?? "", title)}
              >
                {t("Run")}
              </Button>
            </li>
          );
        })}
      </ul>
      {edited && <Edit {...{ app, evaluations }} dataset={edited} onClose={() => setEdited(null)} />}
    </section>
  );
}

function Edit(props: {
  app: string;
  evaluations: ces.Evaluation[];
  dataset: ces.EvaluationDataset;
  onClose: () => void;
}): ReactNode {
  const { dataset, onClose } = props;
  const name = dataset.name ?? "";
  const [displayName, setTitle] = useState(dataset.displayName ?? "");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(dataset.evaluations));
  const [error, setError] = useState<unknown>(null);
  const done = (): void => {
    forget(cesApi.listEvaluationDatasets, cesApi.listEvaluations);
    onClose();
  };
  async function save(): Promise<void> {
    const evaluationDataset = { displayName, evaluations: [...chosen] };
    try {
      await (name
        ? call(cesApi.updateEvaluationDataset, {
            evaluationDataset: { ...evaluationDataset, name },
            updateMask: "displayName,evaluations",
          })
        : call(cesApi.createEvaluationDataset, { parent: props.app, evaluationDataset }));
      done();
    } catch (caught) {
      setError(caught);
    }
  }
  function remove(): void {
    onClose();
    undoable(name, t("The dataset is deleted. Its evaluations are kept."), (keepalive) =>
      call(cesApi.deleteEvaluationDataset, { name }, { keepalive }).finally(done),
    );
  }
  return (
    <Dialog label={name ? t("Dataset") : t("New dataset")} onClose={onClose}>
      <form
        className="stack gap-top"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextField label={t("Name")} required autoFocus value={displayName} onChange={setTitle} />
        <fieldset className="stack">
          <legend className="small muted">{t("Evaluations")}</legend>
          {props.evaluations.map((each) => (
            <CheckField
              key={each.name}
              label={each.displayName}
              value={chosen.has(each.name ?? "")}
              onChange={(isIn) => {
                const next = new Set(chosen);
                if (isIn) next.add(each.name ?? "");
                else next.delete(each.name ?? "");
                setChosen(next);
              }}
            />
          ))}
        </fieldset>
        {error ? <ErrorNote error={error} /> : null}
        <div className="dialog-foot">
          {name && (
            <Button kind="danger" onClick={remove}>
              {t("Delete")}
            </Button>
          )}
          <Button kind="quiet" onClick={onClose}>
            {t("Cancel")}
          </Button>
          <Button kind="primary" type="submit" disabled={!displayName.trim()}>
            {t("Save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
