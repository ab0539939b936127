"""The tool service: a tool is run, described and listed by itself, as the console's tester does."""

import pytest
from google.api_core import exceptions

from openplaybook.jsonvalues import JsonObject
from openplaybook.wire.messages import ApiMessage
from tests.e2e.kit.studio import Studio, to_json
from tests.kit.http_peer import HttpPeer

pytestmark = pytest.mark.proves("X1")


def executed(studio: Studio, **request: ApiMessage) -> JsonObject:
    """The answer to ExecuteTool."""
    return to_json(studio.google("ToolService").execute_tool(request={"parent": studio.app, **request}))


@pytest.mark.usefixtures("sandbox")
def test_a_python_function_is_run_with_variables_and_gives_them_back(studio: Studio) -> None:
    answer = executed(studio, tool=studio.tool("tally"), args={"step": 2}, variables={"ordered": 5, "shop": "Rome"})
    assert answer["response"]["ordered"] == 7
    assert answer["variables"] == {"ordered": 7, "shop": "Rome"}
    assert answer["tool"] == studio.tool("tally")


@pytest.mark.usefixtures("sandbox")
def test_a_python_function_is_run_in_a_context(studio: Studio) -> None:
    context = {"state": {"ordered": 1}, "agent_name": "tester", "function_call_id": "c1"}
    answer = executed(studio, tool=studio.tool("tally"), args={}, context=context)
    assert answer["response"] == {"ordered": 2, "agent": "tester", "call": "c1"}


def test_an_operation_of_a_toolset_is_run(studio: Studio, pets: HttpPeer) -> None:
    named = {"toolset": studio.pets, "tool_id": "getPet"}
    answer = executed(studio, toolset_tool=named, args={"petId": 2})
    assert answer["toolsetTool"] == {"toolset": studio.pets, "toolId": "getPet"}
    assert "Milo" in str(answer["response"])
    assert [received.target for received in pets.requests] == ["/v1/pets/2"]


@pytest.mark.usefixtures("sandbox")
def test_mocks_answer_in_place_of_the_tools_that_a_tool_calls(beta_studio: Studio, pets: HttpPeer) -> None:
    mock = {
        "toolset": {"toolset": beta_studio.pets, "tool_id": "getPet"},
        "expected_args_pattern": {"petId": 2},
        "mock_response": {"name": "Mocky", "owner": "nobody"},
    }
    config = {"mocked_tool_calls": [mock], "unmatched_tool_call_behavior": "FAIL"}
    answer = executed(beta_studio, tool=beta_studio.tool("report"), args={"pet": 2}, mock_config=config)
    assert answer["response"] == {"line": "Mocky belongs to nobody."}
    unmatched = executed(beta_studio, tool=beta_studio.tool("report"), args={"pet": 3}, mock_config=config)
    assert list(unmatched["response"]) == ["error"]
    assert pets.requests == []


def test_a_client_function_cannot_be_run_here(studio: Studio) -> None:
    with pytest.raises(exceptions.GoogleAPICallError) as refused:
        executed(studio, tool=studio.weather, args={"city": "Oslo"})
    assert "client" in str(refused.value)


def test_schemas_of_tools_are_told(studio: Studio) -> None:
    tools = studio.google("ToolService")
    weather = tools.retrieve_tool_schema(request={"parent": studio.app, "tool": studio.weather})
    assert to_json(weather.input_schema)["properties"] == {"city": {"type": "STRING"}}
    assert to_json(weather.output_schema)["properties"] == {"temperature": {"type": "NUMBER"}}
    tally = to_json(
        tools.retrieve_tool_schema(request={"parent": studio.app, "tool": studio.tool("tally")}).input_schema
    )
    assert tally["properties"]["step"] == {"type": "INTEGER", "description": "How many were ordered.", "default": 1}
    named = {"toolset": studio.pets, "tool_id": "getPet"}
    pet = tools.retrieve_tool_schema(request={"parent": studio.app, "toolset_tool": named})
    assert to_json(pet.input_schema)["properties"]["petId"]["type"] == "INTEGER"


def test_a_toolset_lists_one_tool_for_each_operation(studio: Studio) -> None:
    tools = studio.google("ToolService")
    listed = tools.retrieve_tools(request={"toolset": studio.pets}).tools
    assert [each.display_name for each in listed] == ["pets_getPet", "pets_listPets", "pets_createPet"]
    assert [each.name for each in listed] == [
        f"{studio.pets}/tools/{id_}" for id_ in ("getPet", "listPets", "createPet")
    ]
    chosen = tools.retrieve_tools(request={"toolset": studio.pets, "tool_ids": ["getPet"]}).tools
    assert [each.display_name for each in chosen] == ["pets_getPet"]
