import { type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import { call } from "../../api/call";
import { sentence } from "../../api/errors";
import { deApi } from "../../api/generated/methods";
import type { de } from "../../api/generated/types";
import { lastPart } from "../../api/names";
import { forget, useRpc } from "../../api/query";
import type { ViewProps } from "../../routes";
import { useParam } from "../../shell/address";
import { useCrumbs } from "../../shell/crumbs";
import { Button } from "../../ui/button";
import { Confirm } from "../../ui/dialog";
import { Loaded } from "../../ui/states";
import { Tabs } from "../../ui/tabs";
import { say } from "../../ui/toast";
import { t } from "../../words/words";
import { Documents } from "./documents";
import { Ingestion } from "./ingestion";
import { documentsOf } from "./store-list";
import { TrySearch } from "./try-search";
import "./data-stores.css";

export function StorePage({ name }: ViewProps): ReactNode {
  const store = useRpc(deApi.getDataStore, { name });
  return <Loaded query={store}>{(data) => <Store store={data} />}</Loaded>;
}

function Store({ store }: { store: de.DataStore }): ReactNode {
  const name = store.name ?? "";
  const [, navigate] = useLocation();
  const [tab, setTab] = useParam("tab", "search");
  const [isDeleting, setDeleting] = useState(false);
  useCrumbs({ label: t("Data stores"), href: "/data-stores" }, { label: store.displayName ?? "" });
  return (
    <div className="page">
      <header className="page-head">
        <div className="grow">
          <h1>{store.displayName}</h1>
          <p className="small">
            {documentsOf(store)} · <span className="mono faint">{name}</span>
          </p>
        </div>
        <Button kind="danger" onClick={() => setDeleting(true)}>
          {t("Delete")}
        </Button>
      </header>
      <Tabs
        label={t("Parts of the data store")}
        at={tab}
        onChange={setTab}
        tabs={[
          { id: "search", label: t("Try a search") },
          { id: "documents", label: t("Documents") },
          { id: "add", label: t("Add documents") },
        ]}
      />
      <div className="gap-top">
        {tab === "documents" ? (
          <Documents store={name} />
        ) : tab === "add" ? (
          <Ingestion store={store} />
        ) : (
          <TrySearch store={name} />
        )}
      </div>
      {isDeleting && (
        <Confirm
          title={t("Delete the data store for good?")}
          action={t("Delete")}
          typed={lastPart(name)}
          onClose={() => setDeleting(false)}
          onConfirm={() => {
            void call(deApi.deleteDataStore, { name })
              .then(() => {
                forget(deApi.listDataStores);
                navigate("/data-stores");
              })
              .catch((error: unknown) => say(sentence(error)));
          }}
        >
          {t("Its documents go with it. Tools that search it fail from then on.")}
        </Confirm>
      )}
    </div>
  );
}
