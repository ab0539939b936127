"""An agent made with Google's clients: an OpenAPI tool, a function tool, and a playbook that names both."""

from base64 import b64encode
from dataclasses import dataclass

from google.protobuf import json_format

from openplaybook.jsonvalues import JsonObject
from openplaybook.wire.messages import ApiMessage
from tests.e2e.kit.canary import CANARY
from tests.e2e.kit.google import Google
from tests.e2e.kit.pets import schema_of
from tests.e2e.kit.rest import LOCATION, Rest
from tests.kit.http_peer import HttpPeer

WEATHER_INPUT = {
    "type": "object",
    "properties": {"location": {"type": "string", "description": "The city and state, for example, San Francisco, CA"}},
    "required": ["location"],
}
WEATHER_OUTPUT = {
    "type": "object",
    "properties": {"temperature": {"type": "number", "description": "The temperature"}},
}
"""The schemas of the documents' function tool."""

_SECRET = "projects/p/secrets/canary"


@dataclass(frozen=True)
class Shop:
    """The names of what was made."""

    google: Google
    agent: str
    weather: str
    pets: str
    playbook: str

    def session(self, id_: str = "s1") -> str:
        """Name of a session."""
        return f"{self.agent}/sessions/{id_}"

    def say(self, text: str, session: str = "", **more: ApiMessage) -> ApiMessage:
        """The response to what a user says."""
        return self.google("Sessions").detect_intent(request=self.text_request(text, session, **more))

    def text_request(self, text: str, session: str = "", **more: ApiMessage) -> ApiMessage:
        """The request with which a user says something."""
        query = {"text": {"text": text}, "language_code": "en"}
        return {"session": session or self.session(), "query_input": query, **more}

    def give(
        self, session: str = "", *, tool: str = "", action: str = "get-weather-tool", **result: ApiMessage
    ) -> ApiMessage:
        """The response to a tool call result: `output_parameters` or `error`."""
        told = {"tool": tool or self.weather, "action": action, **result}
        query = {"tool_call_result": told, "language_code": "en"}
        request = {"session": session or self.session(), "query_input": query}
        return self.google("Sessions").detect_intent(request=request)


def new_agent(google: Google, display_name: str = "Shop") -> ApiMessage:
    """An empty agent."""
    agent = google.Agent(display_name=display_name, default_language_code="en", time_zone="Europe/Berlin")
    return google("Agents").create_agent(parent=LOCATION, agent=agent)


def function_tool(google: Google) -> ApiMessage:
    """The documents' weather function, not yet created."""
    return google.Tool(
        display_name="get-weather-tool",
        description="Tells the weather.",
        function_spec=google.Tool.FunctionTool(input_schema=WEATHER_INPUT, output_schema=WEATHER_OUTPUT),
    )


def openapi_tool(google: Google, schema: str, display_name: str = "Pets") -> ApiMessage:
    """A tool for an API, not yet created."""
    specification = google.Tool.OpenApiTool(text_schema=schema)
    return google.Tool(display_name=display_name, description="The API.", open_api_spec=specification)


def _authentication(google: Google) -> ApiMessage:
    """A key that no server of the tests may give away, by the name of the secret that it is: exports keep that."""
    Rest(google.server.http)(
        "POST", f"v1/{_SECRET}:addVersion", {"payload": {"data": b64encode(CANARY.encode()).decode()}}
    )
    authentication = google.Tool.Authentication
    header = authentication.RequestLocation.HEADER
    config = authentication.ApiKeyConfig(
        key_name="X-Canary", secret_version_for_api_key=f"{_SECRET}/versions/latest", request_location=header
    )
    return authentication(api_key_config=config)


def open_shop(google: Google, pets: HttpPeer) -> Shop:
    """The agent, ready to talk."""
    agent = new_agent(google).name
    tools = google("Tools")
    weather = tools.create_tool(parent=agent, tool=function_tool(google)).name
    api = openapi_tool(google, schema_of(pets))
    api.open_api_spec.authentication = _authentication(google)
    animals = tools.create_tool(parent=agent, tool=api).name
    steps = [
        google.Playbook.Step(text="Look pets up with ${TOOL: Pets}."),
        google.Playbook.Step(text="For the weather use ${TOOL: get-weather-tool}."),
    ]
    playbook = google.Playbook(
        display_name="Desk", goal="Help customers.", instruction=google.Playbook.Instruction(steps=steps)
    )
    name = google("Playbooks").create_playbook(parent=agent, playbook=playbook).name
    google("Agents").update_agent(
        agent=google.Agent(name=agent, start_playbook=name), update_mask={"paths": ["start_playbook"]}
    )
    return Shop(google, agent, weather, animals, name)


def said(response: ApiMessage) -> list[str]:
    """The texts of a response."""
    return [text for message in response.query_result.response_messages for text in message.text.text]


def tool_calls(response: ApiMessage) -> list[JsonObject]:
    """The calls that a response asks the client to make."""
    messages = response.query_result.response_messages
    return [to_json(message.tool_call) for message in messages if "tool_call" in message]


def to_json(message: ApiMessage) -> JsonObject:
    """A message of Google's library as JSON."""
    return json_format.MessageToDict(type(message).pb(message))
