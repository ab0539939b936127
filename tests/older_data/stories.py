"""Conversations that a server wrote into its data before it was killed, and how each goes on at a later server.

`begin` is run once, by the version that writes the data; `go_on` by every later version. What the first leaves for
the second stands in `Written`, which is kept beside the data.
"""

import asyncio
import base64
from collections.abc import Awaitable
from dataclasses import asdict, dataclass, field

from openplaybook.jsonvalues import JsonObject, as_object, dumps
from tests.e2e.kit.rest import LOCATION, Rest, words
from tests.e2e.kit.studio import made
from tests.kit.http_peer import Received, answer

HOST, PORT = "127.41.16.24", 18041
"""Where the API of the tools is, then and now: it stands in the documents that are kept."""
MASTER_KEY = base64.b64encode(b"an older version's key, 32 bytes").decode()
TOKEN = "token-of-the-session"
INLINE_KEY, KEPT_KEY = "key-within-the-tool", "key-kept-as-a-secret"
SECRET = "projects/p/secrets/desk-key"
SALES = b"month,sum\n1,10\n2,20\n"
HANGS = "hangs"
"""The order whose charge is never answered."""

_TALLY = '''
def tally(step: int = 1) -> dict:
    """Counts what was ordered."""
    context.state["ordered"] = context.state["ordered"] + step
    return {"ordered": context.state["ordered"]}
'''


@dataclass(frozen=True, slots=True)
class Written:
    """What is known of the data besides the data."""

    clock: str
    """When they were written, `YYYY-MM-DD hh:mm:ss` in UTC: sessions live for a day."""
    commit: str
    agent: str
    app: str
    weather: str
    """Name of the client's function of the agent."""
    forecast: str
    """The same of the app."""
    forecast_call: str
    """Id of the app's open call."""
    playbook: str
    playbook_version: str
    tool_version: str
    app_version: str
    answers: dict[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    """Query results by the session that they were given in."""
    keyed: str = ""
    """The body of the answer to a request with a key, byte for byte."""

    def to_json(self) -> JsonObject:
        return asdict(self)


def reply(received: Received) -> bytes | Awaitable[None]:
    """The API that tools call: repeats the keys that it is given; never answers one order."""
    match received.target.rsplit("/", 1)[-1]:
        case "charge":
            return _never() if HANGS in received.body.decode() else answer(received.body)
        case "account":
            found = {"account": "A-1" if received.header("Authorization") == f"Bearer {TOKEN}" else "unknown"}
        case "inline" | "kept":
            found = {"key": received.header("X-Key") or "none"}
        case number:
            found = {"id": int(number), "name": "Luna", "owner": "Aisha"}
    return answer(dumps(found))


async def _never() -> None:
    await asyncio.Event().wait()


def document(*paths: str) -> str:
    """An OpenAPI document with some of the API's operations."""
    text = {"200": {"description": "done", "content": {"application/json": {"schema": {"type": "object"}}}}}
    number = {"name": "petId", "in": "path", "required": True, "schema": {"type": "integer"}}
    body = {"type": "object", "properties": {"order": {"type": "string"}}, "required": ["order"]}
    known: JsonObject = {
        "/pets/{petId}": {"get": {"operationId": "getPet", "parameters": [number], "responses": text}},
        "/charge": {
            "post": {
                "operationId": "charge",
                "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
                "responses": text,
            }
        },
        **{f"/{name}": {"get": {"operationId": name, "responses": text}} for name in ("account", "inline", "kept")},
    }
    whole: JsonObject = {
        "openapi": "3.0.0",
        "info": {"title": "Desk", "version": "1"},
        "servers": [{"url": f"http://{HOST}:{PORT}"}],
        "paths": {path: known[path] for path in paths},
    }
    return dumps(whole).decode()


def api_key(**key: str) -> JsonObject:
    """The authentication of a tool whose key goes into a header."""
    return {"apiKeyConfig": {"keyName": "X-Key", "requestLocation": "HEADER", **key}}


@dataclass(slots=True)
class Story:
    """The writer: makes an agent and an app, and leaves their conversations at various points."""

    rest: Rest

    def begin(self, clock: str, commit: str) -> Written:
        """All but the call that is killed; the secret has been set."""
        agent, weather, playbook = self._agent()
        app, forecast = self._app()
        version = self.rest("POST", f"v3/{agent}/playbooks/{_id(playbook)}/versions", {"description": "The first."})
        tool = self.rest("GET", f"v3/{weather}")
        tool_version = self.rest("POST", f"v3/{weather}/versions", {"displayName": "first", "tool": tool})
        answers = self._conversations(agent, weather)
        app_version = made(self.rest, f"{app}/versions?appVersionId=first", {"displayName": "first"})
        self._run(app, "done", {"text": "order 2"})
        self._run(app, "done", {"text": "about my bill"})
        paused = self._run(app, "paused", {"text": "forecast for Oslo"})
        [call] = [call for output in paused for call in output.get("toolCalls", {}).get("toolCalls", [])]
        return Written(
            clock=clock,
            commit=commit,
            agent=agent,
            app=app,
            weather=weather,
            forecast=forecast,
            forecast_call=call["id"],
            playbook=playbook,
            playbook_version=version["name"],
            tool_version=tool_version["name"],
            app_version=app_version,
            answers=answers,
            keyed=keyed(self.rest, agent).decode(),
        )

    def _agent(self) -> tuple[str, str, str]:
        rest = self.rest
        agent = rest.agent("Desk")
        rest.tool(agent, "Desk tools", openApiSpec={"textSchema": document("/pets/{petId}", "/charge")})
        bearer = {"bearerTokenConfig": {"token": "$session.params.token"}}
        rest.tool(agent, "Accounts", openApiSpec={"textSchema": document("/account"), "authentication": bearer})
        for name, key in (
            ("Inline", api_key(apiKey=INLINE_KEY)),
            ("Kept", api_key(secretVersionForApiKey=f"{SECRET}/versions/1")),
        ):
            rest.tool(agent, name, openApiSpec={"textSchema": document(f"/{name.lower()}"), "authentication": key})
        weather = rest.tool(agent, "weather", functionSpec={})
        billing: JsonObject = {
            "displayName": "Billing",
            "goal": "Know bills.",
            "instruction": {"steps": [{"text": "Ask ${TOOL: weather}."}]},
        }
        rest("POST", f"v3/{agent}/playbooks", billing)
        steps = [f"Use ${{TOOL: {tool}}}." for tool in ("Desk tools", "Accounts", "Inline", "Kept", "weather")]
        playbook = rest.start(agent, *steps, "Compute with ${TOOL: code-interpreter}.", "Bills: ${PLAYBOOK: Billing}.")
        return agent, weather, playbook

    def _app(self) -> tuple[str, str]:
        rest = self.rest
        variables = [
            {"name": "ordered", "description": "How many.", "schema": {"type": "INTEGER", "default": 0}},
            {"name": "shop", "description": "Where.", "schema": {"type": "STRING", "default": "Bonn"}},
        ]
        app = made(rest, f"{LOCATION}/apps", {"displayName": "Studio", "variableDeclarations": variables})
        function = {
            "name": "forecast",
            "description": "Tells the weather to come.",
            "parameters": {"type": "OBJECT", "properties": {"city": {"type": "STRING"}}},
        }
        forecast = made(rest, f"{app}/tools?toolId=forecast", {"clientFunction": function})
        tally = {"name": "tally", "pythonCode": _TALLY}
        made(rest, f"{app}/tools?toolId=tally", {"pythonFunction": tally})
        billing = made(rest, f"{app}/agents", {"displayName": "billing", "instruction": "You know bills."})
        body: JsonObject = {
            "displayName": "desk",
            "instruction": "Help with {@TOOL: forecast}.",
            "tools": [forecast, f"{app}/tools/tally"],
            "childAgents": [billing],
        }
        desk = made(rest, f"{app}/agents", body)
        rest("PATCH", f"v1beta/{app}?updateMask=rootAgent", {"rootAgent": desk})
        return app, forecast

    def _conversations(self, agent: str, weather: str) -> dict[str, JsonObject]:
        say = self.rest.say
        token: JsonObject = {"parameters": {"token": TOKEN, "colour": "red"}}
        file = {"name": "sales.csv", "contents": base64.b64encode(SALES).decode()}
        answers = {
            "finished": say(f"{agent}/sessions/finished", "pet 3"),
            "files": say(f"{agent}/sessions/files", "count the rows", queryParams={"payload": {"files": [file]}}),
            "paused": say(f"{agent}/sessions/paused", "weather in Oslo", queryParams={"parameters": {"colour": "red"}}),
            "deeper": say(f"{agent}/sessions/deeper", "my bill"),
            "sealed": say(f"{agent}/sessions/sealed", "my account", queryParams=token),
            "client": say(f"{agent}/sessions/client", "pet 3", queryParams=BY_THE_CLIENT, version="v3beta1"),
            "half": say(f"{agent}/sessions/half", "two cities"),
            "charged": say(f"{agent}/sessions/charged", "charge A1"),
        }
        first = calls_of(answers["half"])[0]
        given = {"toolCallResult": {**first, "outputParameters": {"temperature": 3}}}
        given["toolCallResult"].pop("inputParameters")
        self.rest.detect(f"{agent}/sessions/half", given)
        return answers

    def _run(self, app: str, session: str, *inputs: JsonObject) -> list[JsonObject]:
        return run(self.rest, app, session, *inputs)


BY_THE_CLIENT: JsonObject = {"playbookStateOverride": {"playbookExecutionMode": "ALWAYS_CLIENT_EXECUTION"}}


def calls_of(result: JsonObject) -> list[JsonObject]:
    """The calls that a query result asks the client for."""
    return [as_object(message["toolCall"]) for message in result["responseMessages"] if "toolCall" in message]


def run(rest: Rest, app: str, session: str, *inputs: JsonObject) -> list[JsonObject]:
    """The outputs of a RunSession."""
    name = f"{app}/sessions/{session}"
    return rest("POST", f"v1beta/{name}:runSession", {"config": {"session": name}, "inputs": list(inputs)})["outputs"]


def keyed(rest: Rest, agent: str) -> bytes:
    """The answer to a request with a key."""
    body = dumps({"queryInput": {"text": {"text": "pet 3"}, "languageCode": "en"}})
    found = rest.send("POST", f"/v3/{agent}/sessions/keyed:detectIntent", body, {"Idempotency-Key": "k"})
    assert found.status == 200, found.body
    return found.body


def charge(rest: Rest, agent: str) -> str:
    """What the agent says to the request during which the first server is killed."""
    body = dumps({"queryInput": {"text": {"text": f"charge {HANGS}"}, "languageCode": "en"}})
    found = rest.send("POST", f"/v3/{agent}/sessions/killed:detectIntent", body, {"Idempotency-Key": "charge"})
    return words(found.json["queryResult"])


def _id(name: str) -> str:
    return name.rsplit("/", 1)[1]
