import { type ReactNode, useState } from "react";
import { SelectField, TextField } from "../../ui/field";
import { t } from "../../words/words";
import type { ActionName } from "./actions";

/** Of more actions than these, a filter comes before the select, which shows as many. */
const MOST = 100;

/** Chooses one action of a tool; a tool may have thousands. */
export function ActionSelect({
  actions,
  chosen,
  onChange,
}: {
  actions: ActionName[];
  chosen: ActionName | undefined;
  onChange: (name: string) => void;
}): ReactNode {
  const [filter, setFilter] = useState("");
  const found = matching(actions, filter);
  const shown = found.slice(0, MOST);
  if (chosen && !shown.includes(chosen)) shown.unshift(chosen);
  return (
    <>
      {actions.length > MOST && (
        <TextField
          label={t("Filter the actions")}
          type="search"
          value={filter}
          onChange={setFilter}
          hint={t("{shown} of {all} actions", { shown: Math.min(MOST, found.length), all: actions.length })}
        />
      )}
      <SelectField
        label={t("Action")}
        value={chosen?.name ?? ""}
        onChange={onChange}
        options={shown.map(({ name, title }) => ({
          value: name,
          label: title && title !== name ? `${name}: ${title}` : name,
        }))}
      />
    </>
  );
}

/** Actions with all words of a filter in their name, path or description. */
export function matching(actions: ActionName[], filter: string): ActionName[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return actions;
  return actions.filter(({ name, title, description }) => {
    const text = `${name} ${title} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
