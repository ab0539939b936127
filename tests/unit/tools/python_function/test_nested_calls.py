"""Code that calls other tools: how it names them, what it gets, and when its outcome is in doubt."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.sandbox.base import DEFAULT_LIMITS, Execution, Request, SandboxFailed, ToolCaller, ToolCallFailed
from openplaybook.tools.base import Diverged, Failure, InDoubt, Outcome, Success, ToolContext
from openplaybook.tools.python_function import nested_calls
from openplaybook.tools.python_function.nested_calls import identifiers
from tests.kit.code import PlayedExecutor, ran


@dataclass
class Calling(PlayedExecutor):
    """Makes calls before it gives its outcome, and keeps what came of them."""

    calls: Sequence[tuple[str, JsonObject]] = ()
    came: list[JsonValue | str] = field(default_factory=list[JsonValue])

    async def execute(self, request: Request, caller: ToolCaller | None = None) -> Execution:
        """The outcome, after the calls."""
        assert caller is not None
        for name, arguments in self.calls:
            try:
                self.came.append(await caller(name, arguments))
            except ToolCallFailed as error:
                self.came.append(f"ToolError: {error}")
        return await super().execute(request, caller)


def context(*outcomes: Outcome | Exception, callable: Sequence[str] = ("pets.get", "add")) -> ToolContext:
    left = list(outcomes)

    async def call(name: str, arguments: JsonObject) -> Outcome:
        outcome = left.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    return ToolContext("s", call=call, callable=callable)


async def run(executor: PlayedExecutor, given: ToolContext, tools: Sequence[str] | None = None) -> Execution | InDoubt:
    return await nested_calls.run(executor, "code", (), DEFAULT_LIMITS, given, tools=tools)


async def test_a_call_gives_what_the_tool_answered_or_raises_in_the_code() -> None:
    executor = Calling([ran()], calls=[("pets_get", {}), ("add", {}), ("add", {}), ("add", {}), ("other", {})])
    outcomes = (
        Success({"200": [1]}),
        Success({"sum": 3, "200": 1}),
        Failure("HTTP_ERROR", "It said 500."),
        InDoubt("The server stopped."),
    )
    assert await run(executor, context(*outcomes)) == ran()
    assert executor.came == [
        [1],
        {"sum": 3, "200": 1},
        "ToolError: add: HTTP_ERROR: It said 500.",
        "ToolError: add: OUTCOME_UNKNOWN: The server stopped.",
        "ToolError: there is no tool other; there are: add, pets_get",
    ]


async def test_the_code_sees_the_tools_it_may_call_and_no_others() -> None:
    executor = Calling([ran()] * 2)
    await run(executor, context())
    await run(executor, context(), tools=["add", "unknown"])
    assert [list(request.tools) for request in executor.requests] == [["add", "pets_get"], ["add"]]


async def test_code_that_goes_another_way_than_before_is_in_doubt() -> None:
    executor = Calling([ran()], calls=[("add", {})])
    outcome = await run(executor, context(Diverged("call 1 was of add, with other arguments than add had")))
    assert outcome == InDoubt(
        "The code went another way than before the server stopped: call 1 was of add, with other arguments than add had"
    )


async def test_a_sandbox_that_breaks_leaves_a_doubt_only_after_calls() -> None:
    broken = SandboxFailed("gone")
    outcome = await run(Calling([broken], calls=[("add", {})]), context(Success({})))
    assert outcome == InDoubt("The sandbox broke after the code had called add: gone")
    with pytest.raises(SandboxFailed):
        await run(Calling([broken]), context())


async def test_a_call_outlasts_the_code_that_made_it() -> None:
    begun, goes_on, done = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def call(name: str, arguments: JsonObject) -> Outcome:
        begun.set()
        await goes_on.wait()
        done.set()
        return Success({})

    class TimeOver(PlayedExecutor):
        async def execute(self, request: Request, caller: ToolCaller | None = None) -> Execution:
            assert caller is not None
            asking = asyncio.ensure_future(caller("add", {}))
            await begun.wait()
            asking.cancel()
            goes_on.set()
            return await super().execute(request)

    assert await run(TimeOver([ran()]), ToolContext("s", call=call, callable=("add",))) == ran()
    assert done.is_set()


@pytest.mark.parametrize(
    ("names", "known"),
    [
        (["pets.getPet", "add"], {"add": "add", "pets_getPet": "pets.getPet"}),
        (["a.b", "a_b", "a-b"], {"a_b": "a_b", "a_b_": "a-b", "a_b__": "a.b"}),
        (["class", "3d", ""], {"_": "", "_3d": "3d", "class_": "class"}),
    ],
)
def test_names_become_identifiers_and_stay_apart(names: Sequence[str], known: JsonObject) -> None:
    assert identifiers(names) == known


@given(st.sets(st.text(max_size=12), max_size=6))
def test_every_name_gets_an_identifier_of_its_own(names: set[str]) -> None:
    known = identifiers(sorted(names))
    assert set(known.values()) == names
    assert all(name.isidentifier() for name in known)
