"""Schemas from samples, asked of a running server over both transports."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import grpc
import grpc.aio
import pytest

from openplaybook.jsonvalues import JsonObject, as_object, dumps
from openplaybook.server.lifecycle import RunningServer
from openplaybook.tools.openapi.description.source_text import load_document
from openplaybook.wire.api import load_api
from tests.kit.http_peer import answer, http_peer

from .conftest import Start

GENERATE = "/openplaybook.v1.OpenPlaybook/GenerateOpenApiSchema"
SAMPLE: JsonObject = {"url": "https://api.shop.example/v1/pets/3", "responseBody": '{"id": 3, "name": "Rex"}'}
DRAFT: JsonObject = {
    "openapi": "3.0.3",
    "info": {"title": "Shop", "version": "1"},
    "servers": [{"url": "https://api.shop.example/v1"}],
    "paths": {"/pets": {"get": {"operationId": "listPets", "responses": {"200": {"description": "Pets"}}}}},
}


@dataclass
class Asking:
    """A server with one agent."""

    server: RunningServer
    http: aiohttp.ClientSession
    agent: str

    async def rest(self, version: str = "v3", /, **request: object) -> tuple[int, JsonObject]:
        async with self.http.post(f"/{version}/{self.agent}:generateOpenApiSchema", json=request) as reply:
            return reply.status, await reply.json()

    async def grpc(self, **request: object) -> JsonObject:
        api = load_api()
        method = api.methods["openplaybook.v1.OpenPlaybook.GenerateOpenApiSchema"]
        message = api.codec.from_json({"agent": self.agent, **request}, api.message(method.input.full_name)())
        answer = api.message(method.output.full_name)()
        async with grpc.aio.insecure_channel(self.server.grpc) as channel:
            answer.ParseFromString(await channel.unary_unary(GENERATE)(message.SerializeToString()))
        return api.codec.to_json(answer)

    async def refusal(self, **request: object) -> tuple[str, str, list[JsonObject]]:
        """Status, message and field violations."""
        _, answer = await self.rest(**request)
        error = as_object(answer["error"])
        violations = [each["fieldViolations"] for each in error.get("details", []) if "fieldViolations" in each]
        return error["status"], error["message"], violations[0] if violations else []


async def asking(running: RunningServer, http: aiohttp.ClientSession) -> Asking:
    made = {"displayName": "Shop", "defaultLanguageCode": "en", "timeZone": "Etc/UTC"}
    async with http.post("/v3/projects/p/locations/global/agents", json=made) as reply:
        return Asking(running, http, (await reply.json())["name"])


@pytest.fixture
async def offline(start: Start) -> AsyncIterator[Asking]:
    running = await start()
    async with aiohttp.ClientSession(running.http) as http:
        yield await asking(running, http)


@pytest.mark.proves("O8")
async def test_both_transports_give_the_same_schema(offline: Asking) -> None:
    status, answer = await offline.rest(samples=[SAMPLE])
    assert status == 200
    assert answer == await offline.grpc(samples=[SAMPLE])
    assert answer == (await offline.rest("v3beta1", samples=[SAMPLE]))[1]
    assert list(answer) == ["schema"]
    document = load_document(answer["schema"]).root
    assert document["paths"]["/pets/{petId}"]["get"]["operationId"] == "getPet"


@pytest.mark.proves("O8")
async def test_more_urls_and_methods_are_added_to_an_edited_schema(offline: Asking) -> None:
    _, first = await offline.rest(samples=[SAMPLE])
    edited = first["schema"].replace("summary: Get a pet", "summary: Fetch one of our pets")
    more = {
        "url": "https://api.shop.example/v1/pets",
        "method": "POST",
        "requestBody": '{"name": "Tom"}',
        "status": 201,
    }
    _, second = await offline.rest(samples=[more], schema=edited)
    paths = load_document(second["schema"]).root["paths"]
    assert paths["/pets/{petId}"]["get"]["summary"] == "Fetch one of our pets"
    assert paths["/pets"]["post"]["operationId"] == "createPet"


@pytest.mark.parametrize(
    ("request_", "field", "sentence"),
    [
        ({"samples": [SAMPLE, {"url": "/pets"}]}, "samples[1].url", "is not absolute"),
        ({"samples": [{**SAMPLE, "method": "FETCH"}]}, "samples[0].method", "'FETCH' is not one of GET"),
        ({"samples": [{**SAMPLE, "requestBody": "{"}]}, "samples[0].request_body", "is malformed JSON"),
        ({"samples": [{**SAMPLE, "status": 7}]}, "samples[0].status", "7 is not an HTTP status"),
        (
            {"samples": [{**SAMPLE, "responseBody": "x" * 1_000_000}]},
            "samples[0]",
            "is 1,000,034 bytes; at most 1,000,000",
        ),
        ({"samples": [SAMPLE] * 51}, "samples[50]", "there are 51 samples; at most 50 are read"),
        ({"samples": [SAMPLE], "schema": "swagger: '2.0'\npaths: {}"}, "schema", "the schema cannot be merged into"),
        (
            {"prompt": "An API of pets."},
            "samples",
            "there is nothing to start from: give samples, or words and a model",
        ),
        ({}, "samples", "there is nothing to start from"),
    ],
    ids=["url", "method", "body", "status", "long", "many", "schema", "words", "nothing"],
)
async def test_what_cannot_be_used_is_refused_with_its_field(
    offline: Asking, request_: JsonObject, field: str, sentence: str
) -> None:
    status, message, violations = await offline.refusal(**request_)
    assert (status, message) == ("INVALID_ARGUMENT", f"{field}: {violations[0]['description']}")
    assert [each["field"] for each in violations] == [field]
    assert violations[0]["description"].startswith(sentence)


async def test_an_agent_that_is_not_there_is_not_found(offline: Asking) -> None:
    gone = Asking(offline.server, offline.http, f"{offline.agent}x")
    assert (await gone.refusal(samples=[SAMPLE]))[0] == "NOT_FOUND"
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await gone.grpc(samples=[SAMPLE])
    assert refused.value.code() is grpc.StatusCode.NOT_FOUND


@pytest.mark.proves("O8")
async def test_the_model_that_the_agents_settings_ask_for_writes_the_schema(start: Start, tmp_path: Path) -> None:
    script = tmp_path / "writer.json"
    call = {"name": "submit_openapi_schema", "arguments": {"schema": dumps(DRAFT).decode()}}
    script.write_bytes(dumps({"replies": [{"calls": [call]}, *[{"text": "no"}] * 5]}))
    running = await start(model_aliases=f"writer=scripted:{script}")
    async with aiohttp.ClientSession(running.http) as http:
        server = await asking(running, http)
        _, without = await server.rest(samples=[SAMPLE])
        assert "usedModel" not in without
        settings = {"llmModelSettings": {"model": "writer"}, "languageCode": "en"}
        async with http.patch(
            f"/v3beta1/{server.agent}/generativeSettings?updateMask=llmModelSettings", json=settings
        ) as reply:
            assert reply.status == 200
        _, answer = await server.rest(samples=[SAMPLE])
        assert answer["usedModel"] is True
        assert list(load_document(answer["schema"]).root["paths"]) == ["/pets", "/pets/{petId}"]
        status, message, _ = await server.refusal(prompt="An API of pets.")
        assert status == "FAILED_PRECONDITION"
        assert message.startswith("the model wrote no usable schema: ")


async def test_a_model_that_fails_with_words_alone_is_told_as_such(start: Start, tmp_path: Path) -> None:
    script = tmp_path / "writer.json"
    script.write_bytes(dumps({"rules": [{"fail": {"kind": "unavailable", "message": "away"}}]}))
    running = await start(model=f"scripted:{script}")
    async with aiohttp.ClientSession(running.http) as http:
        server = await asking(running, http)
        assert (await server.refusal(prompt="An API of pets."))[:2] == (
            "UNAVAILABLE",
            "The model gave no decision (MODEL_UNAVAILABLE): away",
        )
        _, answer = await server.rest(samples=[SAMPLE])
        assert answer["remarks"] == ["The model did not help (away), so the schema comes from the samples only."]
        async with http.get("/metrics") as reply:
            figures = (await reply.text()).splitlines()
    calls = 'openplaybook_model_calls_total{model="scripted:writer.json",outcome="MODEL_UNAVAILABLE"}'
    assert [line for line in figures if line.startswith("openplaybook_model_calls")] == [f"{calls} 2.0"]


@pytest.mark.proves("O8")
async def test_a_generated_schema_is_a_tool_that_calls_the_api_it_was_drawn_from(start: Start) -> None:
    running = await start(egress_allow="127.0.0.1")
    pet = b'{"id": 4, "name": "Rex"}'
    async with http_peer(lambda received: answer(pet)) as api, aiohttp.ClientSession(running.http) as http:
        server = await asking(running, http)
        sample = {"url": f"{api.url}/v1/pets/3?fields=name,age&deep=true", "responseBody": pet.decode()}
        _, generated = await server.rest(samples=[sample])
        tool = {"displayName": "pets", "description": "Pets.", "openApiSpec": {"textSchema": generated["schema"]}}
        async with http.post(f"/v3/{server.agent}/tools", json=tool) as reply:
            made = await reply.json()
        call = {"action": "getPet", "inputParameters": {"petId": 4, "fields": ["name"], "deep": False}}
        async with http.post(f"/v3/{made['name']}:execute", json=call) as reply:
            outcome = await reply.json()
        assert outcome["outputParameters"] == {"200": {"id": 4, "name": "Rex"}}
        assert [(each.method, each.target) for each in api.requests] == [("GET", "/v1/pets/4?fields=name&deep=false")]
