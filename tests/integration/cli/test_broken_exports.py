"""An export whose server fails in the middle."""

import asyncio
import json
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from openplaybook.cli.api_client import ApiClient
from openplaybook.cli.conversation_export import export
from openplaybook.cli.errors import CommandError
from openplaybook.jsonvalues import JsonObject, dumps
from tests.kit.http_peer import Received, answer, http_peer

AGENT = "projects/p/locations/global/agents/a"
TIMES = {"c": "2026-01-03T00:00:00Z", "b": "2026-01-02T00:00:00Z", "a": "2026-01-01T00:00:00Z"}


class Server:
    """Three conversations, newest first; one of them cannot be read, another is deleted after it was listed."""

    def __init__(self) -> None:
        self.failing = "a"
        self.gone = ""
        self.filters: list[str] = []

    def __call__(self, received: Received) -> bytes:
        target = urlsplit(received.target)
        id_ = target.path.rsplit("/", 1)[1]
        if id_ == "conversations":
            self.filters += parse_qs(target.query).get("filter", [""])
            return answer(dumps({"conversations": [shown(each) for each in TIMES]}))
        if id_ == self.failing:
            return answer(dumps({"error": {"status": "UNAVAILABLE", "message": "the disk is full"}}), "503 Unavailable")
        if id_ == self.gone:
            return answer(dumps({"error": {"status": "NOT_FOUND", "message": "gone"}}), "404 Not Found")
        return answer(dumps(shown(id_)))


def shown(id_: str) -> JsonObject:
    return {"name": f"{AGENT}/conversations/{id_}", "startTime": TIMES[id_]}


def written(path: Path) -> list[str]:
    return [json.loads(line)["name"].rsplit("/", 1)[1] for line in path.read_text().splitlines()]


async def test_what_was_written_stays_and_the_error_says_how_to_go_on(tmp_path: Path) -> None:
    server, target, side = Server(), tmp_path / "all.jsonl", tmp_path / "all.jsonl.part"
    async with http_peer(server) as peer:
        api = ApiClient(peer.url)
        with pytest.raises(CommandError) as broken:
            await asyncio.to_thread(export, api, AGENT, target, filter_text="", after="")
        assert str(broken.value) == (
            "stopped after 2 conversations; continue with --after b: UNAVAILABLE: the disk is full"
        )
        assert (written(side), target.exists()) == (["c", "b"], False)
        server.failing = ""
        after = f"{AGENT}/conversations/b"
        await asyncio.to_thread(export, api, AGENT, target, filter_text="create_time > x", after=after)
    assert (written(target), side.exists()) == (["c", "b", "a"], False)
    assert server.filters == ["", f'create_time <= "{TIMES["b"]}" AND (create_time > x)']


async def test_a_conversation_that_was_deleted_meanwhile_is_left_out(tmp_path: Path) -> None:
    server, target = Server(), tmp_path / "all.jsonl"
    server.failing, server.gone = "", "b"
    async with http_peer(server) as peer:
        await asyncio.to_thread(export, ApiClient(peer.url), AGENT, target, filter_text="", after="")
    assert written(target) == ["c", "a"]
