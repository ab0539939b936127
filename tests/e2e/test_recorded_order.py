"""Members of objects keep their order from the wire into a recording, and from there through a replay.

No name here is in the order of the alphabet. What prints an object, or sends one as text, tells when it changes.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from openplaybook.cli.main import app as command
from openplaybook.jsonvalues import JsonObject, JsonValue, dumps, dumps_sorted, loads
from openplaybook.recordings.form import Recording
from openplaybook.recordings.recording_yaml import read_recording, write_recording
from openplaybook.recordings.step_form import RecordedCall, RecordedDecision, RecordedRequest
from tests.e2e.kit.rest import LOCATION, Rest
from tests.e2e.kit.server import running
from tests.e2e.kit.studio import made
from tests.kit.background import Background
from tests.kit.http_peer import HttpPeer, answer, http_peer

pytestmark = pytest.mark.proves("X6")

ARGUMENTS: JsonObject = {"wine": "Merlot", "meal": {"size": 2, "name": "Pizza"}, "zone": "North", "city": "Rome"}
FLAT: JsonObject = {"wine": "Merlot", "meal": "Pizza", "city": "Rome"}
RESULT: JsonObject = {"number": 5, "bill": {"total": 9.5, "currency": "EUR"}, "at": "noon"}
_WORDS = ("order", "form", "parts", "find")
"""What a user says, and the operation that is called then."""


def script() -> bytes:
    """The model's part. On the last rule but one the object of a result is printed."""
    called = [
        {
            "when": {"user": {"equals": word}},
            "reply": {"calls": [{"name": f"orders.{word}", "arguments": arguments(word)}]},
        }
        for word in _WORDS
    ]
    printed = {"when": {"after": "*"}, "reply": {"text": "It is {{result.200}}."}}
    return dumps({"rules": [printed, *called, {"reply": {"text": "You said: {{user}}"}}]})


def arguments(word: str) -> JsonObject:
    """Of the call of an operation."""
    return {"filter": FLAT} if word == "find" else {"requestBody": ARGUMENTS if word == "order" else FLAT}


_MOVED = [(0, "wine"), (0, "city"), (2, "city"), (2, "wine")]
"""Places of fields that are elsewhere when they are sent by name."""
_BOUNDARY = re.compile(rb"(?<=--)[0-9a-f]{32}")
OBJECT: JsonObject = {"type": "object"}


def api(peer: HttpPeer) -> str:
    """The schema of a service that takes an object as JSON, in two kinds of forms, and in a query."""

    def post(name: str, media_type: str) -> JsonObject:
        body = {"required": True, "content": {media_type: {"schema": OBJECT}}}
        return {"post": {"operationId": name, "requestBody": body, "responses": {"200": {"description": "done"}}}}

    query = {"name": "filter", "in": "query", "style": "deepObject", "explode": True, "schema": OBJECT}
    return dumps(
        {
            "openapi": "3.0.0",
            "info": {"title": "Orders", "version": "1"},
            "servers": [{"url": peer.url}],
            "paths": {
                "/order": post("order", "application/json"),
                "/form": post("form", "application/x-www-form-urlencoded"),
                "/parts": post("parts", "multipart/form-data"),
                "/find": {
                    "get": {
                        "operationId": "find",
                        "parameters": [query],
                        "responses": {"200": {"description": "found"}},
                    }
                },
            },
        }
    ).decode()


@pytest.fixture(scope="module")
def orders(background: Background) -> Iterator[HttpPeer]:
    """The service."""
    with background.entered(http_peer(lambda received: answer(dumps(RESULT)))) as peer:
        yield peer


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Of a running server, whose address is in `url`."""
    folder = tmp_path_factory.mktemp("order")
    (folder / "script.json").write_bytes(script())
    model = f"scripted:{folder / 'script.json'}"
    with running(folder, "--model", model, OPENPLAYBOOK_EGRESS_ALLOW="127.0.0.0/8") as server:
        (folder / "url").write_text(server.http)
        yield folder


@pytest.fixture
def rest(folder: Path) -> Rest:
    return Rest((folder / "url").read_text())


@pytest.fixture
def agent(rest: Rest, orders: HttpPeer) -> str:
    """An agent with the tool, and a handler that prints an object."""
    body = {"displayName": "Orders", "defaultLanguageCode": "en", "timeZone": "Etc/UTC"}
    name = rest("POST", f"v3/{LOCATION}/agents", body)["name"]
    tool = {"displayName": "orders", "description": "Orders.", "openApiSpec": {"textSchema": api(orders)}}
    rest("POST", f"v3/{name}/tools", tool)
    says = {"messages": [{"text": {"text": ["Your basket: $session.params.basket"]}}]}
    handler = {"eventHandler": {"event": "BASKET", "condition": "true", "fulfillment": says}}
    playbook: JsonObject = {
        "displayName": "Desk",
        "goal": "Take orders.",
        "instruction": {"steps": [{"text": "Use ${TOOL: orders}."}]},
        "handlers": [handler],
    }
    start = rest("POST", f"v3/{name}/playbooks", playbook)["name"]
    rest("PATCH", f"v3/{name}?updateMask=startPlaybook", {"startPlaybook": start})
    return name


@pytest.fixture
def app(rest: Rest, orders: HttpPeer) -> str:
    """An app with the same tool."""
    basket = {"name": "basket", "description": "What is chosen.", "schema": {"type": "OBJECT"}}
    app = made(rest, f"{LOCATION}/apps", {"displayName": "Orders app", "variableDeclarations": [basket]})
    toolset = made(
        rest,
        f"{app}/toolsets?toolsetId=orders",
        {"displayName": "orders", "openApiToolset": {"openApiSchema": api(orders)}},
    )
    desk = made(
        rest,
        f"{app}/agents",
        {"displayName": "Desk", "instruction": "You have {basket}.", "toolsets": [{"toolset": toolset}]},
    )
    rest("PATCH", f"v1beta/{app}?updateMask=rootAgent", {"rootAgent": desk})
    return app


def talk_to_agent(rest: Rest, agent: str) -> None:
    """A turn for each operation, and one for the handler; all in the session `s`."""
    inputs: list[JsonObject] = [{"text": {"text": word}} for word in _WORDS]
    for given in [*inputs, {"event": {"event": "BASKET"}}]:
        body = {"queryInput": {**given, "languageCode": "en"}, "queryParams": {"parameters": {"basket": ARGUMENTS}}}
        rest("POST", f"v3/{agent}/sessions/s:detectIntent", body)


def talk_to_app(rest: Rest, app: str) -> None:
    """A turn for each operation."""
    name = f"{app}/sessions/s"
    for word in _WORDS:
        inputs = [{"variables": {"basket": ARGUMENTS}}, {"text": word}]
        rest("POST", f"v1beta/{name}:runSession", {"config": {"session": name}, "inputs": inputs})


def run(folder: Path, *words: str) -> Result:
    return CliRunner().invoke(command, [*words, "--data-dir", str(folder / "data")])


@pytest.fixture(params=["agent", "app"])
def name(request: pytest.FixtureRequest) -> str:
    """Full name of the agent, then of the app."""
    return request.getfixturevalue(request.param)


@pytest.fixture
def file(name: str, rest: Rest, folder: Path, tmp_path: Path) -> Path:
    """The recording of a conversation with it."""
    (talk_to_app if "/apps/" in name else talk_to_agent)(rest, name)
    assert run(folder, "record", name, "--session", "s", "-o", str(tmp_path / "s.yaml")).exit_code == 0
    return tmp_path / "s.yaml"


def calls(file: Path) -> list[RecordedCall]:
    steps = [step for turn in read_recording(file).turns for step in turn.steps or ()]
    return [call for step in steps if isinstance(step, RecordedDecision) for call in step.calls]


def written(*values: JsonValue) -> list[bytes]:
    """Values with the order of their members, which equality does not see."""
    return list(map(dumps, values))


def sent(peer: HttpPeer) -> list[tuple[str, bytes]]:
    """What the service got for the last turns; the boundary between parts, which is made up, left out."""
    return [(each.target, _BOUNDARY.sub(b"", each.body)) for each in peer.requests[-len(_WORDS) :]]


def test_a_recording_has_members_in_the_order_of_the_wire(file: Path, orders: HttpPeer) -> None:
    recording, made = read_recording(file), calls(file)
    assert written(*(call.arguments for call in made)) == written(*map(arguments, _WORDS))
    assert written(*(call.output for call in made)) == written(*[{"200": RESULT}] * 4)
    assert written(recording.turns[0].parameters["basket"]) == written(ARGUMENTS)
    order, form, parts, find = (call.request for call in made)
    assert order is not None
    assert written(order.body) == [orders.requests[-4].body] == written(ARGUMENTS)
    fields: list[JsonObject] = [{name: value} for name, value in FLAT.items()]
    assert form == RecordedRequest(method="POST", path="/form", form=fields)
    assert parts == RecordedRequest(method="POST", path="/parts", form=fields)
    assert find == RecordedRequest(method="GET", path=orders.requests[-1].target)
    assert 'says: "It is {\\"number\\":5,\\"bill\\":{\\"total\\":9.5,' in file.read_text()


def test_a_replay_is_the_same_and_with_live_tools_sends_the_same_bytes(
    file: Path, name: str, folder: Path, orders: HttpPeer, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, turns = sent(orders), len(read_recording(file).turns)
    replayed = run(folder, "replay", str(file), "--agent", name)
    assert replayed.output == f"same  {file}: {turns} turns\n"
    assert len(orders.requests) % len(_WORDS) == 0
    monkeypatch.setenv("OPENPLAYBOOK_EGRESS_ALLOW", "127.0.0.0/8")
    requests = len(orders.requests)
    live = run(folder, "replay", str(file), "--agent", name, "--tools", "live")
    assert live.output == f"same  {file}: {turns} turns\n"
    assert (len(orders.requests) - requests, sent(orders)) == (len(_WORDS), before)


def test_another_order_is_a_difference_where_it_is_text_and_none_between_members_of_json(
    file: Path, name: str, folder: Path
) -> None:
    by_name = loads(dumps_sorted(read_recording(file).model_dump(mode="json", exclude_defaults=True)))
    file.write_text(write_recording(Recording.model_validate(by_name)))
    shown = run(folder, "replay", str(file), "--agent", name)
    assert shown.exit_code == 1
    places = [line.strip() for line in shown.output.splitlines() if line.startswith("    ") and line[4] != " "]
    fields = [f"orders.{kind} request form $[{at}].{member}" for kind in ("form", "parts") for at, member in _MOVED]
    printed = [] if "/apps/" in name else ["handler event messages $[0].text.text[0]"]
    assert places == [*fields, "orders.find request $.path", *printed]
    run(folder, "replay", str(file), "--agent", name, "--update")
    assert run(folder, "replay", str(file), "--agent", name).exit_code == 0
