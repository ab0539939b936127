import { IconPlus } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { call } from "../../api/call";
import { cxApi } from "../../api/generated/methods";
import type { cx } from "../../api/generated/types";
import { forget, useRpc } from "../../api/query";
import { Button, LinkButton } from "../../ui/button";
import { pretty } from "../../ui/code";
import { Dialog } from "../../ui/dialog";
import { Diff } from "../../ui/diff";
import { ErrorNote } from "../../ui/states";
import { say } from "../../ui/toast";
import { sentence } from "../../api/errors";
import { ago } from "../../words/format";
import { count, t } from "../../words/words";
import { ExamplesCheckDialog } from "../tests/examples-check";

/** What the playbook can do, how often its examples show it, and its versions. */
export function PlaybookAside({ playbook, tools }: { playbook: cx.Playbook; tools: cx.Tool[] }): ReactNode {
  const name = playbook.name ?? "";
  const examples = useRpc(cxApi.listExamples, { parent: name, pageSize: 200 }).data?.examples;
  const [isChecked, setChecked] = useState(false);
  return (
    <aside className="stack wide">
      <Coverage playbook={playbook} tools={tools} examples={examples ?? []} />
      <section>
        <div className="row">
          <h2 className="grow">{t("Examples")}</h2>
          {!!examples?.length && (
            <Button small onClick={() => setChecked(true)}>
              {t("Check the examples")}
            </Button>
          )}
          <LinkButton small href={`/${name}/examples/new`} icon={<IconPlus size={14} />}>
            {t("New")}
          </LinkButton>
        </div>
        <ul className="link-list">
          {examples?.map((example) => (
            <li key={example.name}>
              <Link href={`/${example.name}`}>
                <span className="clip">{example.displayName}</span>
                <small>{count(callsOf(example).length, "{n} call", "{n} calls")}</small>
              </Link>
            </li>
          ))}
        </ul>
        {examples && !examples.length && (
          <p className="small muted">{t("None yet. Make one from a conversation that went well.")}</p>
        )}
      </section>
      <Versions playbook={playbook} />
      {isChecked && <ExamplesCheckDialog parent={name} onClose={() => setChecked(false)} />}
    </aside>
  );
}

function callsOf(example: cx.Example): cx.ToolUse[] {
  return (example.actions ?? []).flatMap(({ toolUse }) => (toolUse ? [toolUse] : []));
}

const MOST_DOTS = 12;

function Coverage({
  playbook,
  tools,
  examples,
}: {
  playbook: cx.Playbook;
  tools: cx.Tool[];
  examples: cx.Example[];
}): ReactNode {
  const counts = new Map<string, number>();
  const titles = new Map(tools.map((tool) => [tool.name ?? "", tool.displayName ?? ""]));
  for (const tool of playbook.referencedTools ?? []) if (titles.has(tool)) counts.set(titles.get(tool) ?? "", 0);
  for (const use of examples.flatMap(callsOf)) {
    const tool = titles.get(use.tool ?? "") ?? use.displayName ?? "";
    const key = use.action && use.action !== tool ? `${tool}.${use.action}` : tool;
    if (key !== tool && counts.get(tool) === 0) counts.delete(tool);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  if (!counts.size) return null;
  return (
    <section>
      <h2>
        {t("What it can do")} <span className="faint small">{t("calls in examples")}</span>
      </h2>
      <ul className="coverage">
        {[...counts].map(([action, n]) => (
          <li key={action}>
            <code className="clip">{action}</code>
            <span className="dots" aria-hidden="true">
              {n ? (
                Array.from({ length: Math.min(n, MOST_DOTS) }, (_, index) => <i key={index} />)
              ) : (
                <span className="tone-retrieval small">{t("none yet")}</span>
              )}
            </span>
            <span className="num faint">{n}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Versions({ playbook }: { playbook: cx.Playbook }): ReactNode {
  const parent = playbook.name ?? "";
  const versions = useRpc(cxApi.listPlaybookVersions, { parent }).data?.playbookVersions;
  const [shown, setShown] = useState<cx.PlaybookVersion | null>(null);
  const [error, setError] = useState<unknown>(null);
  async function keep(): Promise<void> {
    try {
      await call(cxApi.createPlaybookVersion, { parent, playbookVersion: { description: "" } });
      forget(cxApi.listPlaybookVersions);
    } catch (caught) {
      setError(caught);
    }
  }
  async function restore(version: cx.PlaybookVersion): Promise<void> {
    try {
      await call(cxApi.restorePlaybookVersion, { name: version.name ?? "" });
      forget(cxApi.getPlaybook, cxApi.listPlaybooks, cxApi.listExamples);
      location.reload();
    } catch (caught) {
      say(sentence(caught));
    }
  }
  return (
    <section>
      <div className="row">
        <h2 className="grow">{t("Versions")}</h2>
        <Button small onClick={() => void keep()}>
          {t("Keep this one")}
        </Button>
      </div>
      {error ? <ErrorNote error={error} /> : null}
      <ul className="link-list">
        {versions?.map((version) => (
          <li key={version.name}>
            <button type="button" onClick={() => setShown(version)}>
              <span className="clip">{version.description || t("version")}</span>
              <small>{ago(version.updateTime)}</small>
            </button>
          </li>
        ))}
      </ul>
      {versions && !versions.length && <p className="small muted">{t("None kept yet.")}</p>}
      {shown && (
        <Dialog label={t("What would change back")} onClose={() => setShown(null)} className="wide-dialog">
          <div className="gap-top">
            <Diff
              before={pretty(plain(playbook))}
              after={pretty(plain(shown.playbook ?? {}))}
              label={t("The two versions")}
            />
          </div>
          <div className="dialog-foot">
            <Button kind="quiet" onClick={() => setShown(null)}>
              {t("Cancel")}
            </Button>
            <Button kind="primary" onClick={() => void restore(shown)}>
              {t("Go back to this version")}
            </Button>
          </div>
        </Dialog>
      )}
    </section>
  );
}

function plain(playbook: cx.Playbook): object {
  const { createTime: _c, updateTime: _u, tokenCount: _t, ...rest } = playbook;
  return rest;
}
