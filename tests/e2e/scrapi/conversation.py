"""What users of dfcx-scrapi write: an agent with two tools, a playbook and an example, and a conversation with it and
its history.

Run in a process of its own, where the environment leads `*.googleapis.com` to the server; prints what it saw as JSON.
Nothing of dfcx-scrapi is patched. IPython, which it imports without requiring it, is stood in for on the path.
"""

import json
import sys

from dfcx_scrapi.core.agents import Agents
from dfcx_scrapi.core.conversation_history import ConversationHistory
from dfcx_scrapi.core.examples import Examples
from dfcx_scrapi.core.playbooks import Playbooks
from dfcx_scrapi.core.sessions import Sessions
from dfcx_scrapi.core.tools import Tools
from google.cloud.dialogflowcx_v3beta1 import types as cx


def main(schema: str) -> None:
    """Hold the conversation; `schema` is the OpenAPI text of the pets API."""
    agent = Agents().create_agent("p", "Scrapi", gcp_region="us-central1")
    tools = Tools()
    pets = tools.create_tool(agent.name, tools.build_open_api_tool("Pets", schema, "The pets."))
    weather = cx.Tool(display_name="get-weather-tool", description="The weather.", function_spec={})
    tools.create_tool(agent.name, weather)

    playbooks = Playbooks(agent_id=agent.name)
    steps = ["Look pets up with ${TOOL: Pets}.", "For the weather use ${TOOL: get-weather-tool}."]
    playbook = playbooks.create_playbook(agent.name, display_name="Desk", goal="Help.", instruction=steps)
    playbooks.set_default_playbook(playbook.name)

    examples = Examples(agent_id=agent.name)
    actions = [cx.Action(user_utterance={"text": "hi"}), cx.Action(agent_utterance={"text": "Hello."})]
    example = cx.Example(display_name="Greeting", actions=actions, conversation_state=1)
    examples.create_example(playbook.name, example)

    sessions = Sessions(agent_id=agent.name)
    session = sessions.build_session_id(agent.name)
    answered = sessions.detect_intent(agent.name, session, "pet 3")
    paused = sessions.detect_intent(agent.name, session, "weather in Oslo?")
    seen = {
        "said": answered.response_messages[0].text.text[0],
        "tools": sorted(tools.get_tools_map(agent.name).values()),
        "referenced": pets.name in playbooks.get_playbook(playbook.name).referenced_tools,
        "examples": sorted(examples.get_examples_map(playbook.name).values()),
        "responses": sessions.collect_tool_responses(answered),
        "asked": dict(paused.response_messages[0].tool_call.input_parameters),
    }
    history = ConversationHistory(agent_id=agent.name)
    [listed] = history.list_conversations(agent.name)
    seen["history"] = history.process_single_conversation(history.get_conversation(listed.name))["turns"]
    json.dump(seen, sys.stdout)


if __name__ == "__main__":
    main(sys.stdin.read())
