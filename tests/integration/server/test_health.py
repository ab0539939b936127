"""What a real server says of itself when something happens to its database."""

import asyncio
import os
import signal
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from resource import RLIM_INFINITY, RLIMIT_FSIZE, getrlimit, setrlimit

import aiohttp
import grpc
import grpc.aio
import pytest

from openplaybook.server.lifecycle import RunningServer
from tests.kit.postgres import running_cluster

from .conftest import Start

AGENTS = "/v3/projects/p/locations/global/agents"
AGENT = {"displayName": "A", "defaultLanguageCode": "en", "timeZone": "Etc/UTC"}
LONGEST_S = 30
BETWEEN_S = 0.02


class Asked:
    """A server, asked about itself."""

    def __init__(self, server: RunningServer) -> None:
        self.server = server

    async def get(self, path: str) -> tuple[int, str]:
        async with aiohttp.ClientSession() as client, client.get(f"{self.server.http}{path}") as answer:
            return answer.status, await answer.text()

    async def until(self, told: str) -> str:
        """What readiness says once it holds these words; in between it only says what it said before."""
        text = ""
        for _ in range(int(LONGEST_S / BETWEEN_S)):
            text = (await self.get("/healthz"))[1]
            if told in text:
                return text
            await asyncio.sleep(BETWEEN_S)
        raise AssertionError(text)

    async def over_grpc(self) -> str:
        """The status of gRPC's health."""
        async with grpc.aio.insecure_channel(self.server.grpc) as channel:
            call = channel.unary_unary("/grpc.health.v1.Health/Check")
            answer = await call(b"")
        return {b"\x08\x01": "SERVING", b"\x08\x02": "NOT_SERVING"}[answer]

    async def gauge(self) -> str:
        """What the metrics say."""
        lines = (await self.get("/metrics"))[1].splitlines()
        return next(line for line in lines if line.startswith("openplaybook_ready "))


async def test_a_damaged_database_is_not_ready_and_the_process_is_alive(start: Start, tmp_path: Path) -> None:
    asked = Asked(await start())
    path = tmp_path / "data" / "openplaybook.db"
    async with aiohttp.ClientSession(asked.server.http) as client:
        for _ in range(5):
            await (await client.post(AGENTS, json=AGENT | {"displayName": os.urandom(8).hex()})).read()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    assert (await asked.get("/healthz"), await asked.over_grpc()) == ((200, '{"status":"ok"}'), "SERVING")
    before = path.read_bytes()
    with path.open("r+b") as file:
        file.write(b"\0" * len(before))
    told = await asked.until('"database":"damaged"')
    assert (await asked.get("/readyz"))[0] == 503
    assert str(tmp_path) not in told
    assert (await asked.over_grpc(), await asked.gauge()) == ("NOT_SERVING", "openplaybook_ready 0.0")
    assert await asked.get("/livez") == (200, '{"status":"ok"}')
    with path.open("r+b") as file:
        file.write(before)
    assert await asked.until('"ok"') == '{"status":"ok"}'
    assert (await asked.over_grpc(), await asked.gauge()) == ("SERVING", "openplaybook_ready 1.0")


@contextmanager
def full_disk() -> Generator[None]:
    """No file grows."""
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    _, hard = getrlimit(RLIMIT_FSIZE)
    setrlimit(RLIMIT_FSIZE, (1, hard))
    try:
        yield
    finally:
        setrlimit(RLIMIT_FSIZE, (RLIM_INFINITY, hard))
        signal.signal(signal.SIGXFSZ, before)


async def test_a_disk_that_takes_nothing_is_not_ready_until_there_is_room(start: Start) -> None:
    asked = Asked(await start())
    with full_disk():
        told = await asked.until("unavailable")
        assert '"database":"failing"' in told or '"database":"full"' in told
    assert await asked.until('"ok"') == '{"status":"ok"}'


async def test_a_file_that_was_moved_away_is_not_ready(start: Start, tmp_path: Path) -> None:
    asked = Asked(await start())
    path = tmp_path / "data" / "openplaybook.db"
    path.rename(path.with_name("elsewhere"))
    await asked.until('"database":"gone"')
    path.with_name("elsewhere").rename(path)
    await asked.until('"ok"')


async def test_those_who_watch_over_grpc_are_told(start: Start, tmp_path: Path) -> None:
    server = await start()
    path = tmp_path / "data" / "openplaybook.db"
    async with grpc.aio.insecure_channel(server.grpc) as channel:
        watching = channel.unary_stream("/grpc.health.v1.Health/Watch")(b"")
        states = [await watching.read()]
        path.rename(path.with_name("elsewhere"))
        states.append(await asyncio.wait_for(watching.read(), LONGEST_S))
        path.with_name("elsewhere").rename(path)
        states.append(await asyncio.wait_for(watching.read(), LONGEST_S))
        watching.cancel()
    assert states == [b"\x08\x01", b"\x08\x02", b"\x08\x01"]


@pytest.mark.timeout(240)
async def test_a_postgresql_that_is_stopped_is_not_ready_until_it_is_back(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENPLAYBOOK_MASTER_KEY", "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")
    with running_cluster() as cluster:
        asked = Asked(await start(database_url=cluster.url()))
        assert await asked.get("/healthz") == (200, '{"status":"ok"}')
        cluster.stop()
        told = await asked.until("unavailable")
        assert '"database":"unreachable"' in told
        assert str(cluster.port) not in told
        assert await asked.get("/livez") == (200, '{"status":"ok"}')
        cluster.start()
        await asked.until('"ok"')
        asked.server.stop()
