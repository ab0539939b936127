"""Real servers on free loopback ports, in the test's own loop."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.server.lifecycle import RunningServer, serve
from openplaybook.server.settings import Settings
from tests.kit.sandboxed import FEW_LIBRARIES

Start = Callable[..., Awaitable[RunningServer]]
"""Starts a server with settings other than the defaults of these tests."""


@pytest.fixture
async def start(tmp_path: Path) -> AsyncIterator[Start]:
    async with AsyncExitStack() as stack:

        async def start(**settings: JsonValue) -> RunningServer:
            defaults: JsonObject = {
                "port": 0,
                "grpc_port": 0,
                "code_preload": FEW_LIBRARIES,
                "data_dir": tmp_path / "data",
            }
            return await stack.enter_async_context(running(Settings(**{**defaults, **settings})))

        yield start


@asynccontextmanager
async def running(settings: Settings) -> AsyncGenerator[RunningServer]:
    """A server, stopped and drained at the end. Raises what keeps it from starting."""
    ready: asyncio.Future[RunningServer] = asyncio.get_running_loop().create_future()

    async def on_ready(started: RunningServer) -> None:
        ready.set_result(started)

    task = asyncio.create_task(serve(settings, on_ready))
    await asyncio.wait([task, ready], return_when=asyncio.FIRST_COMPLETED)
    if task.done():
        await task
    try:
        yield ready.result()
    finally:
        ready.result().stop()
        await task
