import { exchanged, type Connection, type Input, type PendingCall, type Reply } from "./protocol";
import { element, richContent } from "./rich-content";
import { STYLE } from "./style";

/** Runs a call of the agent in the page; what it returns is the call's output. */
export type ClientFunction = (input: Record<string, unknown>) => unknown;

const MOST_CALLS = 20;

/**
 * `<openplaybook-messenger server="https://…" agent="projects/…/agents/…">`: a chat for any page.
 *
 * It takes the attributes of `df-messenger` that are public (`project-id`, `location`, `agent-id`, `language-code`,
 * `session-id`, `intent`, `chat-title`), and its rich content. `session-token` lets it hold the conversation `session-id`
 * on a server that asks for keys; it may be replaced by a newer one at any time. Events: `df-request-sent`, `df-response-received`,
 * `openplaybook-tool-call` for calls without a registered function.
 */
export class OpenPlaybookMessenger extends HTMLElement {
  static observedAttributes = ["chat-title", "open"];

  private readonly functions = new Map<string, ClientFunction>();
  private readonly log = element("div", "log");
  private readonly field = document.createElement("input");
  private readonly title_ = element("b", "");
  private readonly panel = element("section", "panel");
  private parameters: Record<string, unknown> = {};
  private session = "";
  private begun = false;

  constructor() {
    super();
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheet];
    const form = document.createElement("form");
    form.append(this.field, this.button("Send", "send", "submit"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.say(this.field.value);
    });
    this.field.setAttribute("aria-label", "Message");
    this.field.autocomplete = "off";
    this.log.setAttribute("role", "log");
    this.log.setAttribute("aria-live", "polite");
    const head = element("header", "");
    const close = this.button("Close the chat", "close", "button");
    close.addEventListener("click", () => this.removeAttribute("open"));
    head.append(this.title_, close);
    this.panel.append(head, this.log, form);
    const bubble = this.button("Open the chat", "bubble", "button");
    bubble.addEventListener("click", () => this.toggleAttribute("open"));
    root.append(this.panel, bubble);
  }

  connectedCallback(): void {
    this.session = this.sessionName();
    this.attributeChangedCallback();
    if (this.hasAttribute("inline")) this.setAttribute("open", "");
  }

  attributeChangedCallback(): void {
    const title = this.getAttribute("chat-title") ?? "Chat";
    this.title_.textContent = title;
    this.panel.setAttribute("aria-label", title);
    this.panel.hidden = !this.hasAttribute("open");
    const intent = this.getAttribute("intent");
    if (this.hasAttribute("open") && intent && !this.begun && this.isConnected) {
      this.begun = true;
      void this.run({ event: intent });
    }
  }

  /** Runs calls of a function tool in this page. `tool` is its resource name, `action` the function's name. */
  registerClientSideFunction(tool: string, action: string, run: ClientFunction): void {
    this.functions.set(`${tool}#${action}`, run);
  }

  /** Session parameters, or variables of an app, that go along with the next message. */
  setQueryParameters(parameters: Record<string, unknown>): void {
    this.parameters = parameters;
  }

  /** Says something in the user's place. */
  async say(text: string): Promise<void> {
    const words = text.trim();
    if (!words) return;
    this.field.value = "";
    this.show(element("p", "user", words));
    await this.run({ text: words });
  }

  private async run(first: Input): Promise<void> {
    const waiting = this.show(element("p", "waiting", "…"));
    try {
      let input: Input | null = first;
      for (let n = 0; input && n < MOST_CALLS; n++) input = await this.step(input);
    } catch (error) {
      this.show(element("p", "error", error instanceof Error ? error.message : String(error)));
    } finally {
      waiting.remove();
    }
  }

  /** One request; returns the result of a call that the page ran, which goes next. */
  private async step(input: Input): Promise<Input | null> {
    this.emit("df-request-sent", { input });
    const reply = await exchanged(this.connection(), input, this.parameters);
    this.parameters = {};
    this.emit("df-response-received", { reply });
    this.showReply(reply);
    const call = reply.calls[0];
    if (!call) return null;
    const run = this.functions.get(`${call.tool}#${call.action}`);
    if (!run) {
      this.emit("openplaybook-tool-call", {
        call,
        answer: (output: Record<string, unknown>) => this.run({ result: call, output, error: "" }),
      });
      return null;
    }
    return { result: call, ...(await ran(run, call)) };
  }

  private showReply(reply: Reply): void {
    for (const text of reply.texts) this.show(element("p", "agent", text));
    for (const payload of reply.payloads) {
      const drawn = richContent(payload, { onSay: (text) => void this.say(text), html: sandboxed, image: picture });
      if (drawn) this.show(drawn);
    }
  }

  private show(node: HTMLElement): HTMLElement {
    this.log.append(node);
    this.log.scrollTop = this.log.scrollHeight;
    return node;
  }

  private emit(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  private connection(): Connection {
    return {
      server: (this.getAttribute("server") ?? "").replace(/\/$/, ""),
      session: this.session,
      key: this.getAttribute("api-key") ?? "",
      token: this.getAttribute("session-token") ?? "",
      language: this.getAttribute("language-code") ?? "en",
    };
  }

  private sessionName(): string {
    const id = this.getAttribute("session-id") ?? crypto.randomUUID();
    const project = this.getAttribute("project-id") ?? "";
    const location = this.getAttribute("location") ?? "global";
    const given =
      this.getAttribute("agent") ?? `projects/${project}/locations/${location}/agents/${this.getAttribute("agent-id")}`;
    return `${given}/sessions/${id}`;
  }

  private button(label: string, className: string, type: "button" | "submit"): HTMLButtonElement {
    const made = document.createElement("button");
    made.type = type;
    made.className = className;
    made.setAttribute("aria-label", label);
    return made;
  }
}

async function ran(
  run: ClientFunction,
  call: PendingCall,
): Promise<{ output: Record<string, unknown> | null; error: string }> {
  try {
    const output = await run(call.input);
    return { output: (output ?? {}) as Record<string, unknown>, error: "" };
  } catch (error) {
    return { output: null, error: error instanceof Error ? error.message : String(error) };
  }
}

/** HTML of an agent, in a frame that has no scripts, no origin and no way to the page. */
function sandboxed(html: string): HTMLElement {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-popups");
  frame.title = "HTML of the agent";
  frame.srcdoc = html;
  return frame;
}

function picture(url: string, text: string): HTMLElement {
  const image = document.createElement("img");
  image.src = url;
  image.alt = text;
  image.loading = "lazy";
  return image;
}

if (!customElements.get("openplaybook-messenger"))
  customElements.define("openplaybook-messenger", OpenPlaybookMessenger);
