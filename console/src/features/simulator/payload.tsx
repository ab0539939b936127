import { type ReactNode, useEffect, useRef } from "react";
import type { JsonObject } from "../../api/json";
import { isObject } from "../../api/json";
import { element, richContent } from "../../messenger/rich-content";
import { JsonView } from "../../ui/code";
import { t } from "../../words/words";

/** What an agent says besides words: rich content as the messenger shows it, anything else as it is. */
export function Payload({ message, onChip }: { message: JsonObject; onChip: (text: string) => void }): ReactNode {
  const payload = message["payload"];
  if (isObject(payload) && Array.isArray(payload["richContent"])) return <Rich payload={payload} onChip={onChip} />;
  if (message["endInteraction"]) return <p className="small faint">{t("The conversation ends here.")}</p>;
  if (message["toolCall"] || message["text"]) return null;
  const what = message["liveAgentHandoff"] ? t("Hands over to a person") : t("Payload");
  return (
    <div className="block">
      <h3>{what}</h3>
      <JsonView value={message} label={what} />
    </div>
  );
}

function Rich({ payload, onChip }: { payload: JsonObject; onChip: (text: string) => void }): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const say = useRef(onChip);
  say.current = onChip;
  useEffect(() => {
    const drawn = richContent(payload, { onSay: (text) => say.current(text), html: framed, image: imageByConsent });
    if (drawn) box.current?.replaceChildren(drawn);
  }, [payload]);
  return <div ref={box} onClick={(event) => event.stopPropagation()} />;
}

/** HTML of an agent: cleaned, then shown in a frame in which no script runs. */
function framed(html: string): HTMLElement {
  return frame(async (document) => {
    const { default: purify } = await import("dompurify");
    const clean = purify.sanitize(html, { RETURN_DOM_FRAGMENT: true, FORBID_TAGS: ["form", "input", "style"] });
    document.body.replaceChildren(document.importNode(clean, true));
  }, t("HTML of the agent"));
}

/** A picture tells its server who looks: it is fetched after a click, unless everything is on this machine. */
function imageByConsent(url: string, text: string): HTMLElement {
  const label = text || t("Picture");
  const draw = (): HTMLElement =>
    frame((document) => {
      const image = document.createElement("img");
      image.src = url;
      image.alt = label;
      image.style.maxWidth = "100%";
      document.body.replaceChildren(image);
    }, label);
  if (url.startsWith("data:")) {
    const image = document.createElement("img");
    image.src = url;
    image.alt = label;
    image.className = "rich-image";
    return image;
  }
  if (["localhost", "127.0.0.1"].includes(new URL(url).hostname)) return draw();
  const button = element("button", "btn s", t("Show the picture from {host}", { host: new URL(url).hostname }));
  (button as HTMLButtonElement).type = "button";
  button.addEventListener("click", () => button.replaceWith(draw()));
  return button;
}

function frame(fill: (document: Document) => void | Promise<void>, title: string): HTMLElement {
  const made = document.createElement("iframe");
  made.className = "rich-frame";
  made.title = title;
  made.setAttribute("sandbox", "allow-same-origin allow-popups allow-popups-to-escape-sandbox");
  made.src = "/console/frame";
  made.addEventListener("load", () => {
    if (made.contentDocument) void fill(made.contentDocument);
  });
  return made;
}
