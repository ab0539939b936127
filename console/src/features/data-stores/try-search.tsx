import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { call } from "../../api/call";
import { deApi } from "../../api/generated/methods";
import type { de } from "../../api/generated/types";
import { isObject, type JsonObject } from "../../api/json";
import { list } from "../../schema-form/schema";
import { Button } from "../../ui/button";
import { JsonView } from "../../ui/code";
import { TextField } from "../../ui/field";
import { Loaded } from "../../ui/states";
import { count, t } from "../../words/words";
import { FilterHelp } from "./filter-help";
import { Why } from "./why";

interface Asked {
  query: string;
  filter: string;
}

/** A search as tools make it, with the scores of what was found. */
export function TrySearch({ store }: { store: string }): ReactNode {
  const [query, setQuery] = useState("");
  const [filter, setFilter] = useState("");
  const [asked, setAsked] = useState<Asked | null>(null);
  const search = useQuery({
    queryKey: ["search", store, asked],
    queryFn: ({ signal }) =>
      call(
        deApi.search,
        {
          servingConfig: `${store}/servingConfigs/default_search`,
          query: asked?.query ?? "",
          filter: asked?.filter ?? "",
          pageSize: 10,
          explain: true,
          contentSearchSpec: { snippetSpec: { returnSnippet: true } },
        },
        { signal },
      ),
    enabled: asked !== null,
  });
  return (
    <div className="stack">
      <form
        className="stack"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          setAsked({ query, filter });
        }}
      >
        <div className="row">
          <input
            className="input"
            type="search"
            aria-label={t("Query")}
            placeholder={t("What is searched for")}
            value={query}
            onChange={(event) => setQuery(event.target.value)}
          />
          <Button kind="primary" type="submit" disabled={!query.trim()}>
            {t("Search")}
          </Button>
        </div>
        <details>
          <summary className="small muted">{t("Filter")}</summary>
          <FilterHelp store={store} filter={filter} onChange={setFilter} />
          <TextField
            label={t("Filter by fields")}
            mono
            value={filter}
            onChange={setFilter}
            placeholder={'category: ANY("food") AND price < 20'}
            hint={t('field: ANY("a", "b") for texts, field >= 3 for numbers; AND, OR, NOT and parentheses.')}
          />
        </details>
      </form>
      {asked && (
        <Loaded query={search}>
          {(data) => (
            <>
              <p className="small muted">{count(data.totalSize ?? 0, "{n} result", "{n} results")}</p>
              <ol className="stack">
                {data.results?.map((result, index) => (
                  <Found
                    key={result.id ?? index}
                    result={result}
                    best={Number(derivedOf(data.results?.[0])["score"] ?? 0)}
                  />
                ))}
              </ol>
            </>
          )}
        </Loaded>
      )}
    </div>
  );
}

function Found({ result, best }: { result: de.SearchResponse_SearchResult; best: number }): ReactNode {
  const derived = derivedOf(result);
  const snippet = list(derived["snippets"]).filter(isObject)[0]?.["snippet"];
  return (
    <li className="card pad stack">
      <div className="row">
        <b className="grow clip">{String(derived["title"] ?? result.id ?? "")}</b>
        <span className="small faint mono clip">{String(derived["link"] ?? "")}</span>
      </div>
      {snippet !== undefined && <p className="muted clamped">{String(snippet).replaceAll(/<[^>]+>/g, "")}</p>}
      <Why score={Number(derived["score"] ?? 0)} best={best} matched={list(derived["matched"]).filter(isObject)} />
      <details>
        <summary className="small muted">{t("As the API returns it")}</summary>
        <JsonView value={result} label={t("Result")} />
      </details>
    </li>
  );
}

function derivedOf(result: de.SearchResponse_SearchResult | undefined): JsonObject {
  return isObject(result?.document?.derivedStructData) ? result.document.derivedStructData : {};
}
