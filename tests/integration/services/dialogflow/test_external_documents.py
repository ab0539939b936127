"""Documents that a description refers to elsewhere, fetched when its tool is saved: real requests to a real service."""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.http_transport import HttpTransport
from openplaybook.jsonvalues import JsonObject, JsonValue, dumps
from openplaybook.services.external_documents import MAX_BYTES, ExternalDocuments, Missing, UnreachableDocument
from openplaybook.services.inline_secrets import InlineSecrets
from openplaybook.services.operations import OperationRunner
from openplaybook.services.parts import ServiceParts
from openplaybook.services.registrations import register_dialogflow
from openplaybook.storage.sqlite import SqliteStore
from openplaybook.tools.openapi.kind import KIND
from openplaybook.tools.toolbox import Toolbox
from openplaybook.wire.api import load_api
from openplaybook.wire.errors import Code
from openplaybook.wire.registry import Registry
from tests.integration.services.peers import Caller, Clock
from tests.kit.http_peer import HttpPeer, Received, answer, http_peer
from tests.kit.openapi import description
from tests.kit.sealing import SEALER

PET = "Pet: {type: object, properties: {owner: {$ref: 'owner.json'}}}"
OWNER = '{"type": "object", "properties": {"name": {"type": "string"}}}'
FILES = {"/pets.yaml": PET, "/owner.json": OWNER}


@asynccontextmanager
async def serving(files: Mapping[str, str]) -> AsyncGenerator[HttpPeer]:
    """A service that has these files."""

    def reply(received: Received) -> bytes:
        text = files.get(received.target)
        return answer(b"", "404 Not Found") if text is None else answer(text.encode(), content_type="text/plain")

    async with http_peer(reply) as peer:
        yield peer


@asynccontextmanager
async def fetching(allow: str = "127.0.0.0/8") -> AsyncGenerator[ExternalDocuments]:
    transport = HttpTransport(AddressPolicy(parse_allow(allow)))
    yield ExternalDocuments(transport)
    await transport.aclose()


def document(*references: str) -> JsonObject:
    schemas: list[JsonObject] = [{"$ref": reference} for reference in references]
    body: JsonObject = {"content": {"application/json": {"schema": {"anyOf": schemas}}}}
    return description({"/a": {"post": {"operationId": "act", "requestBody": body, "responses": {}}}})


def text_with(*references: str) -> str:
    return dumps(document(*references)).decode()


def missing(text: str, **settings: JsonValue) -> Missing:
    """What an OpenAPI tool with that description needs besides."""
    assert KIND.elsewhere is not None
    return partial(KIND.elsewhere.missing, {"textSchema": text, "settings": settings})


@pytest.mark.proves("O11")
async def test_documents_are_fetched_with_those_that_they_refer_to() -> None:
    async with serving(FILES) as peer, fetching() as external:
        fetched = await external.fetch(missing(text_with(f"{peer.url}/pets.yaml#/Pet")))
        assert fetched == {f"{peer.url}/pets.yaml": PET, f"{peer.url}/owner.json": OWNER}
        assert [received.target for received in peer.requests] == ["/pets.yaml", "/owner.json"]


async def test_what_is_there_already_is_not_fetched_again() -> None:
    async with serving(FILES) as peer, fetching() as external:
        there = [{"uri": "pets.yaml", "text": PET}, {"uri": "owner.json", "text": OWNER}]
        needed = missing(text_with("pets.yaml#/Pet"), documents=there, documentUri=f"{peer.url}/openapi.json")
        assert await external.fetch(needed) == {}
        assert peer.requests == []


async def test_a_relative_reference_is_fetched_from_where_the_description_stands_and_else_from_nowhere() -> None:
    async with serving(FILES) as peer, fetching() as external:
        text = text_with("pets.yaml#/Pet")
        assert list(await external.fetch(missing(text, documentUri=f"{peer.url}/openapi.json"))) == [
            f"{peer.url}/pets.yaml",
            f"{peer.url}/owner.json",
        ]
        assert await external.fetch(missing(text)) == {}


@pytest.mark.proves("A11")
@pytest.mark.parametrize("address", ["http://169.254.169.254/latest", "http://127.0.0.1:1/a.yaml", "http://[::1]/a"])
async def test_private_addresses_are_refused_as_they_are_for_calls(address: str) -> None:
    async with fetching(allow="") as external:
        with pytest.raises(UnreachableDocument) as caught:
            await external.fetch(missing(text_with(address)))
        assert str(caught.value).startswith(f"{address} cannot be fetched: ")


async def test_files_and_other_schemes_are_never_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.yaml"
    secret.write_text("a: secret")
    async with fetching() as external:
        assert await external.fetch(missing(text_with(secret.as_uri(), "ftp://x/a.yaml", "gopher://x/a"))) == {}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (None, "the response is 404"),
        ("a: [", "cannot be read: the YAML is malformed"),
        ("", "cannot be read: the text is empty"),
        ("[" * 100_000, "cannot be read: the JSON is malformed"),
        ("a: " + "x" * MAX_BYTES, "is larger than 10 MB"),
    ],
)
async def test_what_cannot_be_used_is_told(body: str | None, message: str) -> None:
    async with serving({} if body is None else {"/a.yaml": body}) as peer, fetching() as external:
        with pytest.raises(UnreachableDocument) as caught:
            await external.fetch(missing(text_with(f"{peer.url}/a.yaml")))
        assert str(caught.value).startswith(f"{peer.url}/a.yaml ")
        assert message in str(caught.value)


async def test_documents_that_lead_on_and_on_come_to_an_end() -> None:
    files = {f"/{n}.yaml": f"a: {{$ref: '{n + 1}.yaml'}}" for n in range(100)}
    async with serving(files) as peer, fetching() as external:
        with pytest.raises(UnreachableDocument, match="it refers to more than 20 documents elsewhere"):
            await external.fetch(missing(text_with(f"{peer.url}/0.yaml")))
        assert len(peer.requests) == 20


@pytest.fixture
async def call(tmp_path: Path) -> AsyncIterator[Caller]:
    """Calls the RPCs of a server whose operator allows external references."""
    api, clock = load_api(), Clock()
    store = SqliteStore(tmp_path / "store.db", clock=clock)
    await store.open()
    operations = OperationRunner(store, api, clock)
    async with fetching() as external:
        transport = HttpTransport(AddressPolicy())
        parts = ServiceParts(
            api, store, Toolbox(transport), operations, InlineSecrets(SEALER), clock, external_documents=external
        )
        registry = Registry(api)
        register_dialogflow(registry, parts)
        yield Caller(registry, parts, clock)
        await transport.aclose()
    await operations.close(5)
    await store.close()


@pytest.mark.proves("O11")
async def test_a_saved_tool_holds_what_its_description_refers_to(call: Caller) -> None:
    async with serving(FILES) as peer:
        tool = {
            "displayName": "Pets",
            "description": "d",
            "openApiSpec": {"textSchema": text_with(f"{peer.url}/pets.yaml#/Pet")},
        }
        stored = await call("Tools.CreateTool", {"parent": await call.agent(), "tool": tool})
        assert stored["openApiSpec"]["settings"] == {
            "documents": [
                {"uri": f"{peer.url}/pets.yaml", "text": PET},
                {"uri": f"{peer.url}/owner.json", "text": OWNER},
            ]
        }
        assert call.warnings == []
        changed = {"name": stored["name"], "description": "e"}
        await call("Tools.UpdateTool", {"tool": changed, "updateMask": "description"})
        assert len(peer.requests) == 2


async def test_a_tool_whose_documents_cannot_be_had_is_refused(call: Caller) -> None:
    async with serving({}) as peer:
        spec = {"textSchema": text_with(f"{peer.url}/pets.yaml#/Pet")}
        code, message, _ = await call.error(
            "Tools.CreateTool",
            {"parent": await call.agent(), "tool": {"displayName": "P", "description": "d", "openApiSpec": spec}},
        )
    assert (code, message) == (
        Code.INVALID_ARGUMENT,
        f"tool.openApiSpec.textSchema: {peer.url}/pets.yaml cannot be fetched: the response is 404",
    )
