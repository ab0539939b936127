"""A server that asks for API keys."""

from collections.abc import Mapping
from pathlib import Path

import aiohttp
import grpc
import grpc.aio
import pytest

from openplaybook.server.access.refusals import NO_KEY, WRONG_KEY
from openplaybook.server.lifecycle import RunningServer

from .conftest import Start

KEY = "0123456789abcdef"
AGENTS = "/v3/projects/p/locations/global/agents"
LIST_AGENTS = "/google.cloud.dialogflow.cx.v3.Agents/ListAgents"
CHECK = "/grpc.health.v1.Health/Check"


@pytest.fixture
async def server(start: Start, tmp_path: Path) -> RunningServer:
    (tmp_path / "keys").write_text(f"{KEY}\n")
    return await start(api_key_file=tmp_path / "keys")


async def status_of(server: RunningServer, path: str, headers: Mapping[str, str]) -> int:
    async with aiohttp.ClientSession(server.http) as session, session.get(path, headers=headers) as answer:
        return answer.status


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        (AGENTS, {"X-Goog-Api-Key": KEY}),
        (AGENTS, {"Authorization": f"Bearer {KEY}"}),
        (f"{AGENTS}?key={KEY}", {}),
        ("/metrics", {"Authorization": f"Bearer {KEY}"}),
        ("/healthz", {}),
    ],
)
async def test_a_request_with_a_key_is_answered(server: RunningServer, path: str, headers: dict[str, str]) -> None:
    assert await status_of(server, path, headers) == 200


@pytest.mark.parametrize("path", [AGENTS, "/metrics", "/nothing"])
async def test_a_request_without_a_key_is_not(server: RunningServer, path: str) -> None:
    async with aiohttp.ClientSession(server.http) as session, session.get(path) as answer:
        assert answer.status == 401
        assert await answer.json() == {"error": {"code": 401, "message": NO_KEY, "status": "UNAUTHENTICATED"}}
        assert answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("headers", [{"x-goog-api-key": "not-it"}, {"Authorization": "Bearer not-it"}], ids=str)
async def test_a_request_with_a_wrong_key_is_told_so(server: RunningServer, headers: dict[str, str]) -> None:
    async with aiohttp.ClientSession(server.http) as session, session.get(AGENTS, headers=headers) as answer:
        assert await answer.json() == {"error": {"code": 401, "message": WRONG_KEY, "status": "UNAUTHENTICATED"}}
        assert answer.headers["WWW-Authenticate"] == "Bearer"


async def test_a_grpc_call_with_a_key_is_answered(server: RunningServer) -> None:
    request = b"\x0a\x1bprojects/p/locations/global"
    async with grpc.aio.insecure_channel(server.grpc) as channel:
        call = channel.unary_unary(LIST_AGENTS)(request, metadata=(("x-goog-api-key", KEY),))
        assert await call == b""


async def test_a_grpc_call_without_a_key_is_not(server: RunningServer) -> None:
    async with grpc.aio.insecure_channel(server.grpc) as channel:
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await channel.unary_unary(LIST_AGENTS)(b"")
    assert refused.value.code() is grpc.StatusCode.UNAUTHENTICATED
    assert refused.value.details() == NO_KEY


async def test_a_grpc_stream_without_a_key_is_refused_before_it_is_read(server: RunningServer) -> None:
    method = "/google.cloud.dialogflow.cx.v3.Sessions/StreamingDetectIntent"
    async with grpc.aio.insecure_channel(server.grpc) as channel:
        call = channel.stream_stream(method)()
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await call.read()
    assert refused.value.code() is grpc.StatusCode.UNAUTHENTICATED


async def test_grpc_health_is_told_without_a_key(server: RunningServer) -> None:
    async with grpc.aio.insecure_channel(server.grpc) as channel:
        assert await channel.unary_unary(CHECK)(b"") == b"\x08\x01"
