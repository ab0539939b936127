import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { call } from "../../api/call";
import { cxApi } from "../../api/generated/methods";
import type { cx } from "../../api/generated/types";
import { Loaded, Tag } from "../../ui/states";
import { t } from "../../words/words";

/** What the server finds in the agent as it is stored. */
export function Validation({ agent }: { agent: string }): ReactNode {
  const query = useQuery({
    queryKey: ["validation", agent],
    queryFn: ({ signal }) => call(cxApi.validateAgent, { name: agent }, { signal }),
  });
  return (
    <section className="gap-top">
      <h2>{t("Findings")}</h2>
      <Loaded query={query}>{(data) => <Findings messages={messagesOf(data)} />}</Loaded>
    </section>
  );
}

function messagesOf(result: cx.AgentValidationResult): cx.ValidationMessage[] {
  return (result.flowValidationResults ?? []).flatMap(({ validationMessages }) => validationMessages ?? []);
}

function Findings({ messages }: { messages: cx.ValidationMessage[] }): ReactNode {
  if (!messages.length) return <p className="muted">{t("None: everything that is stored can run.")}</p>;
  return (
    <table>
      <tbody>
        {messages.slice(0, 200).map((message, index) => (
          <tr key={index}>
            <td>
              <Tag tone={message.severity === "ERROR" ? "bad" : "retrieval"}>{message.severity}</Tag>
            </td>
            <td>
              {message.detail}
              <div className="small faint">
                {message.resourceNames?.map(({ displayName }) => displayName).join(", ")}
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
