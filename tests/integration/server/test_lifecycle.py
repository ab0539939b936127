"""A server from start to drain."""

from pathlib import Path

import aiohttp
import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.errors import ModelNotConfigured
from openplaybook.server.errors import CannotBind, SettingsError, Unprotected
from openplaybook.server.settings import Settings
from openplaybook.storage.data_directory import DataDirectory
from openplaybook.storage.errors import StoreUnusable

from .conftest import Start, running

AGENTS = "/v3/projects/p/locations/global/agents"
AGENT = {"displayName": "Shop", "defaultLanguageCode": "en", "timeZone": "Etc/UTC"}


async def fetch(base_url: str, path: str, body: JsonObject | None = None) -> tuple[int, JsonObject]:
    method = "GET" if body is None else "POST"
    async with (
        aiohttp.ClientSession(base_url) as session,
        session.request(method, path, json=body) as answer,
    ):
        return answer.status, await answer.json()


async def test_a_ready_server_is_healthy(start: Start) -> None:
    server = await start()
    assert await fetch(server.http, "/healthz") == (200, {"status": "ok"})


async def test_agents_can_be_made_and_found_again_by_the_next_server(tmp_path: Path) -> None:
    settings = Settings(port=0, grpc_port=0, data_dir=tmp_path)
    async with running(settings) as first:
        status, agent = await fetch(first.http, AGENTS, AGENT)
        assert status == 200
    async with running(settings) as second:
        assert await fetch(second.http, f"/v3/{agent['name']}") == (200, agent)


async def test_requests_are_counted(start: Start) -> None:
    server = await start()
    await fetch(server.http, "/v3/projects/p/locations/global/agents/none")
    async with aiohttp.ClientSession(server.http) as session, session.get("/metrics") as answer:
        text = await answer.text()
    labels = 'code="NOT_FOUND",method="google.cloud.dialogflow.cx.v3.Agents.GetAgent"'
    assert f"openplaybook_rpc_total{{{labels}}} 1.0" in text


async def test_commands_find_the_server_by_its_data_directory(start: Start, tmp_path: Path) -> None:
    server = await start()
    address = DataDirectory(tmp_path / "data").running_server()
    assert address is not None
    assert (address.http, address.grpc) == (server.http, server.grpc)


async def test_a_second_server_on_one_data_directory_is_refused(start: Start) -> None:
    server = await start()
    with pytest.raises(StoreUnusable, match=server.http):
        await start()


async def test_a_taken_http_port_is_refused(start: Start, tmp_path: Path) -> None:
    port = int((await start()).http.rsplit(":", 1)[1])
    with pytest.raises(CannotBind, match="the port is taken"):
        await start(port=port, data_dir=tmp_path / "other")


async def test_a_taken_grpc_port_is_refused(start: Start, tmp_path: Path) -> None:
    port = int((await start()).grpc.rsplit(":", 1)[1])
    with pytest.raises(CannotBind, match="choose another --grpc-port"):
        await start(grpc_port=port, data_dir=tmp_path / "other")


async def test_other_machines_are_not_served_without_authentication(start: Start) -> None:
    with pytest.raises(Unprotected, match="--api-key-file"):
        await start(host="0.0.0.0")


async def test_a_server_that_did_not_start_leaves_its_directory_free(start: Start) -> None:
    with pytest.raises(ModelNotConfigured):
        await start(model="telepathy:strong")
    assert await fetch((await start()).http, "/healthz") == (200, {"status": "ok"})


async def test_egress_ranges_that_cannot_be_read_are_refused(start: Start) -> None:
    with pytest.raises(SettingsError, match="egress_allow: entry 1"):
        await start(egress_allow="everything")


async def test_a_request_over_the_size_limit_is_refused(start: Start) -> None:
    server = await start(max_body_bytes=1024)
    status, answer = await fetch(server.http, AGENTS, {**AGENT, "description": "x" * 2000})
    assert (status, answer["error"]["code"]) == (413, 413)


async def test_doctor_answers_for_the_machine_that_serves(start: Start, tmp_path: Path) -> None:
    server = await start()
    status, answer = await fetch(server.http, "/v1/openplaybook:doctor")
    assert status == 200
    checks = {check["name"]: check for check in answer["checks"]}
    assert checks["model"] == {"name": "model", "ok": True, "detail": "offline can be used (nothing was sent)"}
    assert checks["data directory"]["detail"].startswith(str(tmp_path))


async def test_an_unknown_path_is_an_error_in_googles_form(start: Start) -> None:
    status, answer = await fetch((await start()).http, "/nothing")
    assert (status, answer["error"]["status"]) == (404, "NOT_FOUND")
