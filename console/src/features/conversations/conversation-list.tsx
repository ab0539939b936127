import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link, useLocation } from "wouter";
import { call } from "../../api/call";
import { cesApi, cxApi } from "../../api/generated/methods";
import type { ces, cx } from "../../api/generated/types";
import { lastPart } from "../../api/names";
import { cache } from "../../api/query";
import type { ViewProps } from "../../routes";
import { useParam } from "../../shell/address";
import { useCrumbs } from "../../shell/crumbs";
import { useCurrent } from "../../shell/current-agent";
import { simulatorOf } from "../../shell/navigation";
import { Button, LinkButton } from "../../ui/button";
import { Empty, ErrorNote, Loading } from "../../ui/states";
import { useDoomed } from "../../ui/toast";
import { ago, exact } from "../../words/format";
import { t } from "../../words/words";

interface Row {
  name: string;
  startTime: string;
  turns: number;
  language: string;
  duration: string;
}

const PAGE = 50;

/** Past conversations of an agent or app, newest first; the filter is the API's own. */
export function ConversationList({ name }: ViewProps): ReactNode {
  const whole = useCurrent();
  const isApp = name.includes("/apps/");
  useCrumbs({ label: whole?.title ?? "", href: `/${name}` }, { label: t("Conversations") });
  const [filter, setFilter] = useParam("filter");
  const [typed, setTyped] = useState(filter);
  const pages = useInfiniteQuery({
    queryKey: ["conversations", name, filter],
    queryFn: ({ pageParam }) => page(name, isApp, filter, pageParam),
    initialPageParam: "",
    getNextPageParam: (last) => last.next || undefined,
  });
  const doomed = useDoomed();
  const rows = pages.data?.pages.flatMap((each) => each.rows).filter((row) => !doomed.has(row.name)) ?? [];
  return (
    <div className="page">
      <header className="page-head">
        <div className="grow">
          <h1>{t("Conversations")}</h1>
          <p>{t("What was said, and everything that happened for it.")}</p>
        </div>
      </header>
      <form
        className="row"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          setFilter(typed.trim());
        }}
      >
        <input
          className="input mono"
          type="search"
          aria-label={t("Filter")}
          placeholder={'startTime > "2026-11-01T00:00:00Z"'}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit">{t("Filter")}</Button>
      </form>
      {pages.error ? <ErrorNote error={pages.error} onRetry={() => void pages.refetch()} /> : null}
      {!pages.data && !pages.error && <Loading />}
      {pages.data && !rows.length && (
        <Empty title={filter ? t("No conversation fits the filter") : t("No conversations yet")}>
          <LinkButton href={simulatorOf(name)}>{t("Talk")}</LinkButton>
        </Empty>
      )}
      {!!rows.length && <Rows rows={rows} />}
      {pages.hasNextPage && (
        <p className="gap-top">
          <Button onClick={() => void pages.fetchNextPage()}>{t("Show more")}</Button>
        </p>
      )}
    </div>
  );
}

function Rows({ rows }: { rows: Row[] }): ReactNode {
  const [, navigate] = useLocation();
  return (
    <table>
      <thead>
        <tr>
          <th>{t("Began")}</th>
          <th>{t("Conversation")}</th>
          <th>{t("Turns")}</th>
          <th>{t("Language")}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name} className="clickable" onClick={() => navigate(`/${row.name}`)}>
            <td title={exact(row.startTime)}>{ago(row.startTime)}</td>
            <td>
              <Link href={`/${row.name}`} className="mono" onClick={(event) => event.stopPropagation()}>
                {lastPart(row.name)}
              </Link>
            </td>
            <td className="num">{row.turns}</td>
            <td>{row.language}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Conversations were deleted: ask again. */
export function forgetConversations(): void {
  void cache.invalidateQueries({ queryKey: ["conversations"] });
}

async function page(
  parent: string,
  isApp: boolean,
  filter: string,
  pageToken: string,
): Promise<{ rows: Row[]; next: string }> {
  const request = { parent, pageSize: PAGE, pageToken, filter };
  if (isApp) {
    const found = await call(cesApi.listConversations, request);
    return { rows: (found.conversations ?? []).map(ofApp), next: found.nextPageToken ?? "" };
  }
  const found = await call(cxApi.listConversations, request);
  return { rows: (found.conversations ?? []).map(ofAgent), next: found.nextPageToken ?? "" };
}

function ofAgent(conversation: cx.Conversation): Row {
  return {
    name: conversation.name ?? "",
    startTime: conversation.startTime ?? "",
    turns: conversation.metrics?.interactionCount ?? 0,
    language: conversation.languageCode ?? "",
    duration: conversation.duration ?? "",
  };
}

function ofApp(conversation: ces.Conversation): Row {
  return {
    name: conversation.name ?? "",
    startTime: conversation.startTime ?? "",
    turns: conversation.turnCount ?? 0,
    language: conversation.languageCode ?? "",
    duration: "",
  };
}
