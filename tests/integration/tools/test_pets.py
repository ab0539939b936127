"""The documents' pet schema as printed, against a service on a real socket that keeps every byte."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.http_transport import HttpTransport
from openplaybook.jsonvalues import JsonObject, loads
from openplaybook.tools.base import Call, Failure, Outcome, Success, Tool, ToolContext
from openplaybook.tools.toolbox import Toolbox
from tests.kit.http_peer import Answer, HttpPeer, answer, http_peer

PRINTED = (Path(__file__).parents[2] / "fixtures" / "pets_verbatim.yaml").read_text()
PET = b'{"id":3,"name":"Rex"}'


@asynccontextmanager
async def pets(reply: Answer, allow: str = "127.0.0.1") -> AsyncGenerator[tuple[Tool, HttpPeer]]:
    """The tool, its one change being where the service is, and the service."""
    async with http_peer(reply) as peer:
        transport = HttpTransport(AddressPolicy(parse_allow(allow)))
        text = PRINTED.replace("https://api.pet-service-example.com", peer.url)
        built = Toolbox(transport).build({"name": "t", "displayName": "pets", "openApiSpec": {"textSchema": text}})
        yield built, peer
        await transport.aclose()


async def call(tool: Tool, name: str, arguments: JsonObject) -> Outcome:
    action = next(each for each in tool.actions() if each.name == name)
    return await tool.invoke(Call("c1", action, arguments), ToolContext("session-7"))


def test_the_printed_schema_is_accepted_without_a_remark() -> None:
    toolbox = Toolbox(HttpTransport(AddressPolicy()))
    resource = {"name": "t", "displayName": "pets", "openApiSpec": {"textSchema": PRINTED}}
    assert toolbox.check(resource) == []
    assert [action.name for action in toolbox.build(resource).actions()] == ["getPet", "listPets", "createPet"]


@pytest.mark.proves("O1", "O2")
async def test_a_pet_is_fetched_by_its_id_in_the_path() -> None:
    async with pets(lambda _: answer(PET)) as (tool, peer):
        assert await call(tool, "getPet", {"petId": 3.0}) == Success({"200": {"id": 3, "name": "Rex"}})
        assert [(request.method, request.target) for request in peer.requests] == [("GET", "/v1/pets/3")]


@pytest.mark.proves("O2", "O3")
async def test_pets_are_listed_with_repeated_labels_headers_and_the_session_id() -> None:
    async with pets(lambda _: answer(b"[" + PET + b"]")) as (tool, peer):
        arguments: JsonObject = {"petName": "Rex & Co", "label": ["dog", "brown"], "X-OWNER": "Kim"}
        assert await call(tool, "listPets", arguments) == Success({"200": [{"id": 3, "name": "Rex"}]})
        (request,) = peer.requests
        assert request.target == "/v1/pets?petName=Rex%20%26%20Co&label=dog&label=brown"
        assert (request.header("X-OWNER"), request.header("X-SESSION")) == ("Kim", "session-7")
        assert request.body == b""


@pytest.mark.proves("O2", "O6")
async def test_a_pet_is_created_with_a_json_body() -> None:
    async with pets(lambda _: answer(PET, "201 Created")) as (tool, peer):
        pet: JsonObject = {"id": 3.0, "name": "Rex", "owner": "Kim", "label": ["dog"]}
        assert await call(tool, "createPet", {"requestBody": pet}) == Success({"201": {"id": 3, "name": "Rex"}})
        (request,) = peer.requests
        assert (request.method, request.target) == ("POST", "/v1/pets")
        assert request.header("Content-Type") == "application/json"
        assert request.body == b'{"id":3,"name":"Rex","owner":"Kim","label":["dog"]}'


async def test_a_pet_that_does_not_exist_is_a_failure_with_the_services_words() -> None:
    body = b'{"message":"there is no pet 99"}'
    async with pets(lambda _: answer(body, "404 Not Found")) as (tool, _):
        assert await call(tool, "getPet", {"petId": 99}) == Failure(
            "HTTP_ERROR", "the API answered 404 Not Found: there is no pet 99", {"404": loads(body)}
        )


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("getPet", {}, "petId is required (integer)"),
        ("getPet", {"petId": "abc"}, 'petId must be integer, got "abc"'),
        ("getPet", {"petId": 1.5}, "petId must be integer, got 1.5"),
        ("createPet", {"requestBody": {"id": 1}}, "requestBody.name is required (string)"),
        ("createPet", {}, "requestBody is required (object)"),
        ("listPets", {"label": "dog"}, 'label must be array, got "dog"'),
        ("listPets", {"colour": "red"}, "colour is not known; allowed: petName, label, X-OWNER"),
    ],
)
async def test_wrong_arguments_never_reach_the_service(name: str, arguments: JsonObject, message: str) -> None:
    async with pets(lambda _: answer()) as (tool, peer):
        assert await call(tool, name, arguments) == Failure("INVALID_ARGUMENTS", message)
        assert (peer.requests, peer.connections) == ([], 0)


@pytest.mark.proves("A11")
async def test_without_permission_a_loopback_service_is_not_reached() -> None:
    async with pets(lambda _: answer(), allow="") as (tool, peer):
        outcome = await call(tool, "getPet", {"petId": 1})
        assert isinstance(outcome, Failure)
        assert (outcome.code, peer.connections) == ("ADDRESS_REFUSED", 0)


async def test_calls_share_connections() -> None:
    async with pets(lambda _: answer(PET)) as (tool, peer):
        for _ in range(10):
            await call(tool, "getPet", {"petId": 3})
        assert (len(peer.requests), peer.connections) == (10, 1)
