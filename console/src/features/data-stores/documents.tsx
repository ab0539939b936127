import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { call } from "../../api/call";
import { deApi } from "../../api/generated/methods";
import { Button } from "../../ui/button";
import { JsonView } from "../../ui/code";
import { Empty, ErrorNote, Loading } from "../../ui/states";
import { undoable, useDoomed } from "../../ui/toast";
import { t } from "../../words/words";

const PAGE = 100;

/** The documents of a store, page by page: they are never counted by loading them. */
export function Documents({ store }: { store: string }): ReactNode {
  const parent = `${store}/branches/default_branch`;
  const pages = useInfiniteQuery({
    queryKey: ["documents", store],
    queryFn: ({ pageParam }) => call(deApi.listDocuments, { parent, pageSize: PAGE, pageToken: pageParam }),
    initialPageParam: "",
    getNextPageParam: (last) => last.nextPageToken || undefined,
  });
  const doomed = useDoomed();
  const documents = (pages.data?.pages.flatMap((page) => page.documents ?? []) ?? []).filter(
    ({ name }) => !doomed.has(name ?? ""),
  );
  if (pages.error) return <ErrorNote error={pages.error} onRetry={() => void pages.refetch()} />;
  if (!pages.data) return <Loading />;
  if (!documents.length) return <Empty title={t("No documents yet")} />;
  return (
    <>
      <ul className="stack">
        {documents.map((document) => (
          <li key={document.name}>
            <details>
              <summary>
                <b>{document.id}</b> <span className="faint small">{document.content?.mimeType}</span>
              </summary>
              <div className="stack">
                <JsonView value={document} label={document.id ?? ""} />
                <div>
                  <Button
                    small
                    kind="danger"
                    onClick={() =>
                      undoable(
                        document.name ?? "",
                        t("The document {name} is deleted.", { name: document.id ?? "" }),
                        (keepalive) =>
                          call(deApi.deleteDocument, { name: document.name ?? "" }, { keepalive }).finally(() =>
                            pages.refetch(),
                          ),
                      )
                    }
                  >
                    {t("Delete")}
                  </Button>
                </div>
              </div>
            </details>
          </li>
        ))}
      </ul>
      {pages.hasNextPage && <Button onClick={() => void pages.fetchNextPage()}>{t("Show more")}</Button>}
    </>
  );
}
