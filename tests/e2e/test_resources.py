"""Agents, tools, playbooks and examples, made and changed with Google's own clients."""

import ssl

import pytest
import trustme
from google.api_core import exceptions
from google.protobuf import field_mask_pb2

from openplaybook.jsonvalues import JsonObject
from openplaybook.wire.messages import ApiMessage
from tests.e2e.kit.google import Google
from tests.e2e.kit.pets import PRINTED_SCHEMA
from tests.e2e.kit.rest import Rest
from tests.e2e.kit.shop import Shop, function_tool, new_agent, openapi_tool, to_json

pytestmark = pytest.mark.proves("X1", "G7")


@pytest.fixture
def agent(google: Google) -> str:
    return new_agent(google).name


def stored(google: Google, agent: str, tool: ApiMessage) -> ApiMessage:
    """The tool as it is read back, which is how creating it answered."""
    made = google("Tools").create_tool(parent=agent, tool=tool)
    read = google("Tools").get_tool(name=made.name)
    assert read == made
    return read


def masked(*paths: str) -> field_mask_pb2.FieldMask:
    return field_mask_pb2.FieldMask(paths=paths)


@pytest.mark.proves("G1", "O1")
def test_an_openapi_tool_is_read_back_byte_for_byte(google: Google, agent: str) -> None:
    tool = openapi_tool(google, PRINTED_SCHEMA)
    certificate = ssl.PEM_cert_to_DER_cert(trustme.CA().cert_pem.bytes().decode())
    tool.open_api_spec.tls_config = {"ca_certs": [{"display_name": "ours", "cert": certificate}]}
    tool.open_api_spec.authentication = {"bearer_token_config": {"token": "$session.params.token"}}
    assert stored(google, agent, tool).open_api_spec == tool.open_api_spec


@pytest.mark.proves("G1", "F1")
def test_a_function_tool_is_read_back_byte_for_byte(google: Google, agent: str) -> None:
    tool = function_tool(google)
    tool.function_spec.input_schema["default"] = {"huge": 1e300, "half": 0.5, "none": None, "text": "\u0000é😀"}
    assert stored(google, agent, tool).function_spec == tool.function_spec


@pytest.mark.proves("G1")
def test_a_data_store_tool_is_read_back_byte_for_byte(google: Google, agent: str) -> None:
    store = "projects/p/locations/global/collections/default_collection/dataStores/d"
    connection = {"data_store_type": 1, "data_store": store}
    specification: JsonObject = {"data_store_connections": [connection], "fallback_prompt": {}}
    tool = google.Tool(display_name="Search", description="Finds.", data_store_spec=specification)
    assert stored(google, agent, tool).data_store_spec == tool.data_store_spec


@pytest.mark.proves("G1")
def test_a_connector_tool_is_read_back_byte_for_byte(google: Google, agent: str) -> None:
    if google.version == "v3":
        assert "connector_spec" not in google.Tool.meta.fields
        return
    actions: list[JsonObject] = [
        {"connection_action_id": "ExecuteCustomQuery"},
        {"entity_operation": {"entity_id": "Orders", "operation": 1}, "input_fields": ["id"], "output_fields": ["sum"]},
    ]
    specification = {"name": "projects/p/locations/l/connections/c", "actions": actions}
    tool = google.Tool(display_name="Orders", description="Finds.", connector_spec=specification)
    assert stored(google, agent, tool).connector_spec == tool.connector_spec


def test_a_list_is_read_page_by_page(google: Google, agent: str) -> None:
    tools = google("Tools")
    made = [google.Tool(display_name=f"t{n}", description="d", function_spec={}) for n in range(5)]
    names = [tools.create_tool(parent=agent, tool=tool).name for tool in made]
    listed = list(tools.list_tools(request={"parent": agent, "page_size": 2}))
    assert [tool.name for tool in listed] == [*names, f"{agent}/tools/df-code-interpreter-tool"]


def test_a_masked_update_changes_what_the_mask_names_and_nothing_else(google: Google, agent: str) -> None:
    tool = stored(google, agent, function_tool(google))
    other = google.Tool(name=tool.name, display_name="other", description="Changed.")
    tool.description = "Changed."
    assert google("Tools").update_tool(tool=other, update_mask=masked("description")) == tool
    assert google("Tools").get_tool(name=tool.name) == tool


def test_an_unknown_field_in_a_mask_is_refused(google: Google, agent: str) -> None:
    tool = stored(google, agent, function_tool(google))
    with pytest.raises(exceptions.BadRequest, match="Tool has no field 'no_such'"):
        google("Tools").update_tool(tool=tool, update_mask=masked("no_such"))


@pytest.mark.proves("G5")
def test_an_example_holds_what_users_agents_and_tools_did(shop: Shop) -> None:
    google = shop.google
    arguments, answer = {"petId": 3}, {"200": {"name": "Luna"}}
    query: JsonObject = {"petName": "Luna", "label": ["cat", "indoor"]}
    actions = [
        google.Action(user_utterance={"text": "Who is pet 3?"}),
        google.Action(tool_use=tool_use(shop, "getPet", arguments, answer)),
        google.Action(tool_use=tool_use(shop, "listPets", query, {"200": []})),
        google.Action(agent_utterance={"text": "Luna."}),
    ]
    example = google.Example(
        display_name="Luna",
        actions=actions,
        conversation_state=google.OutputState.OUTPUT_STATE_OK,
        playbook_input={"preceding_conversation_summary": "They greeted."},
        playbook_output={"execution_summary": "Told the name."},
    )
    made = google("Examples").create_example(parent=shop.playbook, example=example)
    read = google("Examples").get_example(name=made.name)
    assert read == made
    first, second = (to_json(action)["toolUse"] for action in read.actions if "tool_use" in action)
    assert (first["inputActionParameters"], first["outputActionParameters"]) == (arguments, answer)
    assert second["inputActionParameters"] == query
    assert [each.name for each in google("Examples").list_examples(parent=shop.playbook)] == [made.name]


def tool_use(shop: Shop, action: str, arguments: JsonObject, answer: JsonObject) -> ApiMessage:
    return shop.google.ToolUse(
        tool=shop.pets, action=action, input_action_parameters=arguments, output_action_parameters=answer
    )


@pytest.mark.proves("G4")
def test_a_playbook_refers_to_the_tools_that_its_instructions_name(shop: Shop) -> None:
    playbook = shop.google("Playbooks").get_playbook(name=shop.playbook)
    assert sorted(playbook.referenced_tools) == sorted([shop.pets, shop.weather])
    assert shop.google("Agents").get_agent(name=shop.agent).start_playbook == shop.playbook


def test_a_tool_version_keeps_the_tool_as_it_was(shop: Shop) -> None:
    google, name = shop.google, shop.weather
    tools = google("Tools")
    before = tools.get_tool(name=name)
    version = tools.create_tool_version(parent=name, tool_version=google.ToolVersion(display_name="one"))
    tools.update_tool(tool=google.Tool(name=name, description="Worse."), update_mask=masked("description"))
    assert [each.name for each in tools.list_tool_versions(parent=name)] == [version.name]
    assert tools.restore_tool_version(request={"name": version.name}).tool == before
    assert tools.get_tool(name=name) == before
    tools.delete_tool_version(request={"name": version.name})
    assert list(tools.list_tool_versions(parent=name)) == []


def test_a_tool_in_use_is_deleted_only_by_force(shop: Shop) -> None:
    tools = shop.google("Tools")
    with pytest.raises(exceptions.BadRequest, match="is used by playbook 'Desk'") as refused:
        tools.delete_tool(name=shop.pets)
    assert refused.value.reason == "TOOL_IN_USE"
    tools.delete_tool(request={"name": shop.pets, "force": True})
    with pytest.raises(exceptions.NotFound, match=f"Tool {shop.pets} does not exist"):
        tools.get_tool(name=shop.pets)
    assert list(shop.google("Playbooks").get_playbook(name=shop.playbook).referenced_tools) == [shop.weather]


def test_a_deleted_agent_takes_everything_along(shop: Shop) -> None:
    google = shop.google
    google("Agents").delete_agent(name=shop.agent)
    for service, method, name in (
        ("Agents", "get_agent", shop.agent),
        ("Tools", "get_tool", shop.pets),
        ("Playbooks", "get_playbook", shop.playbook),
    ):
        with pytest.raises(exceptions.NotFound, match=f"{name} does not exist"):
            getattr(google(service), method)(name=name)
    with pytest.raises(exceptions.NotFound, match=f"Agent {shop.agent} does not exist"):
        shop.say("hello")


def test_a_tool_whose_schema_is_no_openapi_document_is_refused(google: Google, agent: str) -> None:
    tool = openapi_tool(google, "openapi: 3.0.0\npaths: [")
    with pytest.raises(exceptions.BadRequest, match=r"tool\.openApiSpec\.textSchema \(line \d+\)"):
        google("Tools").create_tool(parent=agent, tool=tool)
    assert [each.display_name for each in google("Tools").list_tools(parent=agent)] == ["code-interpreter"]


def test_what_googles_types_do_not_know_survives_their_updates(shop: Shop, rest: Rest) -> None:
    rest("PATCH", f"v3/{shop.agent}?updateMask=pausedInput", {"pausedInput": "REFUSE"})
    agents = shop.google("Agents")
    agent = agents.get_agent(name=shop.agent)
    agent.description = "Changed by a typed client, without a mask."
    agents.update_agent(agent=agent)
    read = rest("GET", f"v3/{shop.agent}")
    assert (read["description"], read["pausedInput"]) == (agent.description, "REFUSE")
