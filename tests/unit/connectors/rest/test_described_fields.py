"""Fields that no manifest lists: from the operator's API documents, and from what a system tells about itself."""

import gzip
import json
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from openplaybook.connectors.base import DataType, EntityOperation, EntityQuery, FieldReference, SystemCall
from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.errors import SystemFault, UnknownName
from openplaybook.connectors.rest.connection import RestConnection
from openplaybook.connectors.rest.systems import manifest_of
from openplaybook.connectors.settings import AccessToken, ConnectionSettings
from openplaybook.credentials.token_cache import TokenCache
from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse
from openplaybook.jsonvalues import JsonObject, JsonValue, dumps
from tests.kit.egress import Names

DOCUMENT: JsonObject = {
    "components": {
        "schemas": {
            "base": {"properties": {"id": {"type": "string", "readOnly": True}}},
            "customer": {
                "allOf": [
                    {"$ref": "#/components/schemas/base"},
                    {
                        "properties": {
                            "mail": {"type": "string"},
                            "born": {"type": "string", "format": "date", "description": "When."},
                            "level": {"type": "string", "enum": ["gold", "silver"]},
                            "since": {"type": "integer", "format": "unix-time"},
                            "friend": {"$ref": "#/components/schemas/customer"},
                        }
                    },
                ]
            },
        }
    }
}

DESCRIBED: JsonValue = {
    "fields": [
        {"name": "Id", "type": "id", "updateable": False, "label": "Record"},
        {"name": "Name", "type": "string", "updateable": True, "mandatory": True},
        {"name": "Stage", "type": "picklist", "updateable": True, "picks": [{"value": "new"}, {"value": "won"}]},
        {"name": "AccountId", "type": "reference", "updateable": True, "referenceTo": ["Account"]},
        {"name": "Place", "type": "location", "updateable": True},
        {"name": "bad name", "type": "string"},
    ]
}


@dataclass
class Told:
    """A transport that answers by path."""

    replies: dict[str, JsonValue]
    requests: list[str] = field(default_factory=list[str])
    status: int = 200

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        path = request.url.removeprefix("https://acme.example")
        self.requests.append(path)
        return HttpResponse(self.status, (), dumps(self.replies[path.partition("?")[0]]), False, 0.0)

    async def aclose(self) -> None:
        """Nothing is held."""


def connection(entities: JsonObject, told: Told, documents: Path | None = None, **more: JsonValue) -> RestConnection:
    text = dumps(
        {
            "id": "acme",
            "title": "Acme",
            "evidence_note": "None.",
            "base_url": "https://acme.example",
            "auth": [{"kind": "bearer"}],
            "entities": entities,
        }
        | more
    )
    access = SystemAccess(told, Names({}), TokenCache(), documents=documents)
    settings = ConnectionSettings("c", "acme", authentication=AccessToken("t"))
    return RestConnection(manifest_of(text.decode(), "acme"), settings, access)


@pytest.mark.parametrize("name", ["acme.json", "acme.json.gz", "acme.yaml"])
async def test_fields_of_a_document_come_besides_those_of_the_manifest(tmp_path: Path, name: str) -> None:
    data = json.dumps(DOCUMENT).encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    entity: JsonObject = {
        "fields": {"id": "key", "email": {"type": "string", "path": "mail"}},
        "schema": {"openapi": name, "component": "customer"},
    }
    entity_type = await connection({"customers": entity}, Told({}), tmp_path).entity_type("customers", SystemCall())
    fields = {each.name: each for each in entity_type.fields}
    assert list(fields) == ["id", "email", "born", "level", "since", "friend"]
    assert (fields["born"].data_type, fields["born"].description) == (DataType.DATE, "When.")
    assert fields["level"].values == ("gold", "silver")
    assert fields["since"].data_type is DataType.TIMESTAMP_WITH_ZONE
    assert fields["friend"].data_type is DataType.STRUCT or fields["friend"].data_type is DataType.OTHER


async def test_without_the_document_the_fields_are_those_of_the_manifest(tmp_path: Path) -> None:
    entity: JsonObject = {"fields": {"id": "key"}, "schema": {"openapi": "none.json", "component": "x"}}
    for folder in (None, tmp_path):
        entity_type = await connection({"a": entity}, Told({}), folder).entity_type("a", SystemCall())
        assert [each.name for each in entity_type.fields] == ["id"]


@pytest.mark.parametrize(("text", "reason"), [("{", "cannot be read"), ("{}", "has no component 'x'")])
async def test_a_document_that_cannot_be_used_is_told(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "a.json").write_text(text)
    entity: JsonObject = {"fields": {"id": "key"}, "schema": {"openapi": "a.json", "component": "x"}}
    with pytest.raises(SystemFault, match=reason):
        await connection({"a": entity}, Told({}), tmp_path).entity_type("a", SystemCall())


WILDCARD: JsonObject = {
    "fields": {"Id": "key"},
    "list": {"http": "GET /sobjects/{entity}"},
    "items": "records",
    "schema": {
        "describe": {
            "http": "GET /sobjects/{entity}/describe",
            "items": "fields",
            "label": "label",
            "types": {"id": "string", "string": "string", "picklist": "string", "reference": "string"},
            "writable": "updateable",
            "required": "mandatory",
            "values": "picks",
            "value": "value",
            "reference": "referenceTo[0]",
        }
    },
}
DISCOVER: JsonObject = {"http": "GET /sobjects", "items": "sobjects", "label": "label", "when": ["queryable"]}
TYPES: JsonValue = {
    "sobjects": [
        {"name": "Deal", "label": "A deal", "queryable": True},
        {"name": "Hidden", "queryable": False},
    ]
}


async def test_a_system_tells_its_entity_types_and_their_fields_once() -> None:
    told = Told({"/sobjects": TYPES, "/sobjects/Deal/describe": DESCRIBED})
    connected = connection({"*": WILDCARD}, told, discover=DISCOVER)
    call = SystemCall(is_rehearsal=True)
    assert await connected.entity_names(call) == ["Deal"]
    await connected.entity_type("Deal", call)
    entity_type = await connected.entity_type("Deal", call)
    fields = {each.name: each for each in entity_type.fields}
    assert list(fields) == ["Id", "Name", "Stage", "AccountId"]
    assert entity_type.description == "A deal"
    assert entity_type.operations == {EntityOperation.LIST}
    assert fields["Name"].is_required
    assert fields["Stage"].values == ("new", "won")
    assert fields["AccountId"].reference == FieldReference("Account", "Id")
    assert told.requests == ["/sobjects", "/sobjects/Deal/describe"]


@pytest.mark.parametrize("name", ["Hidden", "*", "../x", "Deal/../x"])
async def test_only_what_the_system_tells_can_be_asked_for(name: str) -> None:
    told = Told({"/sobjects": TYPES, "/sobjects/Deal/describe": DESCRIBED})
    with pytest.raises(UnknownName):
        await connection({"*": WILDCARD}, told, discover=DISCOVER).list(EntityQuery(name), SystemCall())
    assert told.requests == ["/sobjects"]


async def test_where_the_credential_may_not_see_fields_those_of_the_manifest_are_there() -> None:
    told = Told({"/sobjects": TYPES, "/sobjects/Deal/describe": {}}, status=403)
    entity_type = await connection({"Deal": WILDCARD}, told).entity_type("Deal", SystemCall())
    assert [each.name for each in entity_type.fields] == ["Id"]


async def test_what_was_told_is_forgotten_with_the_connection() -> None:
    told = Told({"/sobjects": TYPES, "/sobjects/Deal/describe": DESCRIBED})
    connected = connection({"*": WILDCARD}, told, discover=DISCOVER)
    await connected.entity_names(SystemCall())
    await connected.aclose()
    await connected.entity_names(SystemCall())
    assert told.requests == ["/sobjects", "/sobjects"]


def many(count: int) -> JsonValue:
    return {"fields": [{"name": f"f{number}", "type": "string"} for number in range(count)]}


async def test_of_very_many_fields_some_are_read_where_none_are_chosen() -> None:
    replies: dict[str, JsonValue] = {
        "/sobjects/Deal/describe": many(300),
        "/sobjects/Deal": {"records": [{"f299": "x"}]},
    }
    connected = connection({"Deal": WILDCARD}, Told(replies))
    page = await connected.list(EntityQuery("Deal"), SystemCall())
    assert len(page.entities[0].fields) == 60
    chosen = await connected.list(EntityQuery("Deal", fields=("f299",)), SystemCall())
    assert chosen.entities[0].fields == {"f299": "x"}
    assert len((await connected.entity_type("Deal", SystemCall())).fields) == 301
