"""Fields that a system tells of itself stand beside those of the manifest."""

from dataclasses import dataclass, field

import pytest

from openplaybook.connectors.base import SystemCall
from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.errors import ConnectorError, PermissionRefused, SystemUnavailable, UnknownName
from openplaybook.connectors.rest.field_sources import EntityForms, described_field, described_fields
from openplaybook.connectors.rest.manifest.model import DescribeManifest, RequestLine
from openplaybook.connectors.rest.system_request import SystemReply, SystemRequest
from openplaybook.connectors.rest.systems import manifest_of
from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse
from openplaybook.jsonvalues import JsonObject, JsonValue
from tests.kit.vendor_mock.conformance import NoResolver

MANIFEST = """
id: acme
title: Acme
evidence: compiled only
evidence_note: It is made for tests.
base_url: https://api.acme.example/v1
auth: [{kind: none}]
entities:
  tickets:
    fields: {id: key, title: string}
    list: GET /tickets
    schema: {describe: {http: "GET /columns?of={entity}", items: rows, name: column, required: needed, read_only: fixed,
      label: label, types: {number: int64, flag: boolean_text, "*": string}}}
"""
ROWS: list[JsonValue] = [
    {"column": "title", "type": "text", "needed": "true"},
    {"column": "size", "type": "number", "needed": "true", "label": "Size"},
    {"column": "open", "type": "flag", "needed": "false", "fixed": "true"},
    {"column": "", "type": "text"},
]


class NoTransport:
    """Nothing is sent past the fake."""

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        """Refused."""
        raise OSError("not sent")

    async def aclose(self) -> None:
        """Nothing is held."""


@dataclass
class Describing:
    """A system that only says what columns there are."""

    error: ConnectorError | None = None
    asked: list[str] = field(default_factory=list[str])
    values: dict[str, str] = field(default_factory=dict[str, str])
    is_keyed: bool = False

    def without_credential(self, address: str) -> str:
        return address

    async def send(self, request: SystemRequest, call: SystemCall) -> SystemReply:
        """The columns, or the error."""
        self.asked.append(f"{request.method} {request.path}")
        if self.error is not None:
            raise self.error
        reply: JsonObject = {"rows": ROWS}
        return SystemReply("https://api.acme.example", HttpResponse(200, (), b"", False, 0.0), reply)


def forms(system: Describing) -> EntityForms:
    return EntityForms(manifest_of(MANIFEST, "acme"), system, SystemAccess(NoTransport(), NoResolver()))


async def test_columns_of_the_system_are_added_with_what_it_says_in_texts() -> None:
    system = Describing()
    form = await forms(system).form("tickets", SystemCall())
    assert list(form.fields) == ["id", "title", "size", "open"]
    assert form.fields["size"].field.is_required
    assert form.fields["size"].field.description == "Size"
    assert form.fields["open"].field.is_read_only
    assert not form.fields["title"].field.is_required
    assert system.asked == ["GET /columns?of=tickets"]


async def test_whoever_may_not_read_the_columns_has_those_of_the_manifest() -> None:
    form = await forms(Describing(PermissionRefused("no"))).form("tickets", SystemCall())
    assert list(form.fields) == ["id", "title"]


async def test_a_system_that_does_not_answer_is_no_system_without_columns() -> None:
    with pytest.raises(SystemUnavailable):
        await forms(Describing(SystemUnavailable("down"))).form("tickets", SystemCall())


@pytest.mark.parametrize(
    "row", [{"type": "text"}, {"column": "a b", "type": "text"}, {"column": "a", "type": "odd"}, 7]
)
def test_a_column_without_a_usable_name_or_type_is_left_out(row: JsonValue) -> None:
    describe = DescribeManifest(RequestLine("GET", "/columns"), name="column", types={"text": "string"})
    assert described_field(describe, row) is None


def test_an_object_of_columns_by_name_is_read_and_one_without_a_type_is_what_the_manifest_says() -> None:
    describe = DescribeManifest(
        RequestLine("GET", "/{entity}/_mapping"),
        items="*.mappings.properties",
        name="key",
        types={"keyword": "string", "": "object nofilter"},
    )
    reply: JsonValue = {
        "a-1": {"mappings": {"properties": {"b": {"type": "keyword"}, "c": {"properties": {}}, "d": {"type": "odd"}}}}
    }
    found = {each.name: each.field for each in described_fields(describe, reply, "a")}
    assert list(found) == ["b", "c"]
    assert not found["c"].is_filterable


DISCOVERING = MANIFEST.replace(
    "entities:",
    """discover: {http: GET /types, items: rows, name: column, label: type}
entities:
  "*":
    fields: {id: key}
    list: GET /{entity}""",
)


def discovering(system: Describing) -> EntityForms:
    return EntityForms(manifest_of(DISCOVERING, "acme"), system, SystemAccess(NoTransport(), NoResolver()))


async def test_types_are_those_of_the_manifest_and_of_the_system() -> None:
    known = discovering(Describing())
    assert await known.names(SystemCall()) == ["open", "size", "tickets", "title"]
    assert (await known.form("size", SystemCall())).manifest.path == "size"
    with pytest.raises(UnknownName):
        await known.form("nowhere", SystemCall())


async def test_where_types_may_not_be_asked_for_a_name_that_a_client_knows_is_tried() -> None:
    closed = discovering(Describing(PermissionRefused("no")))
    assert await closed.names(SystemCall()) == ["tickets"]
    assert (await closed.form("u_visitor", SystemCall())).manifest.path == "u_visitor"
    for name in ("../users", "a b", "", "*"):
        with pytest.raises(UnknownName):
            await closed.form(name, SystemCall())
