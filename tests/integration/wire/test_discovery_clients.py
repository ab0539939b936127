"""Google's client that makes itself from a discovery document, unpatched, against Integration Connectors here."""

import asyncio
import copy
import json
from collections.abc import Callable
from typing import Any

import httplib2
import pytest
from googleapiclient.discovery import build_from_document
from googleapiclient.errors import HttpError

from openplaybook.jsonvalues import JsonObject
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage
from tests.integration.wire.conftest import Served
from tests.kit.discovery_documents import DocumentMethod, document, faults, methods
from tests.unit.wire.test_discovered_api import SERVED

Client = Any
"""What the document says, as methods: no type knows them."""

METHODS = [
    pytest.param(version, method, id=f"{version}-{method.id.removeprefix('projects.locations.')}")
    for version, served in SERVED.items()
    for method in methods(f"connectors.{version}")
    if method.id.removeprefix("projects.locations.") in served - {"connections.tools"}
]
"""Without the one that the client itself hides behind a resource of the same name."""
CONNECTION = "projects/p/locations/l/connections/c"
ROWS = f"{CONNECTION}/entityTypes/Customer"
V1, V2 = "google.cloud.connectors.v1", "google.cloud.connectors.v2"
QUERIES = {"string": "word", "integer": 3, "boolean": True}


async def answered(served: Served, version: str, request: Callable[[Client], Any]) -> Any:
    """What the client gives for a request that it makes; the loop goes on meanwhile."""

    def run() -> Any:
        http = httplib2.Http(timeout=30)
        options = {"api_endpoint": served.http}
        content = copy.deepcopy(document(f"connectors.{version}"))
        with build_from_document(content, http=http, client_options=options) as client:
            return request(client).execute()

    return await asyncio.to_thread(run)


def made_request(client: Client, method: DocumentMethod) -> Any:
    """The request of a method with a value for each of its parameters."""
    arguments: JsonObject = {}
    for name, parameter in method.content["parameters"].items():
        if "Do not use this field" in parameter.get("description", ""):
            continue
        value = QUERIES[parameter["type"]]
        if parameter["location"] == "path":
            value = parameter["pattern"].strip("^$").replace("[^/]+", "x")
        elif "enum" in parameter:
            value = parameter["enum"][-1]
        elif parameter.get("format") == "google-fieldmask":
            value = "description"
        arguments[name.replace(".", "_")] = [value, "other"] if "repeated" in parameter else value
    if "request" in method.content:
        arguments["body"] = {}
    resource = client
    for part in method.resource:
        resource = getattr(resource, part)()
    return getattr(resource, method.name)(**arguments)


@pytest.mark.parametrize(("version", "method"), METHODS)
async def test_a_method_that_has_no_handler_says_so_in_googles_form(
    served: Served, version: str, method: DocumentMethod
) -> None:
    with pytest.raises(HttpError) as caught:
        await answered(served, version, lambda client: made_request(client, method))

    error = json.loads(caught.value.content)["error"]
    assert (caught.value.status_code, error["status"]) == (501, "UNIMPLEMENTED")
    assert error["message"].endswith("is not implemented by this server.")


def keep(served: Served, method: str, response: JsonObject) -> None:
    """Gives a method a handler that keeps its requests and answers with one response."""

    async def handler(request: ApiMessage, context: RpcContext) -> ApiMessage:
        served.service.note(request, context)
        codec = served.registry.api.codec
        return codec.from_json(response, served.registry.api.message(made.output.full_name)())

    made = served.registry.api.methods[method]
    served.registry.unary(method, handler)


async def test_a_connection_is_created_as_the_document_says(served: Served) -> None:
    operation = {
        "name": "projects/p/locations/l/operations/o",
        "done": True,
        "response": {"@type": f"type.googleapis.com/{V1}.Connection", "name": CONNECTION, "connectionRevision": "1"},
    }
    body = {
        "connectorVersion": "projects/p/locations/global/providers/gcp/connectors/mysql/versions/1",
        "configVariables": [{"key": "port", "intValue": "3306"}, {"key": "is_safe", "boolValue": False}],
        "authConfig": {"authType": "USER_PASSWORD", "userPassword": {"username": "u", "password": {}}},
        "labels": {"a": "b"},
    }
    keep(served, f"{V1}.Connections.CreateConnection", operation)

    given = await answered(
        served,
        "v1",
        lambda client: (
            client.projects()
            .locations()
            .connections()
            .create(parent="projects/p/locations/l", connectionId="c", body=body)
        ),
    )

    [request] = served.service.requests
    assert (request.parent, request.connection_id) == ("projects/p/locations/l", "c")
    assert served.registry.api.codec.to_json(request.connection) == body
    assert given == operation
    assert faults("connectors.v1", given, "Operation") == []


async def test_an_update_names_its_connection_by_the_path(served: Served) -> None:
    keep(served, f"{V1}.Connections.UpdateConnection", {"name": "projects/p/locations/l/operations/o"})

    await answered(
        served,
        "v1",
        lambda client: (
            client.projects()
            .locations()
            .connections()
            .patch(name=CONNECTION, updateMask="authConfig.userPassword,description", body={"description": "d"})
        ),
    )

    [request] = served.service.requests
    assert (request.connection.name, request.connection.description) == (CONNECTION, "d")
    assert list(request.update_mask.paths) == ["auth_config.user_password", "description"]


async def test_entities_are_listed_as_the_document_says(served: Served) -> None:
    response = {
        "entities": [{"name": f"{ROWS}/entities/1", "fields": {"id": 1, "tags": ["a", None], "at": {"b": 2.5}}}],
        "nextPageToken": "t",
        "metadata": {"page": {"@type": "type.googleapis.com/google.protobuf.Struct", "value": {"truncated": True}}},
    }
    keep(served, f"{V2}.Entities.ListEntities", response)

    given = await answered(
        served,
        "v2",
        lambda client: (
            client.projects()
            .locations()
            .connections()
            .entityTypes()
            .entities()
            .list(
                parent=ROWS,
                conditions="name = 'Ünï & co' AND \"a+b\" <> 1",
                sortBy=["name", "id"],
                sortOrder=["ASC", "DESC"],
                executionConfig_headers='{"x-a": "b"}',
                pageSize=7,
            )
        ),
    )

    [request] = served.service.requests
    assert served.registry.api.codec.to_json(request) == {
        "parent": ROWS,
        "conditions": "name = 'Ünï & co' AND \"a+b\" <> 1",
        "sortBy": ["name", "id"],
        "sortOrder": ["ASC", "DESC"],
        "executionConfig": {"headers": '{"x-a": "b"}'},
        "pageSize": 7,
    }
    assert given == response
    assert faults("connectors.v2", given, "ListEntitiesResponse") == []


async def test_an_entity_has_its_id_in_one_segment_of_the_path(served: Served) -> None:
    keep(served, f"{V2}.Entities.UpdateEntity", {"name": f"{ROWS}/entities/a"})

    await answered(
        served,
        "v2",
        lambda client: (
            client.projects()
            .locations()
            .connections()
            .entityTypes()
            .entities()
            .patch(name=f"{ROWS}/entities/a%2Fb:c", body={"fields": {"n": None}})
        ),
    )

    [request] = served.service.requests
    assert request.entity.name == f"{ROWS}/entities/a%2Fb:c"
    assert served.registry.api.codec.to_json(request.entity.fields) == {"n": None}


async def test_what_the_document_lacks_is_refused_with_its_place(served: Served) -> None:
    keep(served, f"{V2}.Connections.ExecuteSqlQuery", {})
    body = {"query": {"query": "select 1", "maxRow": "5"}}

    with pytest.raises(HttpError) as caught:
        await answered(
            served,
            "v2",
            lambda client: (
                client.projects().locations().connections().executeSqlQuery(connection=CONNECTION, body=body)
            ),
        )

    assert caught.value.status_code == 400
    assert "$.query.maxRow" in json.loads(caught.value.content)["error"]["message"]
