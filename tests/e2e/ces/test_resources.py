"""Apps and all that is in them, made and changed with Google's own clients."""

from uuid import uuid4

import pytest
from google.api_core import exceptions
from google.protobuf import field_mask_pb2

from openplaybook.jsonvalues import JsonObject
from openplaybook.wire.messages import ApiMessage
from tests.e2e.kit.google import Google
from tests.e2e.kit.rest import LOCATION, Rest
from tests.e2e.kit.studio import imported_app

pytestmark = pytest.mark.proves("S1", "X1")


def masked(*paths: str) -> field_mask_pb2.FieldMask:
    return field_mask_pb2.FieldMask(paths=paths)


@pytest.fixture
def app(google: Google) -> str:
    """The name of an app of the test's own."""
    return new_app(google).name


def new_app(google: Google, **fields: object) -> ApiMessage:
    request = {"parent": LOCATION, "app_id": f"a{uuid4().hex}", "app": {"display_name": "Zoo", **fields}}
    return google("AgentService").create_app(request=request).result()


def test_an_app_is_made_read_changed_and_deleted(google: Google) -> None:
    service = google("AgentService")
    variable: JsonObject = {"name": "user", "description": "Who asks.", "schema": {"type_": "STRING", "default": "Kim"}}
    app = new_app(
        google, global_instruction="Be kind.", variable_declarations=[variable], tool_execution_mode="SEQUENTIAL"
    )
    assert type(app) is google.App
    assert service.get_app(name=app.name) == app
    changed = service.update_app(app=google.App(name=app.name, description="d"), update_mask=masked("description"))
    app.description, app.etag, app.update_time = "d", changed.etag, changed.update_time
    assert changed == app
    assert app.name in [each.name for each in service.list_apps(parent=LOCATION)]
    operation = service.delete_app(name=app.name)
    operation.result()
    with pytest.raises(exceptions.NotFound):
        service.get_app(name=app.name)


def test_what_an_operation_says_of_itself_has_googles_type(google: Google) -> None:
    request = {"parent": LOCATION, "app_id": f"a{uuid4().hex}", "app": {"display_name": "Zoo"}}
    operation = google("AgentService").create_app(request=request)
    app = operation.result()
    metadata = operation.metadata
    assert type(metadata) is google.OperationMetadata
    assert app.create_time <= metadata.create_time <= metadata.end_time


def test_resources_of_every_kind_are_read_back_as_they_were_answered(google: Google, app: str) -> None:
    service = google("AgentService")
    tool = service.create_tool(
        parent=app, tool_id="weather", tool={"client_function": {"name": "weather", "description": "Tells."}}
    )
    toolset = service.create_toolset(
        parent=app, toolset_id="pets", toolset={"display_name": "pets", "open_api_toolset": {"open_api_schema": PETS}}
    )
    guardrail = service.create_guardrail(
        parent=app,
        guardrail_id="polite",
        guardrail={
            "display_name": "polite",
            "enabled": True,
            "content_filter": {"banned_contents": ["darn"], "match_type": "WORD_BOUNDARY_STRING_MATCH"},
            "action": {"respond_immediately": {"responses": [{"text": "Please."}]}},
        },
    )
    agent = service.create_agent(
        parent=app,
        agent_id="greeter",
        agent={
            "display_name": "Greeter",
            "instruction": "Greet {user}.",
            "tools": [tool.name, f"{app}/tools/end_session"],
            "toolsets": [{"toolset": toolset.name, "tool_ids": ["getPet"]}],
            "guardrails": [guardrail.name],
        },
    )
    call = {"id": "1", "tool": tool.name, "args": {"city": "Bonn", "days": [1, 2]}}
    messages = [
        {"role": "user", "chunks": [{"text": "Weather?"}]},
        {"role": "Greeter", "chunks": [{"tool_call": call}]},
    ]
    example = service.create_example(
        parent=app, example_id="first", example={"display_name": "first", "messages": messages}
    )
    version = service.create_app_version(parent=app, app_version_id="one", app_version={"display_name": "one"})
    deployment = service.create_deployment(
        parent=app,
        deployment_id="web",
        deployment={"display_name": "web", "app_version": version.name, "channel_profile": {"channel_type": "API"}},
    )
    for resource, get in (
        (tool, service.get_tool),
        (toolset, service.get_toolset),
        (guardrail, service.get_guardrail),
        (agent, service.get_agent),
        (example, service.get_example),
        (version, service.get_app_version),
        (deployment, service.get_deployment),
    ):
        assert get(name=resource.name) == resource
    assert list(service.list_agents(parent=app)) == [agent]
    assert [one.display_name for one in version.snapshot.agents] == ["Greeter"]
    assert [entry.resource for entry in service.list_changelogs(parent=app)] == [
        app,
        *(one.name for one in (tool, toolset, guardrail, agent, example, version, deployment)),
    ]


PETS = """
openapi: 3.0.0
info: {title: Pets, version: '1'}
servers: [{url: 'https://pets.example'}]
paths: {'/pets/{id}': {get: {operationId: getPet, parameters: [{name: id, in: path, required: true,
  schema: {type: integer}}], responses: {'200': {description: a pet}}}}}
"""


def test_a_version_is_brought_back(google: Google, app: str) -> None:
    service = google("AgentService")
    agent = service.create_agent(parent=app, agent={"display_name": "Greeter", "instruction": "Greet."})
    version = service.create_app_version(parent=app, app_version={"display_name": "one"})
    service.delete_agent(name=agent.name)
    response = service.restore_app_version(name=version.name).result()
    assert type(response) is google.RestoreAppVersionResponse
    assert service.get_agent(name=agent.name) == agent


def test_a_list_is_read_page_by_page_filtered_and_ordered(google: Google, app: str) -> None:
    service = google("AgentService")
    for id_ in ("b", "c", "a"):
        service.create_agent(parent=app, agent_id=id_, agent={"display_name": id_.upper()})
    request: JsonObject = {"parent": app, "page_size": 2, "order_by": "name desc"}
    assert [each.display_name for each in service.list_agents(request=request)] == ["C", "B", "A"]
    request = {"parent": app, "filter": 'display_name = "A" OR display_name = "B"'}
    assert [each.display_name for each in service.list_agents(request=request)] == ["B", "A"]


def test_refusals_are_googles(google: Google, app: str) -> None:
    service = google("AgentService")
    agent = service.create_agent(parent=app, agent_id="a", agent={"display_name": "A"})
    with pytest.raises(exceptions.Conflict):
        service.create_agent(parent=app, agent_id="a", agent={"display_name": "B"})
    with pytest.raises(exceptions.BadRequest, match=r"agent\.display_name"):
        service.create_agent(parent=app, agent={"instruction": "Greet."})
    with pytest.raises(exceptions.NotFound, match=r"agent\.tools\[0\]"):
        service.create_agent(parent=app, agent={"display_name": "B", "tools": [f"{app}/tools/no"]})
    service.update_app(app=google.App(name=app, root_agent=agent.name), update_mask=masked("root_agent"))
    # Google's REST clients know no FAILED_PRECONDITION: they go by the status of HTTP alone.
    with pytest.raises((exceptions.FailedPrecondition, exceptions.BadRequest), match="is used by app 'Zoo'"):
        service.delete_agent(name=agent.name)
    stale = google.Agent(name=agent.name, display_name="New", etag="stale")
    with pytest.raises((exceptions.Aborted, exceptions.Conflict), match="has changed since it was read"):
        service.update_agent(agent=stale)


def test_operations_with_fields_of_ours_are_read_by_googles_clients(google: Google, rest: Rest) -> None:
    name = imported_app(rest, f"By {google.version} {google.transport}")["name"]
    agents = google("AgentService")
    assert agents.get_operation(request={"name": name}).done
    listed = agents.list_operations(request={"name": LOCATION, "page_size": 1000}).operations
    assert name in [each.name for each in listed]
