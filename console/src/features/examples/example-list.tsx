import type { ReactNode } from "react";
import { Link } from "wouter";
import { cxApi } from "../../api/generated/methods";
import type { cx } from "../../api/generated/types";
import { useRpc } from "../../api/query";
import type { ViewProps } from "../../routes";
import { useCrumbs } from "../../shell/crumbs";
import { useCurrent } from "../../shell/current-agent";
import { LinkButton } from "../../ui/button";
import { Empty, Loaded } from "../../ui/states";
import { useDoomed } from "../../ui/toast";
import { ago } from "../../words/format";
import { count, t } from "../../words/words";

/** The examples of all playbooks of an agent. */
export function ExampleList({ name }: ViewProps): ReactNode {
  const whole = useCurrent();
  useCrumbs({ label: whole?.title ?? "", href: `/${name}` }, { label: t("Examples") });
  const playbooks = useRpc(cxApi.listPlaybooks, { parent: name, pageSize: 200 });
  return (
    <div className="page">
      <header className="page-head">
        <div className="grow">
          <h1>{t("Examples")}</h1>
          <p>
            {t("Conversations that show the model how a playbook goes. The offline model plans from nothing else.")}
          </p>
        </div>
      </header>
      <Loaded query={playbooks}>
        {(data) => data.playbooks?.map((playbook) => <OfPlaybook key={playbook.name} playbook={playbook} />)}
      </Loaded>
    </div>
  );
}

function OfPlaybook({ playbook }: { playbook: cx.Playbook }): ReactNode {
  const examples = useRpc(cxApi.listExamples, { parent: playbook.name ?? "", pageSize: 500 });
  const doomed = useDoomed();
  return (
    <section className="gap-top">
      <div className="row">
        <h2 className="grow">
          <Link href={`/${playbook.name}`}>{playbook.displayName}</Link>
        </h2>
        <LinkButton small href={`/${playbook.name}/examples/new`}>
          {t("New example")}
        </LinkButton>
      </div>
      <Loaded query={examples}>
        {(data) =>
          data.examples?.length ? (
            <table>
              <thead>
                <tr>
                  <th>{t("Name")}</th>
                  <th>{t("Begins with")}</th>
                  <th>{t("Calls")}</th>
                  <th>{t("Changed")}</th>
                </tr>
              </thead>
              <tbody>
                {data.examples
                  .filter(({ name }) => !doomed.has(name ?? ""))
                  .map((example) => (
                    <tr key={example.name}>
                      <td>
                        <Link href={`/${example.name}`}>
                          <b>{example.displayName}</b>
                        </Link>
                      </td>
                      <td className="muted">
                        {example.actions?.find(({ userUtterance }) => userUtterance)?.userUtterance?.text}
                      </td>
                      <td className="num">
                        {count(example.actions?.filter(({ toolUse }) => toolUse).length ?? 0, "{n} call", "{n} calls")}
                      </td>
                      <td className="faint">{ago(example.updateTime)}</td>
                    </tr>
                  ))}
              </tbody>
            </table>
          ) : (
            <Empty title={t("No examples yet")}>
              <p>{t("Make one from a conversation that went well: the star beside a turn in the simulator.")}</p>
            </Empty>
          )
        }
      </Loaded>
    </section>
  );
}
