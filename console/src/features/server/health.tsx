import { IconCircleCheck, IconCircleX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { opApi } from "../../api/generated/methods";
import type { op } from "../../api/generated/types";
import { useRpc } from "../../api/query";
import { useCrumbs } from "../../shell/crumbs";
import { Button } from "../../ui/button";
import { CopyButton } from "../../ui/code";
import { Loaded } from "../../ui/states";
import { exact } from "../../words/format";
import { count, t } from "../../words/words";

/** What `openplaybook doctor` says of this server: failures first, with what to do. */
export function Health(): ReactNode {
  useCrumbs({ label: t("Health") });
  const doctor = useRpc(opApi.doctor, {});
  return (
    <div className="page">
      <header className="page-head">
        <div className="grow">
          <h1>{t("Health")}</h1>
          <p>{t("What works on this machine, and what to do for the rest.")}</p>
        </div>
        <Button onClick={() => void doctor.refetch()}>{t("Look again")}</Button>
      </header>
      <Loaded query={doctor}>{(data) => <Report report={data} />}</Loaded>
    </div>
  );
}

function Report({ report }: { report: op.DoctorResponse }): ReactNode {
  const checks = report.checks ?? [];
  const broken = checks.filter(({ ok }) => !ok);
  const groups = [...checks.filter(({ ok }) => !ok), ...checks.filter(({ ok }) => ok)];
  return (
    <>
      <p className={broken.length ? "note" : "note good"}>
        {broken.length
          ? count(broken.length, "{n} check needs a look.", "{n} checks need a look.")
          : t("Everything that was looked at works.")}
      </p>
      <table className="gap-top">
        <thead>
          <tr>
            <th>{t("Check")}</th>
            <th>{t("Found")}</th>
          </tr>
        </thead>
        <tbody>
          {groups.map((check) => (
            <tr key={check.name}>
              <td className="row">
                <span
                  className={check.ok ? "tone-good" : "tone-bad"}
                  role="img"
                  aria-label={check.ok ? t("works") : t("does not work")}
                >
                  {check.ok ? <IconCircleCheck size={16} /> : <IconCircleX size={16} />}
                </span>
                <b>{check.name}</b>
              </td>
              <td className="muted">
                {check.detail}
                {check.remedy && (
                  <div className="row">
                    <span className="grow">{check.remedy}</span>
                    <CopyButton text={check.remedy} label={t("Copy")} />
                  </div>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="small faint gap-top">
        {t("OpenPlaybook {version}, since {time}, in process {id}.", {
          version: report.server?.version ?? "",
          time: exact(report.server?.startTime),
          id: report.server?.processId ?? 0,
        })}
      </p>
    </>
  );
}
