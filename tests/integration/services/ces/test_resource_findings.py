"""What is odd about an app's resources as they are saved."""

from collections.abc import Sequence

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.services.ces import resource_findings
from openplaybook.storage.base import Record
from openplaybook.wire.errors import Code
from openplaybook.workers.lanes import AT_ONCE
from tests.integration.services.ces.studio import Studio
from tests.kit.threads_seen import LOOP, threads_of

pytestmark = pytest.mark.proves("S1")


async def test_what_an_instruction_names_and_is_not_there_is_kept_as_an_error_of_the_agent(studio: Studio) -> None:
    app = await studio.app()
    await studio.tool(app)
    agent = await studio.agent(app, instruction="Use {@TOOL: wether} as {@AGENT: Greeter} does.")
    [error] = agent["validationErrors"]
    assert error == "instruction: {@TOOL: wether} names no tool of the app (at character 5)"
    assert studio.warnings == [f"agent.{error}"]
    update = {"agent": {"name": agent["name"], "instruction": "Use {@TOOL: weather}."}, "updateMask": "instruction"}
    await studio("UpdateAgent", update)


async def test_what_is_kept_and_of_no_effect_is_a_warning_alone(studio: Studio) -> None:
    app = await studio.app()
    callback = {"pythonCode": "def after_model_callback(context, response):\n    return None\n"}
    agent = await studio.agent(app, afterModelCallbacks=[callback])
    assert "validationErrors" not in agent
    assert [warning.split(":")[0] for warning in studio.warnings] == ["agent.afterModelCallbacks"]


async def test_a_guardrail_that_is_not_judged_here_says_so(studio: Studio) -> None:
    app = await studio.app()
    action = {"respondImmediately": {"responses": [{"text": "No."}]}}
    await studio.guardrail(app, contentFilter=None, modelSafety={}, action=action)
    assert [warning.split(":")[0] for warning in studio.warnings] == ["guardrail.modelSafety"]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (
            {"contentFilter": {"bannedContents": ["ok", "(x"], "matchType": "REGEXP_MATCH"}},
            "guardrail.contentFilter.bannedContents[1]: '(x' is not a regular expression of RE2",
        ),
        ({"contentFilter": None}, "guardrail: is a guardrail of no kind (known: contentFilter, "),
    ],
)
async def test_a_guardrail_that_would_guard_nothing_is_refused(studio: Studio, given: JsonObject, told: str) -> None:
    app = await studio.app()
    guardrail: JsonObject = {"displayName": "words", "enabled": True, **given}
    request: JsonObject = {
        "parent": app,
        "guardrail": {name: one for name, one in guardrail.items() if one is not None},
    }
    code, sentence = await studio.refusal("CreateGuardrail", request)
    assert (code, sentence[: len(told)]) == (Code.INVALID_ARGUMENT, told)


async def test_in_large_apps_they_are_found_beside_the_event_loop(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = await studio.app()
    looked = threads_of(monkeypatch, resource_findings, "problems")
    await studio.agent(app, "small")
    large = {"name": "large", "description": "x" * AT_ONCE}
    await studio.tool(app, "large", clientFunction=large)
    agent = await studio.agent(app, instruction="Use {@TOOL: larg}.")
    [error] = agent["validationErrors"]
    assert error == "instruction: {@TOOL: larg} names no tool of the app (at character 5)"
    assert looked == [LOOP, "openplaybook-documents", "openplaybook-documents"]


async def test_only_kinds_are_read_that_can_be_named(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    app, store = await studio.app(), studio.call.parts.store
    kinds: list[set[str]] = []
    scan = store.scan

    async def noted(root: str, wanted: Sequence[str] = ()) -> Sequence[Record]:
        kinds.append(set(wanted))
        return await scan(root, wanted)

    monkeypatch.setattr(store, "scan", noted)
    await studio.agent(app)
    assert kinds == [{"app", "app_agent", "app_tool", "app_toolset", "app_guardrail", "app_example"}]


_PETS = """
openapi: 3.0.0
info: {title: pets, version: "1"}
servers: [{url: https://pets.example}]
paths:
  /pets/{petId}:
    get:
      operationId: getPet
      parameters: [{name: petId, in: path, required: true, schema: {type: integer}}]
      responses: {}
"""


@pytest.mark.parametrize(
    ("called", "args", "faults"),
    [
        ("weather", {"city": "Paris"}, []),
        ("weather", {"city": 5}, ["args: does not fit the action 'weather': city must be string, got 5"]),
        ("weather", {}, ["args: does not fit the action 'weather': city is required (string)"]),
        ("add", {"a": 1, "b": 2}, []),
        ("add", {"a": 1, "b": 2, "c": 3}, ["args: does not fit the action 'add': c is not known; allowed: a, b"]),
        ("pets.getPet", {"petId": 7}, []),
        ("pets.getPet", {"petId": "x"}, ["args: does not fit the action 'getPet': petId must be integer, got \"x\""]),
        (
            "pets.getPte",
            {"petId": 7},
            ["toolsetTool.toolId: the tool 'pets' has no action 'getPte'; did you mean 'getPet'?"],
        ),
    ],
)
async def test_a_call_in_an_example_that_could_not_be_made_is_a_warning(
    studio: Studio, called: str, args: JsonObject, faults: list[str]
) -> None:
    app = await studio.app()
    inputs = {"type": "OBJECT", "properties": {"city": {"type": "STRING"}}, "required": ["city"]}
    await studio.tool(app, clientFunction={"name": "weather", "description": "d", "parameters": inputs})
    await studio.python_tool(app)
    toolset = await studio.toolset(app, openApiToolset={"openApiSchema": _PETS})
    root = await studio.agent(app)
    name, _, operation = called.partition(".")
    whose: JsonObject = (
        {"toolsetTool": {"toolset": toolset["name"], "toolId": operation}}
        if operation
        else {"tool": f"{app}/tools/{name}"}
    )
    await studio.example(app, "first", {"toolCall": {**whose, "args": args}}, entryAgent=root["name"])
    at = "example.messages[0].chunks[1].toolCall."
    assert studio.warnings == [at + fault for fault in faults]
