import { IconPlus } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { call } from "../../api/call";
import { sentence } from "../../api/errors";
import { cesApi } from "../../api/generated/methods";
import type { ces } from "../../api/generated/types";
import { forget, useRpc } from "../../api/query";
import type { ViewProps } from "../../routes";
import { useCrumbs } from "../../shell/crumbs";
import { useCurrent } from "../../shell/current-agent";
import { Button } from "../../ui/button";
import { JsonView } from "../../ui/code";
import { CheckField, TextField } from "../../ui/field";
import { Empty, Loaded, Tag } from "../../ui/states";
import { say, useDoomed } from "../../ui/toast";
import { t } from "../../words/words";
import { GuardrailForm } from "./guardrail-form";

/** What the app refuses to hear and to say, and a sentence to try on its phrases. */
export function AppGuardrails({ name }: ViewProps): ReactNode {
  const whole = useCurrent();
  useCrumbs({ label: whole?.title ?? "", href: `/${name}` }, { label: t("Guardrails") });
  const guardrails = useRpc(cesApi.listGuardrails, { parent: name, pageSize: 200 });
  const [edited, setEdited] = useState<ces.Guardrail | null>(null);
  const [sentenceTried, setTried] = useState("");
  const doomed = useDoomed();
  const shown = (all: ces.Guardrail[] = []): ces.Guardrail[] => all.filter((each) => !doomed.has(each.name ?? ""));
  return (
    <div className="page">
      <header className="page-head">
        <div className="grow">
          <h1>{t("Guardrails")}</h1>
          <p>
            {t(
              "Checked on what users say before the first decision, and on what the model says before anybody sees it.",
            )}
          </p>
        </div>
        <Button kind="primary" icon={<IconPlus size={15} />} onClick={() => setEdited({ enabled: true })}>
          {t("New guardrail")}
        </Button>
      </header>
      <TextField
        label={t("Try a sentence")}
        value={sentenceTried}
        onChange={setTried}
        hint={t("Shows which banned phrases it contains. Rules that a model judges need a conversation.")}
      />
      <Loaded query={guardrails}>
        {(data) =>
          shown(data.guardrails).length ? (
            <ul className="stack gap-top">
              {shown(data.guardrails).map((guardrail) => (
                <Guardrail
                  key={guardrail.name}
                  guardrail={guardrail}
                  tried={sentenceTried}
                  onEdit={() => setEdited(guardrail)}
                />
              ))}
            </ul>
          ) : (
            <Empty title={t("No guardrails yet")} />
          )
        }
      </Loaded>
      {edited && <GuardrailForm app={name} stored={edited} onClose={() => setEdited(null)} />}
    </div>
  );
}

function Guardrail({
  guardrail,
  tried,
  onEdit,
}: {
  guardrail: ces.Guardrail;
  tried: string;
  onEdit: () => void;
}): ReactNode {
  const filter = guardrail.contentFilter;
  const phrases = [
    ...(filter?.bannedContents ?? []),
    ...(filter?.bannedContentsInUserInput ?? []),
    ...(filter?.bannedContentsInAgentResponse ?? []),
  ];
  const hits = tried ? phrases.filter((phrase) => tried.toLowerCase().includes(phrase.toLowerCase())) : [];
  async function toggle(enabled: boolean): Promise<void> {
    try {
      await call(cesApi.updateGuardrail, { guardrail: { name: guardrail.name ?? "", enabled }, updateMask: "enabled" });
      forget(cesApi.listGuardrails);
    } catch (error) {
      say(sentence(error));
    }
  }
  return (
    <li className="card pad">
      <div className="row wrap">
        <b className="grow">{guardrail.displayName}</b>
        {hits.map((hit) => (
          <Tag key={hit} tone="bad">
            {hit}
          </Tag>
        ))}
        {tried && phrases.length > 0 && !hits.length && <Tag tone="good">{t("lets it pass")}</Tag>}
        <Button small onClick={onEdit} aria-label={t("Edit {name}", { name: guardrail.displayName ?? "" })}>
          {t("Edit")}
        </Button>
        <CheckField label={t("on")} value={guardrail.enabled ?? false} onChange={(next) => void toggle(next)} />
      </div>
      <p className="muted">{guardrail.description}</p>
      <details>
        <summary className="small muted">{t("How it is set")}</summary>
        <JsonView value={guardrail} label={guardrail.displayName ?? ""} />
      </details>
    </li>
  );
}
