"""What a server says of itself, and to whom."""

from pathlib import Path

import aiohttp
import pytest

from openplaybook import __version__
from openplaybook.jsonvalues import JsonObject
from openplaybook.server.lifecycle import RunningServer
from tests.integration.server.conftest import Start

KEYS = "admin ann key-of-the-admin-here\nruntime shop key-of-the-runtime-here\n"


async def info(server: RunningServer, key: str = "") -> JsonObject:
    headers = {"x-goog-api-key": key} if key else {}
    async with (
        aiohttp.ClientSession(server.http, headers=headers) as session,
        session.get("/v1/openplaybook:serverInfo") as reply,
    ):
        assert reply.status == 200, await reply.text()
        return await reply.json()


async def test_an_open_server_says_what_it_is_and_that_it_asks_nobody(start: Start) -> None:
    server = await start(model_aliases="small=offline,tiny=offline", code_executor="off", session_ttl=60)
    told = await info(server)
    assert (told["version"], told["httpAddress"], told["grpcAddress"]) == (__version__, server.http, server.grpc)
    assert told["models"] == [{"name": "offline", "aliases": ["small", "tiny"], "isDefault": True}]
    assert told["caller"] == {"role": "admin"}
    assert "signIn" not in told
    assert told["limits"]["sessionTtl"] == "60s"
    assert told["limits"]["turnTime"] == "120s"
    assert told["conversationLanguages"] == ["de", "en", "es", "fr", "it", "ja", "ko", "pt"]
    assert told["features"] == {
        "buckets": False,
        "code": False,
        "cross_origin_pages": False,
        "external_references": False,
        "local_secrets": True,
    }
    assert told["codeProblem"] == "The setting code_executor is off."


async def test_each_caller_hears_who_it_is(start: Start, tmp_path: Path) -> None:
    (tmp_path / "keys").write_text(KEYS)
    server = await start(api_key_file=tmp_path / "keys", code_executor="off", model="offline")
    admin, shop = await info(server, "key-of-the-admin-here"), await info(server, "key-of-the-runtime-here")
    assert admin["caller"] == {"name": "ann", "kind": "key", "role": "admin"}
    assert shop["caller"] == {"name": "shop", "kind": "key", "role": "runtime"}
    assert shop["signIn"] == ["api_key"]


async def test_a_model_of_a_provider_has_prompts_and_a_window(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    told = await info(await start(model="offline", model_aliases="big=openai:gpt-4o", code_executor="off"))
    assert told["models"] == [
        {"name": "offline", "isDefault": True},
        {"name": "openai:gpt-4o", "aliases": ["big"], "writes": True, "hasPrompts": True, "contextTokens": 128_000},
    ]
