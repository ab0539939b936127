import { type ReactNode, useState } from "react";
import { Dialog } from "../ui/dialog";
import { CheckField } from "../ui/field";
import { t } from "../words/words";
import { setSingleKeys, singleKeysOn, useBindings } from "./keys";

export function KeysDialog({ onClose }: { onClose: () => void }): ReactNode {
  const bindings = useBindings();
  const [on, setOn] = useState(singleKeysOn());
  const known = new Set<string>();
  const first = bindings.filter(({ keys }) => !known.has(keys) && known.add(keys));
  return (
    <Dialog label={t("Keys")} onClose={onClose}>
      <div className="keys">
        {first.map(({ keys, what }) => (
          <div key={keys}>
            <span>{what}</span>
            <kbd>{keys}</kbd>
          </div>
        ))}
      </div>
      <div className="gap-top">
        <CheckField
          label={t("Single letters are keys")}
          hint={t("Off: only keys with Ctrl work.")}
          value={on}
          onChange={(next) => {
            setSingleKeys(next);
            setOn(next);
          }}
        />
      </div>
    </Dialog>
  );
}
