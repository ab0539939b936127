import { type ReactNode, useState } from "react";
import { cesApi, cxApi } from "../../api/generated/methods";
import type { op } from "../../api/generated/types";
import { isObject, type JsonObject } from "../../api/json";
import { address } from "../../api/method";
import { CopyButton, TextView } from "../../ui/code";
import { Tabs } from "../../ui/tabs";
import { t } from "../../words/words";
import { agentRequest, appRequest, isAppSession, type TurnInput } from "./inputs";

/** The turn as a program would start it. */
export function ApiCall({ session, turn }: { session: string; turn: op.Turn | undefined }): ReactNode {
  const [language, setLanguage] = useState("curl");
  const input: TurnInput = { language: turn?.languageCode || "en", text: turn?.text ?? "hello" };
  if (isObject(turn?.parametersSet) && Object.keys(turn.parametersSet).length) input.parameters = turn.parametersSet;
  if (turn?.results?.results?.length)
    input.results = turn.results.results.map(({ callId, tool, action, output, error }) => ({
      id: callId ?? "",
      tool: tool ?? "",
      action: action ?? "",
      ...(error ? { error } : { output: (output ?? {}) as JsonObject }),
    }));
  const isApp = isAppSession(session);
  const { url, body } = isApp
    ? address(cesApi.runSession as never, appRequest(session, input))
    : address(cxApi.detectIntent as never, agentRequest(session, input));
  const full = `${location.origin}${url}`;
  const json = JSON.stringify(isApp ? body : withoutSession(body as JsonObject), null, 2);
  const text = { curl: curl(full, json), python: python(full, json), node: node(full, json) }[language] ?? "";
  return (
    <div className="stack">
      <div className="row">
        <Tabs
          segmented
          label={t("Language of the program")}
          at={language}
          onChange={setLanguage}
          tabs={[
            { id: "curl", label: "curl" },
            { id: "python", label: "Python" },
            { id: "node", label: "Node" },
          ]}
        />
        <span className="grow" />
        <CopyButton text={text} label={t("Copy")} />
      </div>
      <TextView text={text} label={t("API call")} json />
    </div>
  );
}

function withoutSession({ session: _session, ...rest }: JsonObject): JsonObject {
  return rest;
}

function curl(url: string, body: string): string {
  return `curl -s '${url}' \\\n  -H 'Content-Type: application/json' \\\n  -d '${body.replaceAll("'", "'\\''")}'`;
}

function python(url: string, body: string): string {
  return `import json, urllib.request\n\nbody = json.loads(r'''${body}''')\nrequest = urllib.request.Request(\n    "${url}",\n    json.dumps(body).encode(),\n    {"Content-Type": "application/json"},\n)\nprint(json.load(urllib.request.urlopen(request)))`;
}

function node(url: string, body: string): string {
  return `const response = await fetch("${url}", {\n  method: "POST",\n  headers: { "Content-Type": "application/json" },\n  body: JSON.stringify(${body}),\n});\nconsole.log(await response.json());`;
}
