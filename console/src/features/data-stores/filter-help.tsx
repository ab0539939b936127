import { type ReactNode, useState } from "react";
import { deApi } from "../../api/generated/methods";
import { isObject, type Json } from "../../api/json";
import { useRpc } from "../../api/query";
import { Button } from "../../ui/button";
import { SelectField, TextField } from "../../ui/field";
import { t } from "../../words/words";

export interface FilterField {
  name: string;
  isNumber: boolean;
}

/** The fields of a store's schema that filters can name. */
export function filterFields(schema: Json | undefined, prefix = ""): FilterField[] {
  const properties = isObject(schema) && isObject(schema["properties"]) ? schema["properties"] : {};
  return Object.entries(properties).flatMap(([name, value]) => {
    const inner = isObject(value) && value["type"] === "array" ? value["items"] : value;
    if (!isObject(inner)) return [];
    if (isObject(inner["properties"])) return filterFields(inner, `${prefix}${name}.`);
    return [{ name: prefix + name, isNumber: inner["type"] === "number" || inner["type"] === "integer" }];
  });
}

/** One condition more, joined by AND. */
export function withCondition(filter: string, field: FilterField, operator: string, value: string): string {
  const condition =
    field.isNumber && value.trim() !== "" && Number.isFinite(Number(value))
      ? `${field.name} ${operator} ${value.trim()}`
      : `${field.name}: ANY(${JSON.stringify(value)})`;
  return filter.trim() ? `${filter.trim()} AND ${condition}` : condition;
}

/** A condition from a field and a value, for those who do not know how filters are written. */
export function FilterHelp({
  store,
  filter,
  onChange,
}: {
  store: string;
  filter: string;
  onChange: (filter: string) => void;
}): ReactNode {
  const schema = useRpc(deApi.getSchema, { name: `${store}/schemas/default_schema` });
  const fields = filterFields(schema.data?.structSchema as Json | undefined);
  const [name, setName] = useState("");
  const [operator, setOperator] = useState("=");
  const [value, setValue] = useState("");
  const field = fields.find((each) => each.name === name) ?? fields[0];
  if (!field) return schema.data && <p className="small faint">{t("The documents have no fields to filter by.")}</p>;
  return (
    <div className="row wrap filter-help">
      <SelectField
        label={t("Field")}
        value={field.name}
        onChange={setName}
        options={fields.map((each) => ({ value: each.name, label: each.name }))}
      />
      {field.isNumber && (
        <SelectField
          label={t("Comparison")}
          value={operator}
          onChange={setOperator}
          options={["=", ">=", "<=", ">", "<"].map((each) => ({ value: each, label: each }))}
        />
      )}
      <TextField label={t("Value")} value={value} onChange={setValue} />
      <Button disabled={!value.trim()} onClick={() => onChange(withCondition(filter, field, operator, value))}>
        {t("Add to the filter")}
      </Button>
    </div>
  );
}
