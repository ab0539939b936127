"""Tools with long descriptions, checked in a process of their own: the same is told of them."""

import pytest

from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.tools.base import Problem
from openplaybook.tools.openapi import check_process
from openplaybook.workers.child_processes import ChildProcesses
from tests.unit.tools.test_toolbox import box

NAME = "projects/p/locations/global/agents/a/tools/t"
LONG = "x" * check_process.AT_ONCE


def operation(**more: object) -> JsonObject:
    return {"operationId": "act", "responses": {"200": {"description": "OK"}}, **more}


def description(get: JsonObject, **more: object) -> JsonObject:
    servers = [{"url": "https://api.example.com"}]
    info = {"title": "T", "version": "1"}
    return {"openapi": "3.0.3", "info": info, "servers": servers, "paths": {"/things/{thingId}": {"get": get}}, **more}


PARAMETER = {"name": "thingID", "in": "path", "required": True, "schema": {"type": "intger"}}
PLAIN = description(operation())
ODD = description(operation(parameters=[PARAMETER]))
BROKEN = description(operation(parameters=[{"$ref": "#/components/parameters/none"}]))
KEYED = description(
    operation(security=[{"key": []}]),
    components={"securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}}},
)


def key(name: str, text: str) -> JsonObject:
    return {"apiKeyConfig": {"keyName": name, "apiKey": text, "requestLocation": "HEADER"}}


CASES: dict[str, tuple[JsonObject | str, JsonObject]] = {
    "nothing wrong": (PLAIN, {}),
    "odd": (ODD, {}),
    "not callable": (BROKEN, {}),
    "no operations": ({**PLAIN, "paths": {}}, {}),
    "no description": ("[1, 2]", {}),
    "YAML": (f"openapi: 3.0.3\ninfo: {{title: T, version: '1'}}\npaths:\n  /a:\n    get: {dumps(ODD).decode()}\n", {}),
    "malformed": ('{"openapi": "3.0.3",, "paths": {', {"authentication": key("X Key", "k")}),
    "no credential": (KEYED, {}),
    "a key": (KEYED, {"authentication": key("X-Key", "k")}),
    "a key with a bad name": (KEYED, {"authentication": key("X Key", "k")}),
    "a key that no header carries": (KEYED, {"authentication": key("X-Key", "a\nb")}),
    "settings that do not fit": (PLAIN, {"settings": {"operationSelection": {"operationIds": ["none"]}}}),
    "settings of no kind": (PLAIN, {"settings": {"operationSelection": {"maxOperations": -1}}}),
    "a service of no kind": (PLAIN, {"serviceDirectoryConfig": {"service": "x"}}),
}


def tool(text: JsonObject | str, more: JsonObject) -> JsonObject:
    """A tool whose description has more than is checked at once, in blanks at its end."""
    schema = (text if isinstance(text, str) else dumps(text).decode().replace('"get"', '\n"get"')) + "\n" * len(LONG)
    return {"name": NAME, "displayName": "T", "openApiSpec": {"textSchema": schema, **more}}


@pytest.mark.parametrize("case", CASES)
def test_the_same_is_told_as_of_a_tool_that_is_checked_at_once(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    resource = tool(*CASES[case])
    assert check_process.is_apart(resource)
    told = box().check(resource)
    monkeypatch.setattr(check_process, "is_apart", lambda resource: False)
    assert sorted(told, key=repr) == sorted(box().check(resource), key=repr)


def test_no_secret_comes_into_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs: list[bytes] = []

    def run(children: ChildProcesses, pieces: list[bytes], **limits: float) -> bytes:
        jobs.append(b"".join(pieces))
        return b"[]"

    resource = tool(KEYED, {"authentication": key("X-Key", "sesame")})
    box().check(tool("", {}))
    monkeypatch.setattr(ChildProcesses, "run", run)
    assert box().check(resource) == []
    assert [b"sesame" in job for job in jobs] == [False] * len(jobs)
    assert b'"apiKey":"hidden"' in jobs[-1]
    assert resource["openApiSpec"]["authentication"] == key("X-Key", "sesame")


def test_a_check_that_ends_its_process_is_an_error_of_the_description(monkeypatch: pytest.MonkeyPatch) -> None:
    def children(*, is_large: bool) -> ChildProcesses:
        return ChildProcesses("os:abort", most=1, memory=512 * 1024 * 1024)

    monkeypatch.setattr(check_process, "_children", children)
    assert box().check(tool(PLAIN, {})) == [
        Problem(
            "$.openApiSpec.textSchema",
            "checking the description takes more than 25 s or 768 MB: divide it into several tools",
        )
    ]


@pytest.mark.parametrize(
    "more",
    [
        {"securitySchemeAuthentications": [{"scheme": "key"}]},
        {"settings": {"documents": [{"uri": "a.json", "text": "{}"}]}},
    ],
)
def test_what_needs_more_than_the_description_is_checked_at_once(more: JsonObject) -> None:
    assert not check_process.is_apart(tool(KEYED, more))


def test_a_short_description_is_checked_at_once() -> None:
    resource = {"name": NAME, "displayName": "T", "openApiSpec": {"textSchema": dumps(PLAIN).decode()}}
    assert not check_process.is_apart(resource)
