"""The life of an app and of everything in it, made with Google's clients."""

import io
import zipfile
from collections.abc import Iterator

import pytest
from google.api_core import exceptions

from openplaybook.jsonvalues import JsonObject
from openplaybook.wire.messages import ApiMessage
from tests.e2e.kit.google import Google
from tests.e2e.kit.rest import LOCATION
from tests.e2e.kit.studio import WEATHER, Studio, to_json

pytestmark = pytest.mark.proves("X1")

SCHEMA = """
openapi: 3.0.0
info: {title: Orders, version: '1'}
servers: [{url: 'https://orders.example'}]
paths:
  /orders/{id}:
    get:
      operationId: getOrder
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: an order}}
"""

FILTER = {"banned_contents": ["no"], "match_type": "SIMPLE_STRING_MATCH"}
REFUSAL = {"respond_immediately": {"responses": [{"text": "No."}]}}
KINDS: "dict[str, tuple[JsonObject, JsonObject, str]]" = {
    "agent": ({"display_name": "one", "instruction": "Help."}, {"instruction": "Help more."}, "instruction"),
    "tool": ({"client_function": WEATHER}, {"client_function": {"name": "get_weather"}}, "client_function"),
    "toolset": (
        {"display_name": "orders", "open_api_toolset": {"open_api_schema": SCHEMA}},
        {"description": "The orders."},
        "description",
    ),
    "example": (
        {"display_name": "one", "messages": [{"role": "user", "chunks": [{"text": "hi"}]}]},
        {"display_name": "two"},
        "display_name",
    ),
    "guardrail": (
        {"display_name": "one", "content_filter": FILTER, "action": REFUSAL},
        {"description": "No means no."},
        "description",
    ),
}
"""By the field's name: what is made, what is changed, and the changed field."""


def new_app(google: Google, **fields: ApiMessage) -> ApiMessage:
    """An empty app."""
    app = {"display_name": "Life", **fields}
    return google("AgentService").create_app(request={"parent": LOCATION, "app": app}).result()


@pytest.fixture
def app(google: Google) -> Iterator[str]:
    """The name of an app that is deleted again, with all that is in it."""
    name: str = new_app(google).name
    yield name
    google("AgentService").delete_app(request={"name": name}).result()
    with pytest.raises(exceptions.NotFound):
        google("AgentService").get_app(name=name)


def test_an_app_is_made_read_listed_changed_by_mask_and_kept_by_its_etag(google: Google, app: str) -> None:
    agents = google("AgentService")
    read = agents.get_app(name=app)
    assert (read.display_name, read.name) == ("Life", app)
    assert app in [each.name for each in agents.list_apps(parent=LOCATION)]
    changed = agents.update_app(
        request={
            "app": {"name": app, "display_name": "Lives", "description": "not in the mask"},
            "update_mask": {"paths": ["display_name"]},
        }
    )
    assert (changed.display_name, changed.description) == ("Lives", "")
    assert changed.etag != read.etag
    with pytest.raises((exceptions.Aborted, exceptions.Conflict)):
        agents.update_app(request={"app": {"name": app, "display_name": "Late", "etag": read.etag}})


def test_an_id_may_be_asked_for_once(google: Google, app: str) -> None:
    agents = google("AgentService")
    made = agents.create_agent(
        request={"parent": app, "agent_id": "front-desk", "agent": {"display_name": "desk", "instruction": "Help."}}
    )
    assert made.name == f"{app}/agents/front-desk"
    with pytest.raises((exceptions.AlreadyExists, exceptions.Conflict)):
        agents.create_agent(
            request={"parent": app, "agent_id": "front-desk", "agent": {"display_name": "two", "instruction": "Help."}}
        )


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_in_an_app_is_made_read_listed_changed_and_deleted(google: Google, app: str, kind: str) -> None:
    agents = google("AgentService")
    body, change, field = KINDS[kind]
    made = getattr(agents, f"create_{kind}")(request={"parent": app, kind: body})
    assert made.name.startswith(f"{app}/{kind}s/")
    assert getattr(agents, f"get_{kind}")(name=made.name) == made
    listed = [each.name for each in getattr(agents, f"list_{kind}s")(parent=app)]
    assert made.name in listed
    named = {kind: {"name": made.name, **change}, "update_mask": {"paths": [field]}}
    changed = getattr(agents, f"update_{kind}")(request=named)
    expected = getattr(google, kind.capitalize())(**change)
    assert to_json(changed)[_camel(field)] == to_json(expected)[_camel(field)]
    getattr(agents, f"delete_{kind}")(name=made.name)
    with pytest.raises(exceptions.NotFound):
        getattr(agents, f"get_{kind}")(name=made.name)


def _camel(field: str) -> str:
    first, *others = field.split("_")
    return first + "".join(each.capitalize() for each in others)


def test_lists_come_in_pages(google: Google, app: str) -> None:
    agents = google("AgentService")
    names = [f"agent{number}" for number in range(5)]
    for name in names:
        agents.create_agent(request={"parent": app, "agent": {"display_name": name, "instruction": "Help."}})
    pages = [2, 2, 1]
    token, found = "", []
    for size in pages:
        request = {"parent": app, "page_size": 2, "page_token": token}
        listed = agents.list_agents(request=request)
        page = listed if isinstance(listed, list) else next(iter(listed.pages)).agents
        if isinstance(listed, list):
            assert len(listed) == 5
            return
        found.extend(each.display_name for each in page)
        assert len(page) == size
        token = next(iter(agents.list_agents(request=request).pages)).next_page_token
    assert (sorted(found), token) == (names, "")


def test_a_version_keeps_what_was_and_brings_it_back(google: Google, app: str) -> None:
    agents = google("AgentService")
    agent = agents.create_agent(
        request={"parent": app, "agent": {"display_name": "desk", "instruction": "As it was."}}
    ).name
    version = agents.create_app_version(request={"parent": app, "app_version": {"display_name": "one"}})
    assert [each.display_name for each in version.snapshot.agents] == ["desk"]
    changed = {"agent": {"name": agent, "instruction": "As it is."}, "update_mask": {"paths": ["instruction"]}}
    agents.update_agent(request=changed)
    agents.restore_app_version(request={"name": version.name}).result()
    [restored] = list(agents.list_agents(parent=app))
    assert (restored.display_name, restored.instruction) == ("desk", "As it was.")


def test_changes_are_on_record(google: Google, app: str) -> None:
    agents = google("AgentService")
    agent = agents.create_agent(request={"parent": app, "agent": {"display_name": "desk", "instruction": "Help."}})
    agents.delete_agent(name=agent.name)
    changes = [(each.action, each.resource) for each in agents.list_changelogs(parent=app) if each.resource]
    assert [resource for _, resource in changes].count(agent.name) == 2


def test_an_app_moves_out_and_in_again(studio: Studio) -> None:
    google = studio.google
    agents = google("AgentService")
    exported = agents.export_app(request={"name": studio.app, "export_format": "JSON"}).result()
    with zipfile.ZipFile(io.BytesIO(exported.app_content)) as archive:
        assert any(name.endswith("app.json") for name in archive.namelist())
    request = {"parent": LOCATION, "display_name": "Again", "app_content": exported.app_content}
    imported: str = agents.import_app(request=request).result().name
    assert imported != studio.app
    again = agents.export_app(request={"name": imported, "export_format": "JSON"}).result()
    assert sorted(each.display_name for each in agents.list_agents(parent=imported)) == ["billing", "desk", "expert"]
    assert len(again.app_content) > 0
    config = {"config": {"session": f"{imported}/sessions/s"}, "inputs": [{"text": "pet 3"}]}
    outputs = google("SessionService").run_session(request=config).outputs
    assert [output.text for output in outputs if output.text] == ["Luna belongs to Aisha."]
