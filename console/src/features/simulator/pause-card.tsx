import { IconPlayerPause } from "@tabler/icons-react";
import { type ReactNode, useMemo, useState } from "react";
import { cesApi, cxApi } from "../../api/generated/methods";
import type { op } from "../../api/generated/types";
import { asJson, isObject, type JsonObject } from "../../api/json";
import { useRpc } from "../../api/query";
import { SchemaForm, useForm } from "../../schema-form/schema-form";
import type { Schema } from "../../schema-form/schema";
import { starting } from "../../schema-form/schema";
import { plainSchema } from "../../schema-form/ces-schema";
import { Button } from "../../ui/button";
import { TextField } from "../../ui/field";
import { t } from "../../words/words";
import { short } from "./steps";
import { type ClientResult, isAppSession } from "./inputs";

const ANY_OBJECT: Schema = { type: "object" };

/** You are the client: a form for each open call, from its output schema. They are sent together. */
export function PauseCard(props: {
  calls: op.Turn_OpenCall[];
  session: string;
  onAnswer: (results: ClientResult[]) => void;
}): ReactNode {
  const [answers, setAnswers] = useState<Record<string, ClientResult>>({});
  function answer(result: ClientResult): void {
    const next = { ...answers, [result.id]: result };
    if (isAppSession(props.session) && props.calls.some(({ id }) => !next[id ?? ""])) setAnswers(next);
    else props.onAnswer(Object.values(next));
  }
  return (
    <div onClick={(event) => event.stopPropagation()}>
      {props.calls.map((call) =>
        answers[call.id ?? ""] ? (
          <p key={call.id} className="small faint">
            {t("{action} is answered; it goes with the others.", { action: call.action ?? "" })}
          </p>
        ) : (
          <OpenCall key={call.id} call={call} onAnswer={answer} />
        ),
      )}
    </div>
  );
}

function OpenCall({ call, onAnswer }: { call: op.Turn_OpenCall; onAnswer: (result: ClientResult) => void }): ReactNode {
  const schema = useOutputSchema(call.tool ?? "");
  return schema ? <OpenCallForm call={call} schema={schema} onAnswer={onAnswer} /> : null;
}

/** The output schema of a tool; any object where it has none. Undefined until it is known. */
function useOutputSchema(tool: string): Schema | undefined {
  const isApp = tool.includes("/apps/");
  const agentTool = useRpc(cxApi.getTool, isApp || !tool ? null : { name: tool });
  const appTool = useRpc(cesApi.getTool, isApp && tool.includes("/tools/") ? { name: tool } : null);
  return useMemo(() => {
    if (agentTool.error || appTool.error || (isApp && !tool.includes("/tools/"))) return ANY_OBJECT;
    if (agentTool.data) return (agentTool.data.functionSpec?.outputSchema as Schema | undefined) ?? ANY_OBJECT;
    if (!appTool.data) return undefined;
    const response = appTool.data.clientFunction?.response;
    return response ? plainSchema(asJson(response)) : ANY_OBJECT;
  }, [agentTool.data, agentTool.error, appTool.data, appTool.error, isApp, tool]);
}

function OpenCallForm(props: {
  call: op.Turn_OpenCall;
  schema: Schema;
  onAnswer: (result: ClientResult) => void;
}): ReactNode {
  const { call, schema } = props;
  const first = useMemo(() => {
    const value = starting(schema, schema);
    return isObject(value) ? value : {};
  }, [schema]);
  const form = useForm(schema, first);
  const [touched, setTouched] = useState(false);
  const [failing, setFailing] = useState(false);
  const [error, setError] = useState("");
  const about = { id: call.id ?? "", tool: call.tool ?? "", action: call.action ?? "" };
  function give(): void {
    setTouched(true);
    if (failing) props.onAnswer({ ...about, error: error || t("The client could not do it.") });
    else if (!form.problems.size && form.broken === null) props.onAnswer({ ...about, output: form.value });
  }
  return (
    <form
      className="ask"
      aria-label={t("Answer for {action}", { action: call.action ?? "" })}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        give();
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) give();
      }}
    >
      <header>
        <IconPlayerPause size={16} aria-hidden="true" />
        <span>
          {t("You are the client for")} <code>{call.action}</code>
        </span>
        <code className="clip faint">{short(call.arguments as JsonObject)}</code>
      </header>
      <div className="ask-body">
        {failing ? (
          <TextField label={t("What went wrong")} value={error} onChange={setError} autoFocus />
        ) : (
          <SchemaForm schema={schema} form={form} touched={touched} label={t("Output")} />
        )}
      </div>
      <footer>
        <Button kind="primary" type="submit">
          {failing ? t("Answer with this error") : t("Give this answer")}
        </Button>
        <Button kind="quiet" onClick={() => setFailing(!failing)}>
          {failing ? t("Back to the form") : t("Error…")}
        </Button>
      </footer>
    </form>
  );
}
