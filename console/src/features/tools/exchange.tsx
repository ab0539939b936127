import type { ReactNode } from "react";
import type { op } from "../../api/generated/types";
import { CopyButton, TextView } from "../../ui/code";
import { Tag } from "../../ui/states";
import { duration } from "../../words/format";
import { t } from "../../words/words";

/** One request as it was sent, with secrets masked, and what came back. */
export function Exchange({ exchange }: { exchange: op.Exchange }): ReactNode {
  const ms = Number((exchange.elapsed ?? "0s").replace("s", "")) * 1000;
  const status = exchange.status ?? 0;
  const request = [
    `${exchange.method} ${exchange.url}`,
    ...headersOf(exchange.requestHeaders),
    ...(exchange.requestBody ? ["", formatted(exchange.requestBody)] : []),
  ].join("\n");
  const response = [...headersOf(exchange.responseHeaders), "", formatted(exchange.responseBody ?? "")].join("\n");
  return (
    <>
      <div className="block">
        <h3 className="row">
          <span className="grow">{t("Request as sent")}</span>
          <CopyButton text={curlOf(exchange)} label={t("Copy as curl")} />
        </h3>
        <TextView text={request} label={t("Request as sent")} json />
      </div>
      <div className="block">
        <h3 className="row">
          <span>{t("Response")}</span>
          {status > 0 && <Tag tone={status < 400 ? "good" : "bad"}>{status}</Tag>}
          <span className="faint num">{duration(ms)}</span>
          {(exchange.attempts ?? 1) > 1 && (
            <span className="faint">{t("{n} attempts", { n: exchange.attempts ?? 1 })}</span>
          )}
        </h3>
        {exchange.error ? (
          <p className="note bad">{exchange.error}</p>
        ) : (
          <TextView text={response.trim()} label={t("Response")} json />
        )}
      </div>
    </>
  );
}

function headersOf(headers: { [name: string]: string } | undefined): string[] {
  return Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`);
}

function formatted(text: string): string {
  if (text.length > 200_000) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

export function curlOf(exchange: op.Exchange): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  return [
    `curl -X ${exchange.method} ${quoted(exchange.url ?? "")}`,
    ...Object.entries(exchange.requestHeaders ?? {}).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(exchange.requestBody ? [`-d ${quoted(exchange.requestBody)}`] : []),
  ].join(" \\\n  ");
}
