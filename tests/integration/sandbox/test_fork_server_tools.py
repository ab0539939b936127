"""Calls of tools, from the code through the wall to the caller and back."""

import asyncio

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.sandbox.base import Ended, Execution, ExecutionLimits, Request, ToolCallFailed
from openplaybook.sandbox.local.fork_server import ForkServer

MIB = 1024 * 1024


async def add(name: str, arguments: JsonObject) -> JsonValue:
    """The caller of most tests."""
    if "wrong" in arguments:
        raise ToolCallFailed("wrong was given")
    return {"name": name, "sum": arguments["a"] + arguments["b"]}


async def test_code_calls_tools_and_gets_their_answers(fork_server: ForkServer) -> None:
    code = "a = tools.add({'a': 1, 'b': 2})['sum']\nprint(a, tools.add(a=a, b=4).json())"

    execution = await fork_server.execute(Request(code=code, tools=["add"]), add)

    assert (execution.stdout, execution.stderr) == ("3 {'name': 'add', 'sum': 7}\n", "")


async def test_a_call_that_failed_is_an_error_the_code_may_catch(fork_server: ForkServer) -> None:
    code = "try: tools.add({'wrong': 1})\nexcept Exception as error: print(type(error).__name__, error)"

    execution = await fork_server.execute(Request(code=code, tools=["add"]), add)

    assert execution.stdout == "ToolError wrong was given\n"


async def test_a_kept_session_calls_tools_each_time(fork_server: ForkServer) -> None:
    executions: list[Execution] = []
    for n in range(3):
        code = f"print(tools.add({{'a': {n}, 'b': 1}})['sum'])"
        executions.append(await fork_server.execute(Request(code=code, tools=["add"], session="a"), add))

    assert [(each.stdout, each.fresh) for each in executions] == [("1\n", True), ("2\n", False), ("3\n", False)]


@pytest.mark.parametrize("fault", [LookupError, ValueError, TypeError, KeyError, TimeoutError, ConnectionResetError])
async def test_what_the_caller_raises_ends_the_execution_and_is_raised(
    fork_server: ForkServer, fault: type[Exception]
) -> None:
    async def broken(name: str, arguments: JsonObject) -> JsonValue:
        raise fault(name)

    with pytest.raises(fault, match="add"):
        await fork_server.execute(Request(code="tools.add({})", tools=["add"]), broken)
    assert (await fork_server.execute(Request(code="print(1)"))).stdout == "1\n"


async def test_a_call_that_outlasts_the_time_is_given_up(fork_server: ForkServer) -> None:
    given_up: list[str] = []

    async def endless(name: str, arguments: JsonObject) -> JsonValue:
        try:
            return await asyncio.get_running_loop().create_future()
        except asyncio.CancelledError:
            given_up.append(name)
            raise

    request = Request(code="print(1)\ntools.add({})", tools=["add"], limits=ExecutionLimits(wall_s=0.3))
    execution = await fork_server.execute(request, endless)

    assert (execution.ended, execution.stdout, given_up) == (Ended.TIME, "1\n", ["add"])


async def test_who_goes_away_takes_the_call_along(fork_server: ForkServer) -> None:
    calling, given_up = asyncio.Event(), asyncio.Event()

    async def endless(name: str, arguments: JsonObject) -> JsonValue:
        calling.set()
        try:
            return await asyncio.get_running_loop().create_future()
        finally:
            given_up.set()

    running = asyncio.create_task(fork_server.execute(Request(code="tools.add({})", tools=["add"]), endless))
    await calling.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert given_up.is_set()


async def test_arguments_and_answers_are_bounded(fork_server: ForkServer) -> None:
    async def large(name: str, arguments: JsonObject) -> JsonValue:
        return "x" * 2 * MIB

    code = """
for arguments in ({"a": "x" * (2 << 20)}, {}):
    try: tools.add(arguments)
    except Exception as error: print(str(error)[-60:])
"""
    execution = await fork_server.execute(Request(code=code, tools=["add"]), large)

    assert execution.stdout.count("bytes of JSON; at most 1048576 ") == 2


GARBAGE = {
    "no frame": "os.write(3, b'GET / HTTP/1.1\\r\\n\\r\\n')",
    "too long": "os.write(3, struct.pack('=cI', b'C', 1 << 30))",
    "two at once": "os.write(3, 2 * (struct.pack('=cI', b'C', 2) + b'{}'))",
    "a result": "os.write(3, struct.pack('=cI', b'X', 2) + b'{}')",
    "the end": "os.write(3, struct.pack('=cI', b'D', 1) + b'0')",
}


@pytest.mark.parametrize("kind", GARBAGE)
async def test_garbage_in_the_channel_ends_the_execution_and_harms_nobody(fork_server: ForkServer, kind: str) -> None:
    code = f"import os, struct, time\n{GARBAGE[kind]}\ntime.sleep(60)"

    execution = await fork_server.execute(Request(code=code, tools=["add"], limits=ExecutionLimits(wall_s=5)), add)

    assert (execution.ended, execution.exit_code) == (Ended.CANCELLED, None)
    assert (await fork_server.execute(Request(code="print(1)"))).stdout == "1\n"


async def test_a_kept_guest_without_tools_has_none_to_call(fork_server: ForkServer) -> None:
    code = "import os, struct, time\nos.write(3, struct.pack('=cI', b'C', 2) + b'{}')\ntime.sleep(60)"

    execution = await fork_server.execute(Request(code=code, session="a", limits=ExecutionLimits(wall_s=5)), add)

    assert (execution.ended, execution.stderr) == (
        Ended.CANCELLED,
        "the code spoke out of turn in the channel of its tools\n",
    )


CALLS = {
    "no JSON": b"{",
    "deep": b"[" * 100_000,
    "no object": b"[]",
    "another tool": b'{"name": "drop", "arguments": {}}',
    "no arguments": b'{"name": "add", "arguments": 3}',
    "a name that is none": b'{"name": {}, "arguments": {}}',
    "no number": b'{"name": "add", "arguments": {"a": NaN}}',
    "a number beyond the digits that are read": b'{"name": "add", "arguments": {"a": 1e4001}}',
    "too many long numbers": b'{"name": "add", "arguments": {"a": [' + b"1e999," * 6_000 + b"1]}}",
    "half a character": b'{"name": "add", "arguments": {"a": "\\ud800"}}',
    "too deep for a journal": b'{"name": "add", "arguments": {"a": ' + b"[" * 600 + b"]" * 600 + b"}}",
}


@pytest.mark.parametrize("kind", CALLS)
async def test_a_forged_call_is_answered_with_an_error_and_not_made(fork_server: ForkServer, kind: str) -> None:
    made: list[str] = []

    async def noting(name: str, arguments: JsonObject) -> JsonValue:
        made.append(name)

    code = f"""
import os, struct
call = {CALLS[kind]!r}
os.write(3, struct.pack('=cI', b'C', len(call)) + call)
print(b'"failed"' in os.read(3, 65536))
"""
    execution = await fork_server.execute(Request(code=code, tools=["add"]), noting)

    assert (execution.stdout, made) == ("True\n", [])


async def test_code_that_only_calls_leaves_the_server_time_for_others(fork_server: ForkServer) -> None:
    made: list[str] = []

    async def noting(name: str, arguments: JsonObject) -> JsonValue:
        made.append(name)

    await fork_server.execute(
        Request(code="while True: tools.add()", tools=["add"], limits=ExecutionLimits(wall_s=1)), noting
    )

    # A hundred as fast as they come, then twenty a second.
    assert len(made) <= 120


async def test_without_tools_there_is_no_channel(fork_server: ForkServer) -> None:
    code = "import os\ntry: os.write(3, b'x')\nexcept OSError as error: print(error.errno)"

    execution = await fork_server.execute(Request(code=code))

    assert execution.stdout == "9\n"


async def test_a_guest_that_does_not_read_its_answers_is_ended_by_its_time(fork_server: ForkServer) -> None:
    async def large(name: str, arguments: JsonObject) -> JsonValue:
        return "x" * 900_000

    code = """
import os, struct, time
call = b'{"name": "add", "arguments": {}}'
os.write(3, struct.pack('=cI', b'C', len(call)) + call)
time.sleep(60)
"""

    execution = await fork_server.execute(Request(code=code, tools=["add"], limits=ExecutionLimits(wall_s=0.5)), large)

    assert execution.ended is Ended.TIME
