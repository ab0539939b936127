/** Rich content of Dialogflow's messenger, drawn without a framework: the simulator and the messenger share it. */

type Item = Record<string, unknown>;

export interface RichOptions {
  /** A chip, button or list entry was chosen: its words are said. */
  onSay: (text: string) => void;
  /** Foreign HTML and pictures go where they can do no harm. */
  html: (html: string) => HTMLElement;
  image: (url: string, text: string) => HTMLElement;
}

/** The element of a payload `{richContent: [[…], …]}`; null where it has none. */
export function richContent(payload: unknown, options: RichOptions): HTMLElement | null {
  const groups = (payload as { richContent?: unknown }).richContent;
  if (!Array.isArray(groups)) return null;
  const box = element("div", "rich");
  for (const group of groups) {
    const card = element("div", "rich-card");
    const items = (Array.isArray(group) ? group : [group]) as Item[];
    for (const item of items) {
      const drawn = DRAW[String(item["type"])];
      card.append(drawn ? drawn(item, options) : unknown(item));
    }
    box.append(card);
  }
  return box;
}

type Draw = (item: Item, options: RichOptions) => HTMLElement;

const DRAW: Record<string, Draw | undefined> = {
  info: (item, options) => {
    const box = linked(item, "rich-info");
    const image = imageOf(item, options);
    if (image) box.append(image);
    box.append(titled(item));
    return box;
  },
  description: (item) => {
    const box = element("div", "rich-description");
    if (item["title"]) box.append(element("b", "", text(item["title"])));
    const lines = Array.isArray(item["text"]) ? item["text"] : [item["text"] ?? ""];
    for (const line of lines) box.append(element("p", "", text(line)));
    return box;
  },
  image: (item, options) => {
    const url = imageUrl(item["rawUrl"]);
    return url ? options.image(url, text(item["accessibilityText"])) : unknown(item);
  },
  button: (item, options) => sayOrOpen(item, options, "rich-button"),
  list: (item, options) => {
    const entry = sayOrOpen(item, options, "rich-list");
    entry.replaceChildren(titled(item));
    return entry;
  },
  divider: () => element("hr", ""),
  accordion: (item, options) => {
    const box = document.createElement("details");
    box.className = "rich-accordion";
    const head = element("summary", "", text(item["title"]));
    if (item["subtitle"]) head.append(element("small", "", text(item["subtitle"])));
    box.append(head);
    const image = imageOf(item, options);
    if (image) box.append(image);
    if (item["text"]) box.append(element("p", "", text(item["text"])));
    return box;
  },
  chips: (item, options) => {
    const box = element("div", "rich-chips");
    for (const chip of (Array.isArray(item["options"]) ? item["options"] : []) as Item[])
      box.append(sayOrOpen(chip, options, "rich-chip"));
    return box;
  },
  html: (item, options) => options.html(text(item["html"])),
};

function unknown(item: Item): HTMLElement {
  return element("pre", "rich-unknown", JSON.stringify(item, null, 2));
}

/** A link where it has one; else a button that says its words. */
function sayOrOpen(item: Item, options: RichOptions, className: string): HTMLElement {
  const label = text(item["text"] ?? item["title"]);
  const anchor = (item["anchor"] as Item | undefined)?.["href"];
  const url = safeUrl(item["link"] ?? anchor ?? item["actionLink"]);
  if (url) return link(url, className, label);
  const button = document.createElement("button");
  button.type = "button";
  button.className = className;
  button.textContent = label;
  button.addEventListener("click", () => options.onSay(label));
  return button;
}

function linked(item: Item, className: string): HTMLElement {
  const anchor = (item["anchor"] as Item | undefined)?.["href"];
  const url = safeUrl(item["actionLink"] ?? anchor);
  return url ? link(url, className, "") : element("div", className);
}

function link(url: string, className: string, label: string): HTMLElement {
  const found = document.createElement("a");
  found.href = url;
  found.target = "_blank";
  found.rel = "noopener noreferrer";
  found.className = className;
  found.textContent = label;
  return found;
}

function titled(item: Item): HTMLElement {
  const box = element("span", "rich-titles");
  box.append(element("b", "", text(item["title"])));
  if (item["subtitle"]) box.append(element("small", "", text(item["subtitle"])));
  return box;
}

function imageOf(item: Item, options: RichOptions): HTMLElement | null {
  const image = item["image"] as Item | undefined;
  const source = (image?.["src"] as Item | undefined)?.["rawUrl"] ?? image?.["rawUrl"];
  const url = imageUrl(source);
  return url ? options.image(url, text(image?.["accessibilityText"])) : null;
}

/** An address that a link may have: no `javascript:`, no `data:`. */
export function safeUrl(value: unknown): string {
  if (typeof value !== "string" || !value) return "";
  try {
    const url = new URL(value, location.href);
    return /^(https?|mailto|tel):$/.test(url.protocol) ? url.href : "";
  } catch {
    return "";
  }
}

/** An address that a picture may have: also the picture itself. */
function imageUrl(value: unknown): string {
  return typeof value === "string" && /^data:image\/(png|jpeg|gif|webp);base64,/.test(value) ? value : safeUrl(value);
}

function text(value: unknown): string {
  return typeof value === "string" ? value : value === undefined || value === null ? "" : String(value);
}

export function element(name: string, className: string, content = ""): HTMLElement {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (content) made.textContent = content;
  return made;
}
