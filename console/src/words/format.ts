import { t } from "./words";

export function duration(ms: number): string {
  if (!ms) return "";
  if (ms < 1) return `${ms.toFixed(1)} ms`;
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

export function bytes(n: number): string {
  if (n < 1000) return `${n} B`;
  return n < 1e6 ? `${(n / 1000).toFixed(1)} kB` : `${(n / 1e6).toFixed(1)} MB`;
}

/** A moment: relative within a day, else a date. */
export function ago(time: string | undefined, now = Date.now()): string {
  if (!time) return "";
  const seconds = Math.max(0, (now - Date.parse(time)) / 1000);
  const relative = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "auto" });
  if (seconds < 60) return t("just now");
  if (seconds < 3600) return relative.format(-Math.round(seconds / 60), "minute");
  if (seconds < 86_400) return relative.format(-Math.round(seconds / 3600), "hour");
  return new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium" }).format(Date.parse(time));
}

export function exact(time: string | undefined): string {
  if (!time) return "";
  return new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "medium" }).format(
    Date.parse(time),
  );
}
