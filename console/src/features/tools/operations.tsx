import { type ReactNode, useRef, useState } from "react";
import { Virtualizer } from "virtua";
import { Button } from "../../ui/button";
import { Empty } from "../../ui/states";
import { count, t } from "../../words/words";
import { matching } from "./action-select";
import type { ToolTabProps } from "./tool-tabs";

/** What the description offers to the model, windowed: it may be thousands. */
export function Operations({ actions, onTest }: ToolTabProps): ReactNode {
  const [filter, setFilter] = useState("");
  const box = useRef<HTMLDivElement>(null);
  const shown = matching(actions, filter);
  if (!actions.length)
    return (
      <Empty title={t("No operations yet")}>
        <p>{t("Save a description with at least one operation.")}</p>
      </Empty>
    );
  return (
    <div className="openapi">
      <div className="bar-top">
        <input
          className="input"
          type="search"
          aria-label={t("Filter the operations")}
          placeholder={t("Filter")}
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
        <span className="small faint num">{count(shown.length, "{n} operation", "{n} operations")}</span>
      </div>
      <div ref={box} className="grow" style={{ overflow: "auto" }} role="list" aria-label={t("Operations")}>
        <Virtualizer scrollRef={box}>
          {shown.map((action) => (
            <div className="operation" role="listitem" key={action.name}>
              <code className="clip">{action.name}</code>
              <span className="muted clip">{action.title || action.description}</span>
              <span className="row">
                <Button small onClick={() => onTest(action.name)} aria-label={t("Test {name}", { name: action.name })}>
                  {t("Try")}
                </Button>
              </span>
            </div>
          ))}
        </Virtualizer>
      </div>
    </div>
  );
}
