"""An agent that hands what users say to the code interpreter, made and asked with Google's clients."""

from base64 import b64decode, b64encode
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import cast

from openplaybook.jsonvalues import JsonObject, JsonValue, dumps
from tests.e2e.code_interpreter.conversation import Turn
from tests.e2e.code_interpreter.script import OUTPUT, TOOL
from tests.e2e.kit.google import Google
from tests.e2e.kit.shop import new_agent, openapi_tool, said, to_json
from tests.kit.http_peer import HttpPeer, Received, answer, http_peer

_FULL = 1
"""Value of `response_view`."""

_REPORTS = """
openapi: 3.0.0
info: {{title: Reports, version: '1'}}
servers: [{{url: '{url}'}}]
paths:
  /report:
    get:
      operationId: getReport
      responses:
        '200': {{description: the year, content: {{application/octet-stream: {{schema: {{type: string}}}}}}}}
  /stock:
    get:
      operationId: getStock
      responses: {{'200': {{description: what there is}}}}
"""

_REPORT = b"month,total,note\nJan,300,\nFeb,250,snow\nMar,400,\n"
_STOCK: JsonValue = [
    {"item": "tea", "count": 3, "price": 2.5},
    {"item": "pot", "count": 4, "price": 19},
]


@asynccontextmanager
async def reports_service() -> AsyncGenerator[HttpPeer]:
    """An API that gives a file and an answer in JSON."""
    async with http_peer(_reply) as peer:
        yield peer


def _reply(received: Received) -> bytes:
    if received.target == "/stock":
        return answer(dumps(_STOCK))
    saved = 'attachment; filename="report.csv"'
    return answer(_REPORT, content_type="application/octet-stream", Content_Disposition=saved)


@dataclass(frozen=True)
class Came:
    """What came of a turn."""

    said: list[str]
    output: JsonObject
    """What the code interpreter gave, as the trace has it."""
    images: dict[str, bytes]
    """Shown in rich content, by name."""

    @property
    def files(self) -> dict[str, bytes]:
        """`output_files`; none where the documents' placeholder for none stands."""
        given = cast("list[dict[str, str]]", self.output["output_files"])
        if given == [{"name": "", "contents": ""}]:
            return {}
        assert all(each.keys() == {"name", "contents"} for each in given)
        return {each["name"]: b64decode(each["contents"], validate=True) for each in given}


@dataclass(frozen=True)
class Analyst:
    """The agent, as one of Google's clients reaches it."""

    google: Google
    agent: str

    def take(self, turn: Turn, session: str) -> Came:
        """What comes of a turn in the session of that id."""
        response = self.google("Sessions").detect_intent(
            request={
                "session": f"{self.agent}/sessions/{session}",
                "query_input": {"text": {"text": turn.words}, "language_code": "en"},
                "query_params": {"payload": {"files": _payload(turn)}},
                "response_view": _FULL,
            }
        )
        messages = [to_json(message) for message in response.query_result.response_messages]
        told = said(response)
        return Came(told, _output(to_json(response.query_result), told), _images(messages))


def make_analyst(google: Google, reports: HttpPeer) -> str:
    """The name of the agent, ready to talk."""
    agent = new_agent(google, "Analyst").name
    google("Tools").create_tool(parent=agent, tool=openapi_tool(google, _REPORTS.format(url=reports.url), "Reports"))
    steps = [google.Playbook.Step(text=f"Compute with ${{TOOL: {TOOL}}}; data comes from ${{TOOL: Reports}}.")]
    playbook = google.Playbook(
        display_name="Analyst", goal="Analyse data.", instruction=google.Playbook.Instruction(steps=steps)
    )
    name = google("Playbooks").create_playbook(parent=agent, playbook=playbook).name
    google("Agents").update_agent(
        agent=google.Agent(name=agent, start_playbook=name), update_mask={"paths": ["start_playbook"]}
    )
    return agent


def _payload(turn: Turn) -> list[dict[str, str]]:
    return [{"name": each.name, "contents": b64encode(each.data).decode()} for each in turn.attachments]


def _output(result: JsonObject, told: list[str]) -> JsonObject:
    """The output of the turn's only call of the code interpreter; a call that failed fails the test with its words."""
    blocks = cast("list[dict[str, list[JsonObject]]]", result["traceBlocks"])
    uses = [cast("JsonObject", step["toolUse"]) for block in blocks for step in block["actions"] if "toolUse" in step]
    [use] = [use for use in uses if str(use["tool"]).endswith("/tools/df-code-interpreter-tool")]
    assert (use["displayName"], use["action"]) == (TOOL, "generate_and_execute")
    assert "outputActionParameters" in use, told
    return cast("dict[str, JsonObject]", use["outputActionParameters"])[OUTPUT]


def _images(messages: list[JsonObject]) -> dict[str, bytes]:
    """The images of the messages, which stand behind all words."""
    shown: dict[str, bytes] = {}
    for message in messages:
        if "payload" not in message:
            assert shown == {}, "words behind an image"
            continue
        [[image]] = cast("dict[str, list[list[dict[str, str]]]]", message["payload"])["richContent"]
        assert image["type"] == "image"
        head, _, contents = image["rawUrl"].partition(",")
        assert head in ("data:image/png;base64", "data:image/jpeg;base64"), head
        shown[image["accessibilityText"]] = b64decode(contents, validate=True)
    return shown
