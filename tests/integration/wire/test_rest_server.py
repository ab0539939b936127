"""The REST front door on a real socket, spoken to byte by byte."""

import asyncio
import json
from collections.abc import AsyncIterator

import aiohttp
import pytest

from openplaybook.jsonvalues import JsonObject
from tests.integration.wire.conftest import MAX_BYTES, Served

AGENTS = "/v3/projects/p/locations/l/agents"
STREAM = f"{AGENTS}/a/sessions/s:serverStreamingDetectIntent"


async def get(served: Served, path: str) -> tuple[int, JsonObject, aiohttp.ClientResponse]:
    async with aiohttp.ClientSession() as http, http.get(served.http + path) as response:
        return response.status, await response.json(), response


async def test_a_resource_is_json_in_utf_8(served: Served) -> None:
    status, body, response = await get(served, f"{AGENTS}/a")

    assert (status, body["displayName"], body["pausedInput"]) == (200, "a", "REFUSE")
    assert response.headers["content-type"] == "application/json; charset=UTF-8"


async def test_warnings_are_headers_of_printable_ascii(served: Served) -> None:
    _, _, response = await get(served, f"{AGENTS}/odd")

    assert response.headers.getall("x-openplaybook-warning") == ["na\\xefve\\x0d\\x0awarning", "second"]


async def test_an_unknown_path_is_a_not_found_status(served: Served) -> None:
    status, body, _ = await get(served, "/v3/nothing")

    assert (status, body) == (
        404,
        {"error": {"code": 404, "message": "There is no RPC at GET /v3/nothing.", "status": "NOT_FOUND"}},
    )


async def test_a_fault_of_ours_gives_an_id_that_the_log_knows(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    status, body, _ = await get(served, f"{AGENTS}/broken")

    assert (status, body["error"]["status"]) == (500, "INTERNAL")
    assert "secret" not in body["error"]["message"]
    [record] = caplog.records
    assert record.name == "openplaybook.wire"
    assert body["error"]["message"].removesuffix(".").rpartition(" ")[2] in record.getMessage()


async def test_a_stream_is_an_array_that_grows(served: Served) -> None:
    body = {"queryInput": {"text": {"text": "one two"}, "languageCode": "en"}}
    async with aiohttp.ClientSession() as http, http.post(served.http + STREAM, json=body) as response:
        text = await response.text()

    assert (response.status, response.headers["transfer-encoding"]) == (200, "chunked")
    assert json.loads(text) == [{"responseId": "one"}, {"responseId": "two"}]


async def test_an_error_within_a_stream_is_its_last_element(served: Served) -> None:
    body = {"queryInput": {"text": {"text": "one fail"}}}
    async with aiohttp.ClientSession() as http, http.post(served.http + STREAM, json=body) as response:
        items = await response.json()

    assert response.status == 200
    assert items == [
        {"responseId": "one"},
        {"error": {"code": 503, "message": "The model is gone.", "status": "UNAVAILABLE"}},
    ]


async def test_a_stream_may_be_server_sent_events(served: Served) -> None:
    body = {"queryInput": {"text": {"text": "one fail"}}}
    async with aiohttp.ClientSession() as http, http.post(f"{served.http}{STREAM}?alt=sse", json=body) as response:
        text = await response.text()

    assert response.headers["content-type"] == "text/event-stream; charset=UTF-8"
    events = text.split("\r\n\r\n")
    assert events.pop() == ""
    assert [json.loads(event.removeprefix("data: ")) for event in events] == [
        {"responseId": "one"},
        {"error": {"code": 503, "message": "The model is gone.", "status": "UNAVAILABLE"}},
    ]


async def test_an_error_before_a_stream_is_the_answer(served: Served) -> None:
    body = {"queryInput": {"text": {"text": "fail at once"}}}
    async with aiohttp.ClientSession() as http, http.post(served.http + STREAM, json=body) as response:
        error = await response.json()

    assert response.status == 400
    assert error["error"]["status"] == "FAILED_PRECONDITION"


@pytest.mark.parametrize("declared", [True, False], ids=["declared", "chunked"])
async def test_a_body_beyond_the_limit_is_refused(served: Served, declared: bool) -> None:
    body = b" " * (MAX_BYTES + 1)

    async with aiohttp.ClientSession() as http:
        data = body if declared else _chunked(body)
        async with http.post(f"{served.http}{AGENTS}", data=data) as response:
            error = await response.json()

    assert (response.status, error["error"]["code"], error["error"]["status"]) == (413, 413, "INVALID_ARGUMENT")
    assert error["error"]["message"] == f"Request payload size exceeds the limit: {MAX_BYTES} bytes."


async def test_a_turn_goes_on_when_its_client_is_gone(served: Served) -> None:
    host, port = served.http.removeprefix("http://").split(":")
    _, writer = await asyncio.open_connection(host, int(port))
    writer.write(f"GET {AGENTS}/slow HTTP/1.1\r\nhost: x\r\n\r\n".encode())
    await served.service.begun.wait()
    writer.close()
    await writer.wait_closed()

    served.service.release.set()

    assert await asyncio.wait_for(served.service.ended.wait(), 5)


async def test_drain_says_how_many_handlers_still_run(served: Served) -> None:
    async with aiohttp.ClientSession() as http:
        answer = asyncio.create_task(_status(http, f"{served.http}{AGENTS}/slow"))
        await served.service.begun.wait()
        still_running = await served.registry.drain(0.01)
        served.service.release.set()
        left = await served.registry.drain(5)

        assert (still_running, left, await answer) == (1, 0, 200)


async def _chunked(body: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(body), 50_000):
        yield body[start : start + 50_000]


async def _status(http: aiohttp.ClientSession, url: str) -> int:
    async with http.get(url) as response:
        return response.status
