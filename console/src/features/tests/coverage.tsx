import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { call } from "../../api/call";
import { cxApi, opApi } from "../../api/generated/methods";
import type { cx } from "../../api/generated/types";
import { lastPart } from "../../api/names";
import { keyOf, useRpc } from "../../api/query";
import { Button } from "../../ui/button";
import { Loaded, Tag } from "../../ui/states";
import { count, t } from "../../words/words";

type Part = cx.CalculateCoverageResponse_PlaybookCoverage_Part;

const SHOWN = 30;
/** Playbooks or tools that are shown first: of each tool the actions are asked for. */
const PARTS = 50;
const PAGE = 1000;

/** What no test case of an agent expects: its playbooks, its tools, and the actions of tools; what is left out first. */
export function Coverage({ agent, tests }: { agent: string; tests: cx.TestCase[] }): ReactNode {
  const request = { agent, type: "INTENT" } as const;
  const query = useQuery({
    queryKey: keyOf(cxApi.calculateCoverage, request),
    queryFn: ({ signal }) => call(cxApi.calculateCoverage, request, { signal }),
    // Test cases are added and deleted on other pages.
    staleTime: 0,
  });
  const titles = new Map(tests.map(({ name, displayName }) => [name ?? "", displayName ?? ""]));
  return (
    <section className="gap-top stack" aria-label={t("Coverage")}>
      <h2>{t("Coverage")}</h2>
      <Loaded query={query}>
        {({ playbookCoverage = {}, intentCoverage }) => (
          <>
            <Summary coverage={playbookCoverage} />
            <Table heading={t("Playbook")} parts={playbookCoverage.playbooks ?? []} titles={titles} />
            <Table heading={t("Tool")} parts={playbookCoverage.tools ?? []} titles={titles} agent={agent} />
            <Intents intents={intentCoverage?.intents ?? []} />
          </>
        )}
      </Loaded>
    </section>
  );
}

function Summary({ coverage }: { coverage: cx.CalculateCoverageResponse_PlaybookCoverage }): ReactNode {
  const parts = [...(coverage.playbooks ?? []), ...(coverage.tools ?? [])];
  const left = parts.filter(({ covered }) => !covered).length;
  return (
    <p role="status" className="muted">
      {left
        ? count(
            left,
            "{n} of {all} playbooks and tools is in no test case.",
            "{n} of {all} playbooks and tools are in no test case.",
          ).replace("{all}", String(parts.length))
        : t("Every playbook and tool is in a test case.")}{" "}
      <span className="small">{t("It is read off what test cases expect; none is run.")}</span>
    </p>
  );
}

function Table(props: { heading: string; parts: Part[]; titles: Map<string, string>; agent?: string }): ReactNode {
  const [shown, setShown] = useState(PARTS);
  if (!props.parts.length) return null;
  const parts = props.parts.toSorted((left, right) => Number(left.covered ?? false) - Number(right.covered ?? false));
  return (
    <>
      <table>
        <thead>
          <tr>
            <th>{props.heading}</th>
            <th>{t("Test cases")}</th>
            {props.agent && <th>{t("Actions that no test case expects")}</th>}
          </tr>
        </thead>
        <tbody>
          {parts.slice(0, shown).map((part) => (
            <tr key={part.name}>
              <td>
                <Link href={`/${part.name}`}>
                  <b>{part.displayName}</b>
                </Link>
              </td>
              <td className="linked">
                {part.covered ? (
                  <Cases names={part.testCases ?? []} titles={props.titles} />
                ) : (
                  <Tag tone="bad">{t("none")}</Tag>
                )}
              </td>
              {props.agent && (
                <td>
                  <Actions agent={props.agent} tool={part} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {parts.length > shown && (
        <div>
          <Button small onClick={() => setShown(shown + PARTS)}>
            {t("Show more")}
          </Button>
        </div>
      )}
    </>
  );
}

function Cases({ names, titles }: { names: string[]; titles: Map<string, string> }): ReactNode {
  return (
    <>
      {names.slice(0, SHOWN).map((name, index) => (
        <span key={name}>
          {index > 0 && ", "}
          <Link href={`/${name}`}>{titles.get(name) ?? lastPart(name)}</Link>
        </span>
      ))}
      {names.length > SHOWN && ` ${t("and {n} more", { n: names.length - SHOWN })}`}
    </>
  );
}

/** Of a tool's actions those that are in no test case. */
function Actions({ agent, tool }: { agent: string; tool: Part }): ReactNode {
  const query = useRpc(opApi.listToolActions, {
    parent: agent,
    tool: tool.name ?? "",
    namesOnly: true,
    pageSize: PAGE,
  });
  const expected = new Set(tool.actions);
  const left = (query.data?.actions ?? []).map(({ action = "" }) => action).filter((action) => !expected.has(action));
  const further = Math.max(0, (query.data?.totalSize ?? 0) - PAGE);
  const hidden = Math.max(0, left.length - SHOWN) + further;
  if (query.error) return <span className="small faint">{t("not known")}</span>;
  return (
    <span className="mono small">
      {left.slice(0, SHOWN).join(", ")}
      {hidden > 0 && ` ${t("and {n} more", { n: hidden })}`}
    </span>
  );
}

function Intents({ intents }: { intents: cx.IntentCoverage_Intent[] }): ReactNode {
  const left = intents.filter(({ covered }) => !covered);
  if (!intents.length) return null;
  return (
    <p className="small muted">
      {count(
        left.length,
        "{n} intent of the import is in no test case.",
        "{n} intents of the import are in no test case.",
      )}
    </p>
  );
}
