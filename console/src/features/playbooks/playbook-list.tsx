import { IconPlus } from "@tabler/icons-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { Link, useLocation } from "wouter";
import { call } from "../../api/call";
import { cxApi } from "../../api/generated/methods";
import { forget, useRpc } from "../../api/query";
import type { ViewProps } from "../../routes";
import { useCrumbs } from "../../shell/crumbs";
import { useCurrent } from "../../shell/current-agent";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { TextField } from "../../ui/field";
import { Empty, ErrorNote, Loaded, Tag } from "../../ui/states";
import { ago } from "../../words/format";
import { useDoomed } from "../../ui/toast";
import { t } from "../../words/words";

export function PlaybookList({ name }: ViewProps): ReactNode {
  const whole = useCurrent();
  useCrumbs({ label: whole?.title ?? "", href: `/${name}` }, { label: t("Playbooks") });
  const playbooks = useRpc(cxApi.listPlaybooks, { parent: name, pageSize: 200 });
  const agent = useRpc(cxApi.getAgent, { name });
  const [isNew, setNew] = useState(false);
  const doomed = useDoomed();
  return (
    <div className="page">
      <header className="page-head">
        <div className="grow">
          <h1>{t("Playbooks")}</h1>
          <p>{t("Each has a goal, instructions and examples. One of them begins.")}</p>
        </div>
        <Button kind="primary" icon={<IconPlus size={15} />} onClick={() => setNew(true)}>
          {t("New playbook")}
        </Button>
      </header>
      <Loaded query={playbooks}>
        {(data) =>
          data.playbooks?.length ? (
            <table>
              <thead>
                <tr>
                  <th>{t("Name")}</th>
                  <th>{t("Goal")}</th>
                  <th>{t("Changed")}</th>
                </tr>
              </thead>
              <tbody>
                {data.playbooks
                  .filter(({ name }) => !doomed.has(name ?? ""))
                  .map((playbook) => (
                    <tr key={playbook.name}>
                      <td>
                        <Link href={`/${playbook.name}`}>
                          <b>{playbook.displayName}</b>
                        </Link>{" "}
                        {playbook.name === agent.data?.startPlaybook && <Tag tone="good">{t("begins")}</Tag>}
                      </td>
                      <td className="muted">{playbook.goal}</td>
                      <td className="faint">{ago(playbook.updateTime)}</td>
                    </tr>
                  ))}
              </tbody>
            </table>
          ) : (
            <Empty title={t("No playbooks yet")}>
              <Button onClick={() => setNew(true)}>{t("New playbook")}</Button>
            </Empty>
          )
        }
      </Loaded>
      {isNew && <NewPlaybook agent={name} onClose={() => setNew(false)} />}
    </div>
  );
}

function NewPlaybook({ agent, onClose }: { agent: string; onClose: () => void }): ReactNode {
  const [, navigate] = useLocation();
  const [displayName, setDisplayName] = useState("");
  const [goal, setGoal] = useState("");
  const [error, setError] = useState<unknown>(null);
  async function create(event: FormEvent): Promise<void> {
    event.preventDefault();
    try {
      const playbook = await call(cxApi.createPlaybook, {
        parent: agent,
        playbook: {
          displayName,
          goal,
          instruction: { steps: [{ text: t("Greet the user and say what you can do.") }] },
        },
      });
      forget(cxApi.listPlaybooks);
      navigate(`/${playbook.name}`);
    } catch (caught) {
      setError(caught);
    }
  }
  return (
    <Dialog label={t("New playbook")} onClose={onClose}>
      <form className="stack gap-top" onSubmit={(event) => void create(event)}>
        <TextField label={t("Name")} value={displayName} onChange={setDisplayName} required autoFocus />
        <TextField
          label={t("Goal")}
          value={goal}
          onChange={setGoal}
          rows={3}
          required
          hint={t("What it is for, in a sentence or two.")}
        />
        {error ? <ErrorNote error={error} /> : null}
        <div className="dialog-foot">
          <Button kind="quiet" onClick={onClose}>
            {t("Cancel")}
          </Button>
          <Button kind="primary" type="submit" disabled={!displayName.trim() || !goal.trim()}>
            {t("Create")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
