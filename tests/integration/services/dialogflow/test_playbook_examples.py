import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.services import example_tools
from openplaybook.wire.errors import Code
from tests.integration.services.peers import LOCATION, Caller
from tests.kit.threads_seen import threads_of


async def test_an_example_is_in_the_agents_language_unless_it_says_otherwise(call: Caller) -> None:
    playbook = (await call.playbook(await call.agent(defaultLanguageCode="de")))["name"]
    assert (await call.example(playbook))["languageCode"] == "de"
    assert (await call.example(playbook, "Second", languageCode="fr"))["languageCode"] == "fr"


async def test_examples_are_listed_by_language(call: Caller) -> None:
    playbook = (await call.playbook(await call.agent()))["name"]
    for number in range(6):
        await call.example(playbook, f"e{number}", languageCode=("en", "de")[number % 2])
    first = await call("Examples.ListExamples", {"parent": playbook, "languageCode": "de", "pageSize": 2})
    assert [example["displayName"] for example in first["examples"]] == ["e1", "e3"]
    rest = {"parent": playbook, "languageCode": "de", "pageSize": 2, "pageToken": first["nextPageToken"]}
    last = await call("Examples.ListExamples", rest)
    assert [example["displayName"] for example in last["examples"]] == ["e5"]
    assert "nextPageToken" not in last
    assert (await call.refusal("Examples.ListExamples", {**rest, "languageCode": "en"}))[0] is Code.INVALID_ARGUMENT
    assert len((await call("Examples.ListExamples", {"parent": playbook}))["examples"]) == 6


@pytest.mark.proves("G5")
@pytest.mark.parametrize(
    "use",
    [
        {"inputParameters": [{"name": "city", "value": "Paris"}], "outputParameters": [{"name": "t", "value": 23.5}]},
        {"inputActionParameters": {"city": "Paris"}, "outputActionParameters": {"t": 23.5}},
    ],
)
async def test_a_tool_use_is_stored_in_the_form_it_is_sent_in(call: Caller, use: dict[str, object]) -> None:
    agent = await call.agent()
    tool, playbook = await call.tool(agent), await call.playbook(agent)
    actions = [{"toolUse": {"tool": tool["name"], "action": "Weather", **use}}]
    example = await call.example(playbook["name"], actions=actions)
    assert example["actions"] == actions
    assert await call("Examples.GetExample", {"name": example["name"]}) == example
    assert call.warnings == []


async def test_a_client_that_does_not_know_listed_parameters_does_not_lose_them(call: Caller) -> None:
    agent = await call.agent()
    tool, playbook = await call.tool(agent), await call.playbook(agent)
    use = {"tool": tool["name"], "action": "Weather"}
    listed = {"inputParameters": [{"name": "city", "value": "Paris"}]}
    example = await call.example(playbook["name"], actions=[{"toolUse": {**use, **listed}}])
    patched = await call(
        "Examples.UpdateExample", {"example": {**example, "displayName": "New", "actions": [{"toolUse": use}]}}
    )
    assert patched["actions"] == [{"toolUse": {**use, **listed}}]


async def test_an_action_that_leads_nowhere_is_saved_with_a_warning(call: Caller) -> None:
    agent = await call.agent()
    await call.tool(agent)
    playbook = await call.playbook(agent)
    await call.example(playbook["name"], actions=[{"toolUse": {"tool": "Wether", "action": "a"}}])
    assert call.warnings == ["$.actions[0].toolUse.tool: there is no tool 'Wether'; did you mean 'Weather'?"]


async def test_an_example_needs_a_name_and_whole_utterances(call: Caller) -> None:
    playbook = (await call.playbook(await call.agent()))["name"]
    example = {"actions": [{"userUtterance": {}}]}
    assert await call.refusal("Examples.CreateExample", {"parent": playbook, "example": example}) == (
        Code.INVALID_ARGUMENT,
        "Required but not given: example.display_name, example.actions[0].user_utterance.text",
    )


async def test_an_example_of_no_playbook_is_not_created(call: Caller) -> None:
    playbook = f"{LOCATION}/agents/a/playbooks/none"
    request = {"parent": playbook, "example": {"displayName": "e"}}
    assert await call.refusal("Examples.CreateExample", request) == (
        Code.NOT_FOUND,
        f"Playbook {playbook} does not exist",
    )


async def test_a_deleted_example_is_gone(call: Caller) -> None:
    playbook = (await call.playbook(await call.agent()))["name"]
    name = (await call.example(playbook))["name"]
    await call("Examples.DeleteExample", {"name": name})
    assert await call.refusal("Examples.DeleteExample", {"name": name}) == (
        Code.NOT_FOUND,
        f"Example {name} does not exist",
    )


FUNCTION: JsonObject = {
    "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
}


@pytest.mark.parametrize(
    ("use", "fault"),
    [
        ({"action": "Wether"}, "action: the tool 'Weather' has no action 'Wether'; did you mean 'Weather'?"),
        (
            {"action": "Weather", "inputActionParameters": {"city": 5}},
            "inputActionParameters: does not fit the action 'Weather': city must be string, got 5",
        ),
        (
            {"action": "Weather", "inputParameters": [{"name": "town", "value": "Paris"}, {"name": "city"}]},
            "inputParameters: does not fit the action 'Weather': town is not known; allowed: city",
        ),
        (
            {"action": "Weather"},
            "inputActionParameters: does not fit the action 'Weather': city is required (string)",
        ),
    ],
)
async def test_a_tool_call_that_could_not_be_made_is_saved_and_reported(
    call: Caller, use: JsonObject, fault: str
) -> None:
    agent = await call.agent()
    await call.tool(agent, functionSpec=FUNCTION)
    playbook = await call.playbook(agent)
    actions = [{"userUtterance": {"text": "hi"}}, {"toolUse": {"tool": "Weather", **use}}]
    example = await call.example(playbook["name"], actions=actions)
    told = f"$.actions[1].toolUse.{fault}"
    assert call.warnings == [told]
    await call("Examples.UpdateExample", {"example": {**example, "displayName": "New"}})
    assert call.warnings == [told]
    [entry] = [
        each
        for each in (await call("Agents.ValidateAgent", {"name": agent}))["flowValidationResults"]
        if each["name"] == example["name"]
    ]
    [message] = entry["validationMessages"]
    assert message["detail"] == told
    assert message["severity"] == ("ERROR" if ".action:" in told else "WARNING")
    assert message["resourceNames"] == [
        {"name": playbook["name"], "displayName": "Greeter"},
        {"name": example["name"], "displayName": "New"},
    ]


async def test_a_tool_that_changes_is_what_the_next_example_is_checked_against(call: Caller) -> None:
    agent = await call.agent()
    tool = await call.tool(agent, functionSpec=FUNCTION)
    playbook = await call.playbook(agent)
    use = {"tool": tool["name"], "action": "Weather", "inputActionParameters": {"town": "Paris"}}
    await call.example(playbook["name"], actions=[{"toolUse": use}])
    assert len(call.warnings) == 2
    renamed = {"inputSchema": {"type": "object", "properties": {"town": {"type": "string"}}, "required": ["town"]}}
    await call("Tools.UpdateTool", {"tool": {**tool, "functionSpec": renamed}, "updateMask": "functionSpec"})
    await call.example(playbook["name"], "Second", actions=[{"toolUse": use}])
    assert call.warnings == []


async def test_tools_are_compiled_beside_the_event_loop(call: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    agent = await call.agent()
    playbook = await call.playbook(agent)
    tool = await call.tool(agent)
    compiled = threads_of(monkeypatch, example_tools, "_with_actions")
    await call.example(playbook["name"], actions=[{"toolUse": {"tool": tool["name"], "action": "Weather"}}])
    assert compiled == ["openplaybook-documents"]


async def test_calls_of_a_tool_that_takes_long_to_compile_are_checked_by_validation_alone(call: Caller) -> None:
    agent = await call.agent()
    large = {**FUNCTION["inputSchema"], "description": "x" * 1_000_000}
    await call.tool(agent, functionSpec={"inputSchema": large})
    playbook = await call.playbook(agent)
    use = {"tool": "Weather", "action": "Wether"}
    await call.example(playbook["name"], actions=[{"toolUse": use}])
    assert call.warnings == []
    found = (await call("Agents.ValidateAgent", {"name": agent}))["flowValidationResults"]
    assert any("has no action 'Wether'" in str(each) for each in found)


_KEYED = """
openapi: 3.0.0
info: {title: pets, version: "1"}
servers: [{url: https://pets.example}]
paths:
  /pets/{petId}:
    get:
      operationId: getPet
      parameters:
        - {name: petId, in: path, required: true, schema: {type: integer}}
        - {name: X-Key, in: header, required: true, schema: {type: string}}
      responses: {}
"""


@pytest.mark.parametrize("key", [{}, {"apiKey": "k1"}, {"secretVersionForApiKey": "projects/p/secrets/s/versions/1"}])
async def test_calls_of_a_tool_are_checked_whether_its_secret_is_there_or_not(call: Caller, key: JsonObject) -> None:
    agent = await call.agent()
    authentication = {"apiKeyConfig": {"keyName": "X-Key", "requestLocation": "HEADER", **key}}
    spec = {"textSchema": _KEYED, "authentication": authentication}
    await call.tool(agent, "pets", functionSpec=None, openApiSpec=spec)
    playbook = await call.playbook(agent)
    use: JsonObject = {"tool": "pets", "action": "getPet", "inputActionParameters": {"petId": "x"}}
    await call.example(playbook["name"], actions=[{"toolUse": use}])
    at = "$.actions[0].toolUse.inputActionParameters"
    assert call.warnings == [f"{at}: does not fit the action 'getPet': petId must be integer, got \"x\""]
    use["inputActionParameters"] = {"petId": 7}
    await call.example(playbook["name"], "Second", actions=[{"toolUse": use}])
    assert call.warnings == []
