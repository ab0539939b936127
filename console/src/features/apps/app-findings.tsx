import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { call } from "../../api/call";
import { opApi } from "../../api/generated/methods";
import type { op } from "../../api/generated/types";
import { lastPart } from "../../api/names";
import { keyOf } from "../../api/query";
import { Button } from "../../ui/button";
import { Loaded, Tag } from "../../ui/states";
import { count, t } from "../../words/words";

const SHOWN = 200;
/** What has a page in the console, and is led to. */
const WITH_PAGE = /\/(agents|tools|toolsets)\/[^/]+$/;

/** What the server finds in an app, and in all that is in it, as it is stored. */
export function AppFindings({ app }: { app: string }): ReactNode {
  const query = useQuery({
    queryKey: keyOf(opApi.checkApp, { name: app }),
    queryFn: ({ signal }) => call(opApi.checkApp, { name: app }, { signal }),
    // Whoever mends something comes back to see it gone.
    staleTime: 0,
  });
  return (
    <section className="gap-top">
      <h2>{t("Findings")}</h2>
      <Loaded query={query}>{(data) => <Findings findings={data.findings ?? []} />}</Loaded>
    </section>
  );
}

function Findings({ findings }: { findings: op.CheckAppResponse_Finding[] }): ReactNode {
  const [shown, setShown] = useState(SHOWN);
  if (!findings.length) return <p className="muted">{t("None: everything that is stored can run.")}</p>;
  const errors = findings.filter(({ problem }) => problem?.severity === "ERROR").length;
  return (
    <>
      <p className="small muted">
        {count(findings.length, "{n} finding", "{n} findings")}
        {errors > 0 && `, ${count(errors, "{n} keeps something from running", "{n} keep something from running")}`}
      </p>
      <table>
        <tbody>
          {findings.slice(0, shown).map(({ name = "", displayName, problem = {} }, index) => (
            <tr key={index}>
              <td>
                <Tag tone={problem.severity === "ERROR" ? "bad" : "retrieval"}>{severityOf(problem)}</Tag>
              </td>
              <td>
                {problem.message} {problem.fix && t("Did you mean “{name}”?", { name: problem.fix })}
                <div className="small faint linked">
                  {WITH_PAGE.test(name) ? <Link href={`/${name}`}>{displayName || lastPart(name)}</Link> : displayName}{" "}
                  <span className="mono">{problem.path}</span>
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {findings.length > shown && (
        <Button small onClick={() => setShown(shown + SHOWN)}>
          {t("Show more")}
        </Button>
      )}
    </>
  );
}

function severityOf({ severity }: op.Problem): string {
  if (severity === "ERROR") return t("cannot run");
  return severity === "WARNING" ? t("warning") : t("remark");
}
