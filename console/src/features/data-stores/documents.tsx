import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { call } from "../../api/call";
import { deApi } from "../../api/generated/methods";
import { Button } from "../../ui/button";
import { JsonView } from "../../ui/code";
import { Empty, ErrorNote, Loading } from "../../ui/states";
import { undoable, useDoomed } from "../../ui/toast";
import { t } from "../../words/words";
import { Chunks } from "./chunks";

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
            <Folded
              title={
                <>
                  <b>{document.id}</b> <span className="faint small">{document.content?.mimeType}</span>
                </>
              }
            >
              <div className="stack">
                <Chunks document={document.name ?? ""} />
                <details>
                  <summary className="small muted">{t("As the API returns it")}</summary>
                  <JsonView value={document} label={document.id ?? ""} />
                </details>
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
            </Folded>
          </li>
        ))}
      </ul>
      {pages.hasNextPage && <Button onClick={() => void pages.fetchNextPage()}>{t("Show more")}</Button>}
    </>
  );
}

/** Details whose content is made once they are opened: it asks the server. */
function Folded({ title, children }: { title: ReactNode; children: ReactNode }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children}
    </details>
  );
}
