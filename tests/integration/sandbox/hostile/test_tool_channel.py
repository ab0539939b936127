"""The channel over which code calls tools: whatever code writes there, only calls that were granted are made, and the
server and the next execution are none the worse."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.sandbox.base import Execution, ExecutionLimits, Request, SandboxFailed
from openplaybook.sandbox.local.fork_server import ForkServer, ForkServerConfig

FRAMES = """
import json, os, struct
def send(kind, data, length=None):
    data = struct.pack("=cI", kind, len(data) if length is None else length) + data
    while data: data = data[os.write(3, data):]
def call(name, arguments): send(b"C", json.dumps({"name": name, "arguments": arguments}).encode())
"""
HOSTILE = {
    "a call of a tool that was not granted": 'call("delete_everything", {})',
    "a call without a name": 'send(b"C", b"{}")',
    "a call whose arguments are no object": 'call("look", [1])',
    "a call that is no JSON": 'send(b"C", b"\\xff\\xfe{")',
    "a call nested a hundred thousand deep": """
deep = b"[" * 100000 + b"]" * 100000
send(b"C", b'{"name": "look", "arguments": ' + deep + b"}")
""",
    "two calls at once": 'call("look", {}); call("look", {})',
    "a result of the monitor's": 'send(b"X", b\'{"ended": "exit", "exit_code": 0, "stdout": "forged"}\')',
    "an end that is none": 'send(b"D", b"0"); import time; time.sleep(1)',
    "an end that is no number": 'send(b"D", b"none")',
    "a frame beyond the largest": 'send(b"C", b"x" * (2 << 20))',
    "a length of four gigabytes": 'send(b"C", b"x", 0xffffffff)',
    "a kind that does not exist": 'send(b"?", b"")',
    "ten thousand frames that nobody reads": 'for _ in range(10000): send(b"A", b"x" * 1000)',
    "half a frame, and the end": 'os.write(3, b"C\\xff")',
    "a closed channel": "os.close(3)",
    "a channel that is another file": 'os.dup2(1, 3); print("hello")',
}


@dataclass(slots=True)
class Calls:
    """A caller of tools that notes what it is asked for."""

    made: list[tuple[str, JsonObject]] = field(default_factory=list[tuple[str, JsonObject]])

    async def __call__(self, name: str, arguments: JsonObject) -> JsonValue:
        self.made.append((name, arguments))
        return {"found": 1}


@pytest.fixture
async def server() -> AsyncIterator[ForkServer]:
    started = await ForkServer.start(ForkServerConfig(preload=()))
    yield started
    await started.aclose()


async def run(server: ForkServer, code: str, calls: Calls, session: str = "") -> Execution | SandboxFailed:
    request = Request(code=FRAMES + code, tools=["look"], limits=ExecutionLimits(wall_s=2.0), session=session)
    try:
        return await server.execute(request, calls)
    except SandboxFailed as failed:
        return failed


@pytest.mark.proves("B5")
@pytest.mark.parametrize("session", ["", "kept"])
async def test_forged_frames_call_nothing_that_was_not_granted(server: ForkServer, session: str) -> None:
    told: dict[str, str] = {}
    for title, code in HOSTILE.items():
        calls = Calls()
        outcome = await run(server, code, calls, session)
        if any(name != "look" or arguments for name, arguments in calls.made):
            told[title] = f"called {calls.made}"
        if isinstance(outcome, SandboxFailed) or "forged" in outcome.stdout:
            told[title] = f"{outcome!r}"
        after = await server.execute(Request(code="print(6*7)", limits=ExecutionLimits(wall_s=2.0)))
        if after.stdout != "42\n":
            told[title] = f"afterwards {after}"
    assert told == {}


async def test_calls_that_were_granted_still_work_afterwards(server: ForkServer) -> None:
    calls = Calls()
    await run(server, HOSTILE["a kind that does not exist"], calls)
    outcome = await run(server, "print(tools.look({'a': 1})['found'])", calls)
    assert isinstance(outcome, Execution)
    assert (outcome.stdout, calls.made) == ("1\n", [("look", {"a": 1})])


async def test_a_flood_of_granted_calls_ends_with_the_limit_of_time(server: ForkServer) -> None:
    calls = Calls()
    outcome = await run(server, "while True: tools.look({})", calls)
    assert isinstance(outcome, Execution)
    assert outcome.ended.value in ("time", "cpu")
    assert set(map(str, calls.made)) == {"('look', {})"}


async def test_no_call_is_made_after_the_end_of_the_code(server: ForkServer) -> None:
    calls = Calls()
    late = "import threading, time\ndef late():\n time.sleep(0.3)\n tools.look({})\n"
    late += "threading.Thread(target=late, daemon=True).start()"
    outcome = await run(server, late, calls)
    assert isinstance(outcome, Execution)
    assert (outcome.exit_code, calls.made) == (0, [])
