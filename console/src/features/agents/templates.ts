import { call } from "../../api/call";
import { cxApi } from "../../api/generated/methods";
import type { cx } from "../../api/generated/types";

export interface Template {
  id: string;
  title: string;
  about: string;
  goal: string;
  steps: string[];
  tools: cx.Tool[];
  /** Talked through, so that the offline model has something to plan from. */
  examples: { displayName: string; lines: (["user" | "agent", string] | ["call", string, object, object])[] }[];
}

const CALLBACK: cx.Tool = {
  displayName: "request_callback",
  description: "Asks a person of the team to call the user back.",
  functionSpec: {
    inputSchema: {
      type: "object",
      required: ["phone", "topic"],
      properties: {
        phone: { type: "string", description: "Phone number of the user" },
        topic: { type: "string", description: "What it is about" },
      },
    },
    outputSchema: { type: "object", required: ["ticket"], properties: { ticket: { type: "string" } } },
  },
};

const WEATHER: cx.Tool = {
  displayName: "weather",
  description: "The weather of a place.",
  openApiSpec: {
    textSchema: `openapi: 3.0.0
info: {title: Weather, version: 1.0.0}
servers:
  - url: https://api.example.com
paths:
  /weather:
    get:
      summary: Weather of a place
      operationId: getWeather
      parameters:
        - {name: place, in: query, required: true, description: Name of a town, schema: {type: string}}
      responses:
        200: {description: The weather}
`,
  },
};

export const TEMPLATES: Template[] = [
  {
    id: "desk",
    title: "Support desk",
    about: "Answers, and asks a person to call back. The call runs in your own program.",
    goal: "Help users of a shop, and arrange a call back where that is not enough.",
    steps: [
      "Greet the user once and say what you can do.",
      "Use ${TOOL: request_callback} when the user wants to be called. Ask for the phone number and the topic.",
      "Say the number of the ticket.",
    ],
    tools: [CALLBACK],
    examples: [
      {
        displayName: "Call back",
        lines: [
          ["user", "please call me at 555-0100 about my order"],
          ["call", "request_callback", { phone: "555-0100", topic: "my order" }, { ticket: "T-12" }],
          ["agent", "Done. A colleague will call you, the ticket is T-12."],
        ],
      },
    ],
  },
  {
    id: "api",
    title: "Front of an API",
    about: "Looks things up in a service, by its OpenAPI description.",
    goal: "Tell users the weather of a place.",
    steps: ["Use ${TOOL: weather} for the weather of a place. Ask for the place if it is missing."],
    tools: [WEATHER],
    examples: [
      {
        displayName: "Weather of a town",
        lines: [
          ["user", "how is the weather in Bern?"],
          ["call", "getWeather", { place: "Bern" }, { 200: { summary: "sunny", celsius: 21 } }],
          ["agent", "In Bern it is sunny, with 21 degrees."],
        ],
      },
    ],
  },
  {
    id: "faq",
    title: "Questions and answers",
    about: "Answers from what its instructions say; add a data store for documents.",
    goal: "Answer questions about opening hours and delivery.",
    steps: [
      "The shop is open from 9 to 18 o'clock, Monday to Saturday.",
      "Delivery takes two days and is free from 50 euros on.",
    ],
    tools: [],
    examples: [
      {
        displayName: "Opening hours",
        lines: [
          ["user", "when are you open?"],
          ["agent", "We are open from 9 to 18 o'clock, Monday to Saturday."],
        ],
      },
      {
        displayName: "Delivery",
        lines: [
          ["user", "how long does delivery take?"],
          ["agent", "Delivery takes two days. It is free from 50 euros on."],
        ],
      },
    ],
  },
  {
    id: "blank",
    title: "Blank",
    about: "A goal, and nothing else.",
    goal: "Help the user.",
    steps: [],
    tools: [],
    examples: [],
  },
];

/** Creates an agent with everything of a template; returns its name. What fails half-way is taken back. */
export async function createFrom(template: Template, displayName: string, goal: string): Promise<string> {
  const created = await call(cxApi.createAgent, {
    parent: "projects/default/locations/global",
    agent: { displayName, defaultLanguageCode: "en", timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone },
  });
  const agent = created.name ?? "";
  try {
    const tools = new Map<string, string>();
    for (const tool of template.tools) {
      const made = await call(cxApi.createTool, { parent: agent, tool });
      tools.set(made.displayName ?? "", made.name ?? "");
    }
    const playbook = await call(cxApi.createPlaybook, {
      parent: agent,
      playbook: {
        displayName,
        goal,
        instruction: { steps: template.steps.map((text) => ({ text })) },
        referencedTools: [...tools.values()],
      },
    });
    await call(cxApi.updateAgent, {
      agent: { ...created, startPlaybook: playbook.name ?? "" },
      updateMask: "startPlaybook",
    });
    for (const { displayName: title, lines } of template.examples) {
      const actions = lines.map((line) => actionOf(line, [...tools.values()][0] ?? ""));
      await call(cxApi.createExample, {
        parent: playbook.name ?? "",
        example: { displayName: title, languageCode: "en", conversationState: "OUTPUT_STATE_OK", actions },
      });
    }
  } catch (error) {
    await call(cxApi.deleteAgent, { name: agent });
    throw error;
  }
  return agent;
}

function actionOf(line: Template["examples"][number]["lines"][number], tool: string): cx.Action {
  if (line[0] === "user") return { userUtterance: { text: line[1] } };
  if (line[0] === "agent") return { agentUtterance: { text: line[1] } };
  return {
    toolUse: {
      tool,
      action: line[1],
      inputActionParameters: line[2] as Record<string, never>,
      outputActionParameters: line[3] as Record<string, never>,
    },
  };
}
