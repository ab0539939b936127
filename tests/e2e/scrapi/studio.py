"""What users of cxas-scrapi write: an app with tools and agents, conversations with it, and its evaluations from YAML.

Run in a process of its own, whose environment leads to the server; prints what it saw as JSON on its last line.
Nothing of cxas-scrapi is patched.
"""

import json
import sys
from pathlib import Path

from cxas_scrapi.core.agents import Agents
from cxas_scrapi.core.apps import Apps
from cxas_scrapi.core.conversation_history import ConversationHistory
from cxas_scrapi.core.guardrails import Guardrails
from cxas_scrapi.core.sessions import Sessions
from cxas_scrapi.core.tools import Tools
from cxas_scrapi.core.variables import Variables
from cxas_scrapi.core.versions import Versions
from cxas_scrapi.evals.tool_evals import ToolEvals
from cxas_scrapi.evals.turn_evals import TurnEvals
from google.cloud.ces_v1beta import types as ces
from pandas import DataFrame

TALLY = '''
def tally(step: int) -> dict:
    """Counts what was ordered."""
    context.state["ordered"] = context.state["ordered"] + step
    return {"ordered": context.state["ordered"], "agent": "desk"}
'''

WEATHER = {
    "name": "get_weather",
    "description": "Tells the weather.",
    "parameters": {"type": "OBJECT", "properties": {"city": {"type": "STRING"}}},
}

TOOL_TESTS = """
tests:
  - name: counts
    tool: tally
    args: {step: 2}
    variables: {ordered: 5}
    expectations:
      response: [{path: $.ordered, operator: equals, value: 7}]
      variables: [{path: $.ordered, operator: equals, value: 7}]
  - name: counts from the beginning
    tool: tally
    args: {step: 1}
    variables: [ordered]
    expectations: {response: [{path: $.ordered, operator: equals, value: 4}]}
  - name: counts in a context
    tool: tally
    args: {step: 1}
    context: {state: {ordered: 1}}
    expectations: {response: [{path: $.ordered, operator: less_than, value: 3}]}
  - name: finds a pet
    tool: pets_getPet
    args: {petId: 3}
    expectations: {response: [{path: '$..name', operator: equals, value: Luna}]}
  - name: is wrong about a pet
    tool: pets_getPet
    args: {petId: 3}
    expectations: {response: [{path: '$..name', operator: equals, value: Bella}]}
"""

TURN_TESTS = """
conversations:
  - conversation: greets
    user: hello
    expectations:
      - {type: equals, value: 'You said: hello'}
      - {type: no_tools_called}
  - conversation: looks a pet up
    user: pet 3
    expectations:
      - {type: contains, value: Luna belongs to Aisha}
      - {type: tool_called, value: pets_getPet}
      - {type: tool_input, value: {petId: 3}}
      - {type: tool_not_called, value: tally}
  - conversation: counts twice
    turns:
      - turn: first
        user: order 2
        variables: {ordered: 10}
        expectations: [{type: contains, value: 'counts 12'}]
      - turn: second
        user: order 1
        expectations: [{type: contains, value: 'counts 13'}, {type: tool_output, value: {ordered: 13}}]
  - conversation: moves on
    user: my bill
    expectations: [{type: agent_transfer, value: billing}]
  - conversation: goes on where another ended
    historical_contexts: {test_name: moves on}
    user: and now?
    expectations: [{type: contains, value: 'Billing heard: and now?'}]
  - conversation: begins with an event
    event: welcome
    expectations: [{type: contains, value: welcome}]
  - conversation: is wrong
    user: hello
    expectations: [{type: equals, value: Good morning}]
"""


def main(folder: Path, schema: str) -> None:
    """Build the app, talk to it, judge it; `schema` is the OpenAPI text of the pets API."""
    apps = Apps("p", "global")
    app = apps.create_app("scrapi", "Scrapi").name
    Variables(app).create_variable("ordered", "INTEGER", 3)
    tools = Tools(app)
    tally = tools.create_tool("tally", "tally", {"name": "tally", "python_code": TALLY})
    weather = tools.create_tool("get_weather", "get_weather", WEATHER, "client_function")
    pets = tools.create_tool("pets", "pets", {"open_api_schema": schema}, "open_api_toolset", "The pets.")
    agents = Agents(app)
    billing = agents.create_agent("billing", instruction="You know bills.", model="")
    desk = agents.create_agent(
        "desk",
        instruction="Look pets up with {@TOOL: pets_getPet}.",
        model="",
        tools=[tally.name, weather.name],
        toolsets=[{"toolset": pets.name}],
        child_agents=[billing.name],
    )
    apps.update_app(app, root_agent=desk.name)
    banned = {"banned_contents_in_user_input": ["refund"], "match_type": "SIMPLE_STRING_MATCH"}
    refusal = {"respond_immediately": {"responses": [{"text": "No refunds."}]}}
    guardrail = ces.Guardrail(display_name="No refunds", enabled=True, action=refusal, content_filter=banned)
    named = Guardrails(app).client.create_guardrail(parent=app, guardrail=guardrail).name
    apps.update_app(app, guardrails=[named])

    sessions = Sessions(app)
    session = sessions.create_session_id()
    asked = sessions.run(session, text="weather in Oslo")
    [call] = asked.outputs[0].tool_calls.tool_calls
    response = {"id": call.id, "tool": call.tool, "display_name": call.display_name, "response": {"temperature": 4}}
    answered = sessions.run(session, tool_responses=[response])
    seen = {
        "tools": sorted(tools.get_tools_map().values()),
        "asked": {"name": call.display_name, "args": dict(call.args)},
        "answered": sessions.get_agent_text_from_outputs(answered.outputs),
        "refused": sessions.get_agent_text_from_outputs(sessions.run("s2", text="a refund, please").outputs),
        "schema": sorted(tools.retrieve_tool_schema(tally.name).input_schema.properties),
        "listed": sorted(each.display_name for each in tools.retrieve_tools("pets").tools),
        "executed": tools.execute_tool("tally", {"step": 1}, {"ordered": 1})["response"],
        "history": len(ConversationHistory(app).get_conversation(f"{app}/conversations/{session}").turns),
        "version": Versions(app).create_version("one").display_name,
    }
    tool_evals, turn_evals = ToolEvals(app), TurnEvals(app)
    tool_cases = tool_evals.load_tool_test_cases_from_yaml(TOOL_TESTS)
    seen["tool_evals"] = _statuses(tool_evals.run_tool_tests(tool_cases), "test_name")
    turn_cases = turn_evals.load_turn_test_cases_from_yaml(TURN_TESTS)
    seen["turn_evals"] = _statuses(turn_evals.run_turn_tests(turn_cases), "test_name")
    package = folder / "app.zip"
    apps.export_app(app, local_path=str(package))
    again = apps.import_as_new_app("Again", local_path=str(package)).result().name
    seen["again"] = sorted(Agents(again).get_agents_map().values())
    apps.import_app(again, local_path=str(package)).result()
    seen["overwritten"] = sessions.get_agent_text_from_outputs(Sessions(again).run("s", text="pet 3").outputs)
    apps.delete_app(again)
    sys.stdout.write(f"\n{json.dumps(seen)}")


def _statuses(frame: DataFrame, name: str) -> dict[str, list[str]]:
    """Name of the evaluation → what its expectations came to."""
    found: dict[str, list[str]] = {}
    for row in frame.to_dict("records"):
        found.setdefault(row[name], []).append(row["status"])
    return found


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.stdin.read())
