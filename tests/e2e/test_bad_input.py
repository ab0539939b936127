"""Requests that are wrong, over plain HTTP: each is refused in Google's form, saying what is wrong and where."""

from collections.abc import Iterator

import pytest

from openplaybook.jsonvalues import JsonValue, dumps
from tests.e2e.kit.rest import LOCATION, Answer, Rest
from tests.e2e.kit.server import Server, running

AGENTS = f"/v3/{LOCATION}/agents"
PAYLOAD = "Invalid JSON payload received. "
CONNECTION = "$.dataStoreSpec.dataStoreConnections[0]"


@pytest.fixture
def agent(rest: Rest) -> str:
    return rest.agent()


def refusal(answer: Answer) -> tuple[int, str, str]:
    """The error, in whose body nothing may show how the server is made."""
    for inside in (b"Traceback", b"site-packages", b".py"):
        assert inside not in answer.body
    return answer.error


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b'{"displayName": "x"', "$: line 1 column 20: Expecting ',' delimiter"),
        (b'{\n  "displayName": }', "$: line 2 column 18: Expecting value"),
        (b"not json", "$: line 1 column 1: Expecting value"),
        (b"[]", "$: an object is expected, not an array"),
        (b'{"displayName": "\xff"}', "$: byte 17 is not UTF-8"),
        (b'{"a": 1, "a": 2}', "$: the key 'a' is given twice in one object"),
        (b'{"x": ' + b"[" * 500, "$: objects and arrays are nested more than 400 levels deep"),
        (b'{"displayName": NaN}', '$: NaN is not JSON; floating point fields take it as a string, "NaN"'),
    ],
    ids=["cut", "value missing", "words", "array", "not utf-8", "key twice", "too deep", "nan"],
)
def test_malformed_json_is_refused_with_its_position(rest: Rest, body: bytes, problem: str) -> None:
    code, status, message = refusal(rest.send("POST", AGENTS, body))
    assert (code, status, message) == (400, "INVALID_ARGUMENT", PAYLOAD + problem)


@pytest.mark.parametrize(
    ("path", "body", "problem"),
    [
        ("tools", {"displayNames": "x"}, "$.displayNames: "),
        ("tools", {"functionSpec": {"inputSchemas": {}}}, "$.functionSpec.inputSchemas: "),
        ("tools", {"displayName": 7}, "$.displayName: "),
        ("tools", {"functionSpec": []}, "$.functionSpec: an object is expected, not an array"),
        (
            "tools",
            {"dataStoreSpec": {"dataStoreConnections": [{"dataStoreType": "NO"}]}},
            "$.dataStoreSpec.dataStoreConnections[0].dataStoreType: ",
        ),
        ("tools", {"functionSpec": {}, "openApiSpec": {}}, "$.openApiSpec: "),
        ("playbooks", {"instruction": {"steps": [{"text": "a"}, {"text": {}}]}}, "$.instruction.steps[1].text: "),
    ],
    ids=["unknown", "unknown within", "number for text", "array for object", "enum", "two of a kind", "in a list"],
)
def test_what_does_not_fit_is_refused_with_its_json_path(
    rest: Rest, agent: str, path: str, body: JsonValue, problem: str
) -> None:
    code, status, message = refusal(rest.send("POST", f"/v3/{agent}/{path}", dumps(body)))
    assert (code, status) == (400, "INVALID_ARGUMENT")
    assert message.startswith(PAYLOAD + problem)


def test_missing_fields_are_named(rest: Rest, agent: str) -> None:
    refused = rest.send("POST", f"/v3/{agent}/tools", b'{"functionSpec": {}}')
    assert refusal(refused) == (
        400,
        "INVALID_ARGUMENT",
        "Required but not given: tool.display_name, tool.description",
    )


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/v3"), ("GET", "/v9/projects/p/locations/global/agents"), ("POST", "/"), ("DELETE", AGENTS)],
)
def test_a_path_that_is_none_is_not_found(rest: Rest, method: str, path: str) -> None:
    code, status, message = refusal(rest.send(method, path))
    assert (code, status) == (404, "NOT_FOUND")
    assert message.startswith(f"There is no RPC at {method} {path}.")


@pytest.mark.parametrize("kind", ["tools", "playbooks"])
def test_what_does_not_exist_is_not_found(rest: Rest, agent: str, kind: str) -> None:
    name = f"{agent}/{kind}/none"
    code, status, message = refusal(rest.send("GET", f"/v3/{name}"))
    assert (code, status) == (404, "NOT_FOUND")
    assert f"{name} does not exist" in message


def test_nothing_can_be_made_in_an_agent_that_does_not_exist(rest: Rest) -> None:
    body = dumps({"displayName": "t", "description": "d", "functionSpec": {}})
    refused = rest.send("POST", f"{AGENTS}/none/tools", body)
    assert refusal(refused) == (404, "NOT_FOUND", f"Agent {LOCATION}/agents/none does not exist")


def test_a_query_that_does_not_fit_is_refused(rest: Rest, agent: str) -> None:
    code, status, message = refusal(rest.send("GET", f"/v3/{agent}/tools?pageSize=many"))
    assert (code, status) == (400, "INVALID_ARGUMENT")
    assert message.startswith(f"{PAYLOAD}$.pageSize: ")


@pytest.mark.parametrize(
    ("schema", "problem"),
    [
        ("openapi: 3.0.0\ninfo: {title: t", " (line 3): the YAML is malformed"),
        ("just words", ": "),
        ("", ": is required (an OpenAPI description as JSON or YAML)"),
        (
            "openapi: 3.0.0\ninfo: {title: t, version: '1'}\npaths: {}\n",
            " (line 3): $.paths: the description has no operations",
        ),
    ],
    ids=["malformed", "no document", "empty", "no operation"],
)
def test_a_schema_that_cannot_work_is_refused_when_the_tool_is_saved(
    rest: Rest, agent: str, schema: str, problem: str
) -> None:
    body = {"displayName": "t", "description": "d", "openApiSpec": {"textSchema": schema}}
    code, status, message = refusal(rest.send("POST", f"/v3/{agent}/tools", dumps(body)))
    assert (code, status) == (400, "INVALID_ARGUMENT")
    assert message.startswith(f"tool.openApiSpec.textSchema{problem}")


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that takes small requests only."""
    with running(tmp_path_factory.mktemp("narrow"), "--max-body-bytes", "2000") as server:
        yield server


def test_a_body_over_the_limit_is_refused(narrow: Server) -> None:
    refused = Rest(narrow.http).send("POST", AGENTS, b'{"description": "' + b"x" * 3000 + b'"}')
    assert refusal(refused) == (413, "INVALID_ARGUMENT", "Request payload size exceeds the limit: 2000 bytes.")


def test_a_body_within_the_limit_is_taken(narrow: Server) -> None:
    assert Rest(narrow.http).agent(avatarUri="x" * 1000).startswith(f"{LOCATION}/agents/")


def test_a_body_in_another_encoding_is_refused(rest: Rest) -> None:
    code, status, message = refusal(rest.send("POST", AGENTS, b"\x1f\x8b", {"Content-Encoding": "br"}))
    assert (code, status) == (400, "INVALID_ARGUMENT")
    assert message == "The content encoding 'br' is not supported; send JSON without it, or with gzip."


def test_a_session_goes_on_after_a_request_that_was_refused(rest: Rest, agent: str) -> None:
    rest.start(agent, "Talk.")
    session = f"{agent}/sessions/1"
    rest.say(session, "hello", queryParams={"parameters": {"colour": "red"}})
    refused = rest.send("POST", f"/v3/{session}:detectIntent", b'{"queryInput": {"text": 1}}')
    assert refusal(refused)[2].startswith(f"{PAYLOAD}$.queryInput.text: ")
    assert rest.say(session, "hello")["parameters"] == {"colour": "red"}
