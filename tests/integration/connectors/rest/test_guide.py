"""The guide's smallest manifest does all that it declares, against a mock of a document that a vendor could have."""

from pathlib import Path

from openplaybook.connectors.rest.manifest.model import SystemManifest
from openplaybook.connectors.rest.systems import manifest_of
from openplaybook.connectors.settings import UserPassword
from openplaybook.jsonvalues import JsonObject
from tests.kit.vendor_mock.conformance import Conformance
from tests.kit.vendor_mock.vendor_document import VendorDocument
from tests.kit.vendor_mock.vendor_record import VendorRecord

GUIDE = Path(__file__).parents[4] / "docs" / "connectors" / "adding.md"
ID: JsonObject = {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}
CUSTOMER: JsonObject = {
    "type": "object",
    "properties": {
        "id": {"type": "integer", "readOnly": True},
        "email": {"type": "string"},
        "name": {"type": "string"},
        "status": {"type": "string", "enum": ["active", "closed"]},
        "created": {"type": "string", "format": "date-time", "readOnly": True},
    },
    "required": ["email"],
}


def content(schema: JsonObject) -> JsonObject:
    return {"content": {"application/json": {"schema": schema}}}


def reply(schema: JsonObject) -> JsonObject:
    return {"200": content(schema)}


def parameter(name: str, schema: JsonObject) -> JsonObject:
    return {"name": name, "in": "query", "schema": schema}


DOCUMENT: JsonObject = {
    "openapi": "3.0.3",
    "servers": [{"url": "https://demo.acme.example/api/v2"}],
    "paths": {
        "/customers": {
            "get": {
                "parameters": [
                    parameter("page", {"type": "integer"}),
                    parameter("per_page", {"type": "integer", "maximum": 100}),
                    parameter("email", {"type": "string"}),
                    parameter("status", {"type": "string", "enum": ["active", "closed"]}),
                ],
                "responses": reply({"type": "object", "properties": {"data": {"type": "array", "items": CUSTOMER}}}),
            },
            "post": {"requestBody": content(CUSTOMER), "responses": reply(CUSTOMER)},
        },
        "/customers/{id}": {
            "parameters": [ID],
            "get": {"responses": reply(CUSTOMER)},
            "put": {
                "requestBody": content({"type": "object", "properties": CUSTOMER["properties"]}),
                "responses": reply(CUSTOMER),
            },
            "delete": {"responses": {"204": {}}},
        },
        "/customers/{id}/close": {"post": {"parameters": [ID], "responses": reply(CUSTOMER)}},
    },
}


def guide_manifest() -> str:
    """The YAML of the guide."""
    text = GUIDE.read_text("utf-8").partition("## The smallest manifest")[2]
    return text.partition("```yaml\n")[2].partition("```")[0]


class GuideRecord(VendorRecord):
    """Of a system that is in the guide only."""

    __slots__ = ()

    @property
    def manifest(self) -> SystemManifest:
        return manifest_of(guide_manifest(), "acme")

    def document(self) -> VendorDocument:
        return VendorDocument([DOCUMENT])


def record() -> VendorRecord:
    return GuideRecord(
        id="acme",
        documents=(),
        config={"site": "demo"},
        authentication=UserPassword("ann", "password-0123"),
        base="/api/v2",
        conditions={},
        values={},
        parameters={},
        skip_fields={},
        unknown_fields={},
        unknown_paths=[],
        has_text_bodies=False,
        query="",
    )


async def test_the_smallest_manifest_of_the_guide_does_what_it_declares() -> None:
    run = Conformance(record(), record().manifest)
    assert await run.run() == []
    assert run.executed == {
        "CloseCustomer",
        "ExecuteCustomQuery",
        *(f"customers.{kind}" for kind in ("list", "get", "create", "update", "delete")),
    }


async def test_a_mistake_in_it_is_noticed() -> None:
    for right, wrong in (
        ("items: data", "items: rows"),
        ("param: page,", "param: pages,"),
        ("max: 100", "max: 500"),
        ("PUT /{entity}", "PATCH /{entity}"),
        ("name: string", "name: integer"),
        ("active|closed", "active|shut"),
        ("/close", "/closed"),
        ("email: email", "email: mail"),
    ):
        text = guide_manifest()
        assert right in text
        assert await Conformance(record(), manifest_of(text.replace(right, wrong, 1), "acme")).run(), wrong
