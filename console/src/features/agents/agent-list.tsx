import { IconPlus, IconUpload } from "@tabler/icons-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import { cxApi } from "../../api/generated/methods";
import { forget } from "../../api/query";
import { useParam } from "../../shell/address";
import { useCrumbs } from "../../shell/crumbs";
import { useWholesQuery } from "../../shell/current-agent";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { TextField } from "../../ui/field";
import { Empty, ErrorNote, Loaded } from "../../ui/states";
import { t } from "../../words/words";
import { DropZone } from "./drop-zone";
import { ImportDialog } from "./import-dialog";
import { createFrom, TEMPLATES } from "./templates";
import { WholesTable } from "./wholes-table";
import "./agents.css";

export function AgentList(): ReactNode {
  useCrumbs({ label: t("Agents and apps") });
  const query = useWholesQuery();
  const [isImporting, setImporting] = useParam("import");
  const [isNew, setNew] = useParam("new");
  return (
    <div className="page">
      <header className="page-head">
        <div className="grow">
          <h1>{t("Agents and apps")}</h1>
          <p>{t("Agents of Dialogflow CX and apps of CX Agent Studio, on one server.")}</p>
        </div>
        <Button icon={<IconUpload size={15} />} onClick={() => setImporting("1")}>
          {t("Import")}
        </Button>
        <Button kind="primary" icon={<IconPlus size={15} />} onClick={() => setNew("1")}>
          {t("New agent")}
        </Button>
      </header>
      <Loaded query={query}>
        {(wholes) => (wholes.length ? <WholesTable wholes={wholes} /> : <Empty title={t("No agents yet")} />)}
      </Loaded>
      <DropZone />
      {isImporting && <ImportDialog onClose={() => setImporting("")} />}
      {isNew && <NewAgent onClose={() => setNew("")} />}
    </div>
  );
}

function NewAgent({ onClose }: { onClose: () => void }): ReactNode {
  const [, navigate] = useLocation();
  const [chosen, setChosen] = useState(TEMPLATES[0]);
  const [displayName, setDisplayName] = useState("");
  const [goal, setGoal] = useState(chosen?.goal ?? "");
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  async function create(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!chosen) return;
    setBusy(true);
    try {
      const name = await createFrom(chosen, displayName.trim(), goal);
      forget(cxApi.listAgents);
      navigate(`/${name}`);
    } catch (caught) {
      setError(caught);
      setBusy(false);
    }
  }
  return (
    <Dialog label={t("New agent")} onClose={onClose}>
      <form className="stack gap-top" onSubmit={(event) => void create(event)}>
        <fieldset className="templates">
          <legend className="sr">{t("Template")}</legend>
          {TEMPLATES.map((template) => (
            <label key={template.id} className="template">
              <input
                type="radio"
                name="template"
                checked={template === chosen}
                onChange={() => {
                  setChosen(template);
                  setGoal(template.goal);
                }}
              />
              <span>
                <b>{t(template.title)}</b>
                <small>{t(template.about)}</small>
              </span>
            </label>
          ))}
        </fieldset>
        <TextField label={t("Name")} value={displayName} onChange={setDisplayName} required />
        <TextField
          label={t("Goal")}
          rows={2}
          value={goal}
          onChange={setGoal}
          hint={t("What it is for, in a sentence or two.")}
        />
        {error ? <ErrorNote error={error} /> : null}
        <div className="dialog-foot">
          <Button kind="quiet" onClick={onClose}>
            {t("Cancel")}
          </Button>
          <Button kind="primary" type="submit" disabled={!displayName.trim() || !goal.trim() || isBusy}>
            {t("Create")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
