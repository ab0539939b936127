import { IconPlus } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { deApi } from "../../api/generated/methods";
import type { cx } from "../../api/generated/types";
import { lastPart } from "../../api/names";
import { useRpc } from "../../api/query";
import { Button } from "../../ui/button";
import { CheckField, SelectField, TextField } from "../../ui/field";
import { t } from "../../words/words";
import type { ToolTabProps } from "./tool-tabs";

const TYPES = ["PUBLIC_WEB", "UNSTRUCTURED", "STRUCTURED"] as const;
const LEVELS = ["VERY_LOW", "LOW", "MEDIUM", "HIGH", "VERY_HIGH"];
type Connection = cx.DataStoreConnection;

/** Which stores are searched, how answers are put, how well they must be grounded. */
export function DataStoreSettings({ tool, onChange }: ToolTabProps): ReactNode {
  const spec = tool.dataStoreSpec ?? {};
  const stores = useRpc(deApi.listDataStores, { parent: "projects/-/locations/-/collections/default_collection" });
  const connections = spec.dataStoreConnections ?? [];
  const set = (next: cx.Tool_DataStoreTool): void => onChange({ ...tool, dataStoreSpec: { ...spec, ...next } });
  const setConnection = (index: number, next: Connection | null): void =>
    set({ dataStoreConnections: connections.flatMap((each, at) => (at !== index ? [each] : next ? [next] : [])) });
  const summary = spec.models?.summarizationModel ?? {};
  return (
    <div className="tab-body stack wide">
      <section className="stack">
        <h2>{t("Stores")}</h2>
        {connections.map((connection, index) => (
          <div key={index} className="row wrap">
            <div className="grow">
              <SelectField
                label={t("Data store {n}", { n: index + 1 })}
                value={connection.dataStore ?? ""}
                none={t("choose one")}
                options={optionsOf(
                  stores.data?.dataStores?.map(({ name }) => name ?? "") ?? [],
                  connection.dataStore ?? "",
                )}
                onChange={(dataStore) => setConnection(index, { ...connection, dataStore })}
              />
            </div>
            <SelectField
              label={t("Type")}
              value={connection.dataStoreType ?? "UNSTRUCTURED"}
              options={TYPES.map((value) => ({ value, label: value }))}
              onChange={(next) =>
                setConnection(index, { ...connection, dataStoreType: next as (typeof TYPES)[number] })
              }
            />
            <Button kind="quiet" onClick={() => setConnection(index, null)}>
              {t("Remove")}
            </Button>
          </div>
        ))}
        <div>
          <Button
            icon={<IconPlus size={15} />}
            onClick={() =>
              set({
                dataStoreConnections: [
                  ...connections,
                  { dataStoreType: "UNSTRUCTURED", dataStore: "", documentProcessingMode: "CHUNKS" },
                ],
              })
            }
          >
            {t("Add a store")}
          </Button>
        </div>
      </section>
      <section className="stack">
        <h2>{t("Answers")}</h2>
        <TextField
          label={t("Model of the summary")}
          value={summary.model ?? ""}
          placeholder={t("the agent’s model")}
          onChange={(model) => set({ models: { ...spec.models, summarizationModel: { ...summary, model } } })}
        />
        <TextField
          label={t("Prompt of the summary")}
          rows={5}
          mono
          value={summary.promptText ?? ""}
          placeholder={"$original-query $conversation $sources"}
          onChange={(promptText) => set({ models: { ...spec.models, summarizationModel: { ...summary, promptText } } })}
          hint={t("Empty: the prompt of the server. $original-query, $sources and other placeholders are filled in.")}
        />
        <SelectField
          label={t("How well an answer must be grounded")}
          value={spec.groundingSettings?.groundingConfidence ?? ""}
          none={t("as the server decides")}
          options={LEVELS.map((value) => ({ value, label: value }))}
          onChange={(groundingConfidence) =>
            set({ groundingSettings: { ...spec.groundingSettings, groundingConfidence } })
          }
        />
        <CheckField
          label={t("Do not check grounding")}
          value={spec.groundingSettings?.disabled ?? false}
          onChange={(disabled) => set({ groundingSettings: { ...spec.groundingSettings, disabled } })}
        />
        <CheckField
          label={t("Send the snippets as a payload too")}
          value={spec.payloadSettings?.enableSnippetsPayload ?? false}
          onChange={(enableSnippetsPayload) =>
            set({ payloadSettings: { ...spec.payloadSettings, enableSnippetsPayload } })
          }
        />
      </section>
    </div>
  );
}

function optionsOf(names: string[], chosen: string): { value: string; label: string }[] {
  const all = names.includes(chosen) || !chosen ? names : [chosen, ...names];
  return all.map((value) => ({ value, label: lastPart(value) }));
}
