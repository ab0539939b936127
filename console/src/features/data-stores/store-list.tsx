import { type FormEvent, type ReactNode, useState } from "react";
import { Link, useLocation } from "wouter";
import { call } from "../../api/call";
import { deApi } from "../../api/generated/methods";
import type { de } from "../../api/generated/types";
import { forget, useRpc } from "../../api/query";
import { useCrumbs } from "../../shell/crumbs";
import { usePlace } from "../../shell/current-agent";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { SelectField, TextField } from "../../ui/field";
import { Empty, ErrorNote, Loaded } from "../../ui/states";
import { ago } from "../../words/format";
import { count, t } from "../../words/words";
import { finished } from "../agents/operations";

const CONTENT = { UNSTRUCTURED: "CONTENT_REQUIRED", STRUCTURED: "NO_CONTENT", PUBLIC_WEB: "PUBLIC_WEBSITE" } as const;
type StoreType = keyof typeof CONTENT;

export function StoreList(): ReactNode {
  useCrumbs({ label: t("Data stores") });
  const location = usePlace();
  const parent = location && `${location}/collections/default_collection`;
  const stores = useRpc(deApi.listDataStores, parent ? { parent, pageSize: 200 } : null);
  const [isNew, setNew] = useState(false);
  return (
    <div className="page">
      <header className="page-head">
        <div className="grow">
          <h1>{t("Data stores")}</h1>
          <p>{t("Documents that tools search and answer from.")}</p>
        </div>
        <Button kind="primary" onClick={() => setNew(true)}>
          {t("New data store")}
        </Button>
      </header>
      <Loaded query={stores}>
        {(data) =>
          data.dataStores?.length ? (
            <table>
              <thead>
                <tr>
                  <th>{t("Name")}</th>
                  <th>{t("Documents")}</th>
                  <th>{t("Language")}</th>
                  <th>{t("Created")}</th>
                </tr>
              </thead>
              <tbody>
                {data.dataStores.map((store) => (
                  <tr key={store.name}>
                    <td>
                      <Link href={`/${store.name}`}>
                        <b>{store.displayName}</b>
                      </Link>
                      <div className="small faint">{words(store)}</div>
                    </td>
                    <td className="num">{documentsOf(store)}</td>
                    <td>{(store as { languageInfo?: { languageCode?: string } }).languageInfo?.languageCode}</td>
                    <td className="faint">{ago(store.createTime)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          ) : (
            <Empty title={t("No data stores yet")}>
              <Button onClick={() => setNew(true)}>{t("New data store")}</Button>
            </Empty>
          )
        }
      </Loaded>
      {isNew && parent && <NewStore parent={parent} onClose={() => setNew(false)} />}
    </div>
  );
}

function words(store: de.DataStore): string {
  const types: Record<string, string> = {
    CONTENT_REQUIRED: t("unstructured documents"),
    NO_CONTENT: t("structured records"),
    PUBLIC_WEBSITE: t("web pages"),
  };
  return types[store.contentConfig ?? ""] ?? "";
}

export function documentsOf(store: de.DataStore): string {
  const estimation = store.billingEstimation as { documents?: number } | undefined;
  return estimation?.documents === undefined
    ? "–"
    : count(Number(estimation.documents), "{n} document", "{n} documents");
}

function NewStore({ parent, onClose }: { parent: string; onClose: () => void }): ReactNode {
  const [, navigate] = useLocation();
  const [displayName, setDisplayName] = useState("");
  const [type, setType] = useState<StoreType>("UNSTRUCTURED");
  const [error, setError] = useState<unknown>(null);
  async function create(event: FormEvent): Promise<void> {
    event.preventDefault();
    const dataStoreId = displayName
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 60);
    try {
      const operation = await call(deApi.createDataStore, {
        parent,
        dataStoreId,
        dataStore: {
          displayName,
          industryVertical: "GENERIC",
          solutionTypes: ["SOLUTION_TYPE_CHAT"],
          contentConfig: CONTENT[type],
        },
      });
      await finished(operation);
      forget(deApi.listDataStores);
      navigate(`/${parent}/dataStores/${dataStoreId}`);
    } catch (caught) {
      setError(caught);
    }
  }
  return (
    <Dialog label={t("New data store")} onClose={onClose}>
      <form className="stack gap-top" onSubmit={(event) => void create(event)}>
        <TextField label={t("Name")} value={displayName} onChange={setDisplayName} required autoFocus />
        <SelectField
          label={t("Type")}
          value={type}
          onChange={(next) => setType(next as StoreType)}
          options={[
            { value: "UNSTRUCTURED", label: t("unstructured documents") },
            { value: "STRUCTURED", label: t("structured records") },
            { value: "PUBLIC_WEB", label: t("web pages") },
          ]}
        />
        {error ? <ErrorNote error={error} /> : null}
        <div className="dialog-foot">
          <Button kind="quiet" onClick={onClose}>
            {t("Cancel")}
          </Button>
          <Button kind="primary" type="submit" disabled={!/[a-z0-9]/i.test(displayName)}>
            {t("Create")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
