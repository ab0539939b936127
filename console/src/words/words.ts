import { useSyncExternalStore } from "react";

/** Languages of the console itself; what agents say is never translated. */
export const LANGUAGES = { en: "English", de: "Deutsch", ko: "한국어", pt: "Português" } as const;
export type Language = keyof typeof LANGUAGES;
type Catalogue = Readonly<Record<string, string>>;
export type Values = Readonly<Record<string, string | number>>;

const KEPT = "openplaybook.language";
const CATALOGUES: Record<Exclude<Language, "en">, () => Promise<{ default: Catalogue }>> = {
  de: () => import("./de.json"),
  ko: () => import("./ko.json"),
  pt: () => import("./pt.json"),
};
let language: Language = "en";
let catalogue: Catalogue = {};
const listeners = new Set<() => void>();

/** The text in the reader's language; the English text is its key. `{name}` is filled in from the values. */
export function t(text: string, values?: Values): string {
  const translated = catalogue[text] ?? text;
  return values ? translated.replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all)) : translated;
}

/** One of two texts by a number, which is `{n}` in both. */
export function count(n: number, one: string, other: string): string {
  const form = new Intl.PluralRules(language).select(n) === "one" ? one : other;
  return t(form, { n: new Intl.NumberFormat(language).format(n) });
}

export async function setLanguage(next: Language): Promise<void> {
  catalogue = next === "en" ? {} : (await CATALOGUES[next]()).default;
  language = next;
  document.documentElement.lang = next;
  localStorage.setItem(KEPT, next);
  for (const listener of listeners) listener();
}

/** The language that was chosen, else the browser's, else English. */
export async function startLanguage(): Promise<void> {
  const wanted = [localStorage.getItem(KEPT), ...navigator.languages].map((tag) => tag?.slice(0, 2) ?? "");
  await setLanguage((wanted.find((tag) => tag in LANGUAGES) as Language | undefined) ?? "en");
}

export function useLanguage(): Language {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => language,
  );
}
