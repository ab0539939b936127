import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { call } from "../../api/call";
import { opApi } from "../../api/generated/methods";
import { Button } from "../../ui/button";
import { ErrorNote, Loading, Tag } from "../../ui/states";
import { count, t } from "../../words/words";

const PAGE = 20;

/** What a document was cut into: searches find these texts, with their headings. */
export function Chunks({ document }: { document: string }): ReactNode {
  const pages = useInfiniteQuery({
    queryKey: ["chunks", document],
    queryFn: ({ pageParam }) =>
      call(opApi.listDocumentChunks, { parent: document, pageSize: PAGE, pageToken: pageParam }),
    initialPageParam: "",
    getNextPageParam: (last) => last.nextPageToken || undefined,
  });
  if (pages.error) return <ErrorNote error={pages.error} onRetry={() => void pages.refetch()} />;
  if (!pages.data) return <Loading />;
  const [first] = pages.data.pages;
  const chunks = pages.data.pages.flatMap((page) => page.chunks ?? []);
  return (
    <div className="stack">
      <p className="row wrap small muted">
        {count(first?.totalSize ?? 0, "{n} chunk", "{n} chunks")}
        {first?.language && <Tag>{first.language}</Tag>}
        {first?.question && <span>{first.question}</span>}
      </p>
      <ol className="stack">
        {chunks.map((chunk) => (
          <li key={chunk.id} className="card pad">
            <p className="row small">
              <code className="faint">{chunk.id}</code>
              <b className="grow clip">{chunk.headings?.join(" › ")}</b>
              {!!chunk.page && <span className="faint">{t("page {n}", { n: chunk.page })}</span>}
            </p>
            <p className="chunk-text">
              {chunk.text}
              {chunk.truncated && <span className="faint"> {t("(cut here)")}</span>}
            </p>
          </li>
        ))}
      </ol>
      {pages.hasNextPage && (
        <div>
          <Button small onClick={() => void pages.fetchNextPage()}>
            {t("Show more")}
          </Button>
        </div>
      )}
    </div>
  );
}
