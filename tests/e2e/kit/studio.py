"""An app of CX Agent Studio made for the tests, and the part that its model plays."""

from collections.abc import Sequence
from dataclasses import dataclass

from google.protobuf import json_format

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.wire.messages import ApiMessage
from tests.e2e.kit.google import Google
from tests.e2e.kit.pets import schema_of
from tests.e2e.kit.rest import LOCATION, Rest
from tests.kit.http_peer import HttpPeer

WEATHER: JsonObject = {
    "name": "get_weather",
    "description": "Tells the weather.",
    "parameters": {"type": "OBJECT", "properties": {"city": {"type": "STRING"}}, "required": ["city"]},
    "response": {"type": "OBJECT", "properties": {"temperature": {"type": "NUMBER"}}},
}
"""A client function."""

TALLY = '''
def tally(step: int = 1) -> dict:
    """Counts what was ordered.

    Args:
        step: How many were ordered.
    """
    context.state["ordered"] = context.state["ordered"] + step
    return {"ordered": context.state["ordered"], "agent": context.agent_name, "call": context.function_call_id}
'''

REPORT = '''
def report(pet: int) -> dict:
    """Says who owns a pet."""
    found = tools.pets_getPet({"petId": pet}).json()
    return {"line": f"{found['name']} belongs to {found['owner']}."}
'''

FAKED = """
def fake_tool_call(tool, input, callback_context):
    if input["city"] == "Nowhere":
        return None
    return {"temperature": 21}
"""

_AGENT = "You are the {shop} desk. Look pets up with {@TOOL: pets_getPet}. Ask {@AGENT: billing} about bills."

SCRIPT = r"""
rules:
  - when: {user: {matches: '^weather in (?P<city>\w+)$'}}
    reply: {calls: [{name: get_weather, arguments: {city: '{{match.city}}'}}]}
  - when: {user: {equals: two cities}}
    reply:
      text: One moment.
      calls:
        - {name: get_weather, arguments: {city: Oslo}}
        - {name: get_weather, arguments: {city: Rome}}
  - when: {user: {equals: two cities}, after: get_weather}
    reply: {text: 'I know both.'}
  - when: {after: get_weather, error: false}
    reply: {text: 'It is {{result.temperature}} degrees.'}
  - when: {user: {matches: '^order (?P<many>\d+)$'}}
    reply: {calls: [{name: tally, arguments: {step: '{{match.many|int}}'}}]}
  - when: {after: tally, error: false}
    reply: {text: '{{result.agent}} counts {{result.ordered}}, on record {{parameters.ordered}}.'}
  - when: {user: {matches: '^report (?P<pet>\d+)$'}}
    reply: {calls: [{name: report, arguments: {pet: '{{match.pet|int}}'}}]}
  - when: {after: report, error: false}
    reply: {text: '{{result.line}}'}
  - when: {user: {matches: '^pet (?P<pet>\d+)$'}}
    reply: {calls: [{name: pets_getPet, arguments: {petId: '{{match.pet|int}}'}}]}
  - when: {after: pets_getPet, error: false}
    reply: {text: '{{result.200.name}} belongs to {{result.200.owner}}.'}
  - when: {user: {equals: my bill}, playbook: desk}
    reply: {calls: [{name: billing, arguments: {}}]}
  - when: {user: {matches: '^expert: (?P<question>.+)$'}, playbook: desk}
    reply: {calls: [{name: ask_expert, arguments: {request: '{{match.question}}'}}]}
  - when: {playbook: desk, after: ask_expert, error: false}
    reply: {text: 'The expert says: {{result.result}}'}
  - when: {user: {equals: goodbye}}
    reply: {text: Bye., calls: [{name: end_session, arguments: {session_escalated: true, reason: all is said}}]}
  - when: {user: {equals: say rude}}
    reply: {text: 'You are a blockhead, they say.'}
  - when: {user: {equals: where am I}}
    reply: {text: 'In {{parameters.shop}}.'}
  - when: {after: '*', error: true}
    reply: {text: 'That failed: {{result.error.code}}'}
  - when: {playbook: billing}
    reply: {text: 'Billing heard: {{user}}'}
  - when: {playbook: expert}
    reply: {text: 'it depends on {{user}}'}
  - reply: {text: 'You said: {{user}}'}
"""


@dataclass(frozen=True)
class Studio:
    """The names of what was made, and the client it is talked to with."""

    google: Google
    app: str
    weather: str
    pets: str
    """A toolset."""
    agents: "dict[str, str]"

    def session(self, id_: str = "s1") -> str:
        """Name of a session."""
        return f"{self.app}/sessions/{id_}"

    def run(self, *inputs: JsonObject, session: str = "s1", **config: JsonValue) -> Sequence[ApiMessage]:
        """The outputs of a RunSession."""
        request = {"config": {"session": self.session(session), **config}, "inputs": list(inputs)}
        return self.google("SessionService").run_session(request=request).outputs

    def say(self, text: str, session: str = "s1", **config: JsonValue) -> Sequence[ApiMessage]:
        """The outputs after words of the user's."""
        return self.run({"text": text}, session=session, **config)

    def give(self, *responses: JsonObject, session: str = "s1") -> Sequence[ApiMessage]:
        """The outputs after results of client functions."""
        return self.run({"tool_responses": {"tool_responses": list(responses)}}, session=session)

    def tool(self, name: str) -> str:
        """Resource name of the tool of that id."""
        return f"{self.app}/tools/{name}"


def made(rest: Rest, path: str, body: JsonObject) -> str:
    """The name of a new resource of v1beta, whether it is made at once or by an operation."""
    answer = rest("POST", f"v1beta/{path}", body)
    while answer.get("done") is False:
        answer = rest("GET", f"v1beta/{answer['name']}")
    return answer.get("response", answer)["name"]


def imported_app(rest: Rest, title: str) -> JsonObject:
    """The long-running operation that imported an app, whose metadata have fields of ours."""

    def finished(operation: JsonObject) -> JsonObject:
        while not operation.get("done"):
            operation = rest("GET", f"v1beta/{operation['name']}")
        return operation

    app = made(rest, f"{LOCATION}/apps", {"displayName": title})
    made(rest, f"{app}/agents", {"displayName": "desk", "instruction": "Help."})
    exported = finished(rest("POST", f"v1beta/{app}:exportApp", {"exportFormat": "JSON"}))
    package = {"appContent": exported["response"]["appContent"], "displayName": f"{title} again"}
    operation = finished(rest("POST", f"v1beta/{LOCATION}/apps:importApp", package))
    assert "playbooks" in operation["metadata"]
    return operation


def open_studio(google: Google, rest: Rest, pets: HttpPeer) -> Studio:
    """The app, ready to talk."""
    variables = [
        {"name": "ordered", "description": "How many.", "schema": {"type": "INTEGER", "default": 0}},
        {"name": "shop", "description": "Where.", "schema": {"type": "STRING", "default": "Bonn"}},
    ]
    app = made(rest, f"{LOCATION}/apps", {"displayName": "Shop", "variableDeclarations": variables})
    fake = {"codeBlock": {"pythonCode": FAKED}}
    weather = made(rest, f"{app}/tools?toolId=get_weather", {"clientFunction": WEATHER, "toolFakeConfig": fake})
    made(rest, f"{app}/tools?toolId=tally", {"pythonFunction": {"name": "tally", "pythonCode": TALLY}})
    made(rest, f"{app}/tools?toolId=report", {"pythonFunction": {"name": "report", "pythonCode": REPORT}})
    animals = {"displayName": "pets", "openApiToolset": {"openApiSchema": schema_of(pets)}}
    toolset = made(rest, f"{app}/toolsets?toolsetId=pets", animals)
    billing = made(rest, f"{app}/agents", {"displayName": "billing", "instruction": "You know bills."})
    expert = made(rest, f"{app}/agents", {"displayName": "expert", "instruction": "You know all."})
    asked = {"name": "ask_expert", "description": "Asks the expert.", "agent": expert}
    made(rest, f"{app}/tools?toolId=ask_expert", {"agentTool": asked})
    desk = made(
        rest,
        f"{app}/agents",
        {
            "displayName": "desk",
            "instruction": _AGENT,
            "tools": [f"{app}/tools/{id_}" for id_ in ("get_weather", "tally", "report", "ask_expert", "end_session")],
            "toolsets": [{"toolset": toolset}],
            "childAgents": [billing],
        },
    )
    rest("PATCH", f"v1beta/{app}?updateMask=rootAgent", {"rootAgent": desk})
    return Studio(google, app, weather, toolset, {"desk": desk, "billing": billing, "expert": expert})


def texts(outputs: Sequence[ApiMessage]) -> list[str]:
    """The words of outputs."""
    return [output.text for output in outputs if output.text]


def calls_of(outputs: Sequence[ApiMessage]) -> list[JsonObject]:
    """The calls that outputs ask the client to make, their ids left out."""
    found = [call for output in outputs for call in output.tool_calls.tool_calls]
    return [{key: value for key, value in to_json(call).items() if key != "id"} for call in found]


def ids_of(outputs: Sequence[ApiMessage]) -> list[str]:
    """The ids of these calls."""
    return [call.id for output in outputs for call in output.tool_calls.tool_calls]


def to_json(message: ApiMessage) -> JsonObject:
    """A message of Google's library as JSON."""
    return json_format.MessageToDict(type(message).pb(message))
