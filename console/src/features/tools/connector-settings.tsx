import { IconPlus } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { connApi } from "../../api/generated/methods";
import type { cx } from "../../api/generated/types";
import { lastPart, locationOf } from "../../api/names";
import { useRpc } from "../../api/query";
import { Button, LinkButton } from "../../ui/button";
import { SelectField, TextField } from "../../ui/field";
import { t } from "../../words/words";
import type { ToolTabProps } from "./tool-tabs";

const OPERATIONS = ["LIST", "GET", "CREATE", "UPDATE", "DELETE"] as const;
type Action = cx.Tool_ConnectorTool_Action;

/** The connection that is used, and what of it the model may do. */
export function ConnectorSettings({ tool, onChange }: ToolTabProps): ReactNode {
  const spec = tool.connectorSpec ?? {};
  const connections = useRpc(connApi.listConnections, { parent: locationOf(tool.name ?? "") });
  const entities = useRpc(connApi.listRuntimeEntitySchemas, spec.name ? { parent: spec.name } : null);
  const actions = spec.actions ?? [];
  const set = (next: cx.Tool_ConnectorTool): void => onChange({ ...tool, connectorSpec: { ...spec, ...next } });
  const setAction = (index: number, next: Action | null): void =>
    set({ actions: actions.flatMap((each, at) => (at !== index ? [each] : next ? [next] : [])) });
  const names = connections.data?.connections?.map(({ name }) => name ?? "") ?? [];
  const known = (entities.data?.runtimeEntitySchemas ?? []).map((each) =>
    String((each as { entity?: string }).entity ?? ""),
  );
  return (
    <div className="tab-body stack wide">
      <SelectField
        label={t("Connection")}
        value={spec.name ?? ""}
        none={t("choose one")}
        options={[...new Set([...names, ...(spec.name ? [spec.name] : [])])].map((value) => ({
          value,
          label: lastPart(value),
        }))}
        onChange={(name) => set({ name })}
      />
      <div>
        <LinkButton small href="/connectors">
          {t("New connection")}
        </LinkButton>
      </div>
      <section className="stack">
        <h2>{t("What the model may do")}</h2>
        {actions.map((action, index) => (
          <div key={index} className="row wrap">
            {action.entityOperation ? (
              <>
                <div className="grow">
                  <TextField
                    label={t("Entity {n}", { n: index + 1 })}
                    value={action.entityOperation.entityId ?? ""}
                    hint={known.length ? known.slice(0, 8).join(", ") : undefined}
                    onChange={(entityId) =>
                      setAction(index, { ...action, entityOperation: { ...action.entityOperation, entityId } })
                    }
                  />
                </div>
                <SelectField
                  label={t("Operation")}
                  value={action.entityOperation.operation ?? "LIST"}
                  options={OPERATIONS.map((value) => ({ value, label: value }))}
                  onChange={(next) =>
                    setAction(index, {
                      ...action,
                      entityOperation: { ...action.entityOperation, operation: next as (typeof OPERATIONS)[number] },
                    })
                  }
                />
              </>
            ) : (
              <div className="grow">
                <TextField
                  label={t("Action of the connection {n}", { n: index + 1 })}
                  value={action.connectionActionId ?? ""}
                  onChange={(connectionActionId) => setAction(index, { ...action, connectionActionId })}
                />
              </div>
            )}
            <Button kind="quiet" onClick={() => setAction(index, null)}>
              {t("Remove")}
            </Button>
          </div>
        ))}
        <div className="row">
          <Button
            icon={<IconPlus size={15} />}
            onClick={() =>
              set({ actions: [...actions, { entityOperation: { entityId: known[0] ?? "", operation: "LIST" } }] })
            }
          >
            {t("Add an entity")}
          </Button>
          <Button kind="quiet" onClick={() => set({ actions: [...actions, { connectionActionId: "" }] })}>
            {t("Add an action")}
          </Button>
        </div>
      </section>
    </div>
  );
}
