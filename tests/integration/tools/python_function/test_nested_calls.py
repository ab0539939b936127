"""Code in the real sandbox that calls tools through the engine, and processes that die under it."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.sandbox.base import Executor
from openplaybook.sandbox.local.executor import LocalExecutor
from openplaybook.tools.base import Call, InDoubt, Outcome, Success, ToolContext
from openplaybook.tools.python_function import nested_calls
from tests.kit.agents import RememberedTool
from tests.kit.dying import PROGRAM, SERVER, DiesAt, Plan, World, converse

PLAN = Plan([[PROGRAM]])
CALLS = 2
CHARGES = f"""
words = []
for n in range(1, {CALLS + 1}):
    try:
        words.append(tools.{SERVER}({{'n': n}}).json())
    except ToolError as error:
        words.append('OUTCOME_UNKNOWN' if 'OUTCOME_UNKNOWN' in str(error) else str(error))
print(' '.join(words))
"""
# The time of day stands for everything that is not the same the second time.
UNSTEADY = f"""
import time
tools.{SERVER}({{'n': 1}})
tools.{SERVER}({{'n': time.time_ns()}})
print('ok')
"""


@dataclass
class CodeTool(RememberedTool):
    """A tool whose calls run a piece of code that may call other tools, as CES Python tools do."""

    executor: Executor | None = None
    code: str = ""

    async def invoke(self, call: Call, context: ToolContext) -> Outcome:
        """What the code printed, or why that is not known."""
        assert self.executor is not None
        ran = await nested_calls.run(self.executor, self.code, (), self.executor.limits, context)
        if isinstance(ran, InDoubt):
            return ran
        assert ran.error() == ""
        return Success({"said": ran.stdout.strip()})


def world(path: Path, executor: Executor, code: str, *, safe: bool = False) -> World:
    """What outlives a process: an agent with a tool that charges and a tool that runs code."""

    async def unused(context: ToolContext) -> JsonObject:
        raise AssertionError

    made = World(path, PLAN, safe_to_repeat=safe, program=unused)
    shelf = made.draft.shelf.tools
    shelf[PROGRAM] = CodeTool(shelf[PROGRAM].offered, shelf[PROGRAM].answer, executor=executor, code=code)
    return made


async def lived_through(made: World, nth: int) -> tuple[str, list[str]]:
    """What the agent says at last when a process dies at the n-th point, and the points that were passed; 0: none."""
    fault = DiesAt(nth)
    process = await made.process(fault)
    await made.draft.put(process.store)
    said = await converse(process, made.process, True, fault)
    return said.removeprefix("Done: ").removesuffix("."), fault.points


@pytest.fixture
async def points(tmp_path: Path, executor: LocalExecutor) -> list[str]:
    """Where a process can die while code makes its calls."""
    said, points = await lived_through(world(tmp_path / "points.db", executor, CHARGES), 0)
    assert said == "done done"
    return points


async def test_code_calls_tools_through_the_engine(tmp_path: Path, executor: LocalExecutor) -> None:
    code = f"answer = tools.{SERVER}({{'n': 5}})\nprint(answer.json(), [name for name in dir(tools) if name[0] != '_'])"
    made = world(tmp_path / "w.db", executor, code)
    said, _ = await lived_through(made, 0)
    assert said == f"done ['{SERVER}']"
    assert made.charged == [{"n": 5}]


@pytest.mark.proves("X4")
@pytest.mark.parametrize("safe", [False, True], ids=["unsafe", "safe to repeat"])
async def test_code_runs_again_and_calls_that_were_settled_are_not_made_again(
    tmp_path: Path, executor: LocalExecutor, points: list[str], safe: bool
) -> None:
    assert points.count("call.before") == CALLS + 1
    for nth, point in enumerate(points, start=1):
        made = world(tmp_path / f"{nth}.db", executor, CHARGES, safe=safe)
        said, _ = await lived_through(made, nth)
        charged = Counter(call["n"] for call in made.charged)
        words = said.split(" ")
        if safe:
            assert words == ["done"] * CALLS, (nth, point, said)
            assert sum(charged.values()) <= CALLS + 1, (nth, point, charged)
            continue
        allowed = {("done", 1), ("OUTCOME_UNKNOWN", 0), ("OUTCOME_UNKNOWN", 1)}
        told = {(word, charged[n]) for n, word in enumerate(words, start=1)}
        assert told <= allowed, (nth, point, said, charged)
        assert len(words) == CALLS, (nth, point, said)


@pytest.mark.proves("X4")
async def test_code_that_goes_another_way_the_second_time_ends_in_doubt(
    tmp_path: Path, executor: LocalExecutor, points: list[str]
) -> None:
    second = [at for at, point in enumerate(points) if point == "call.after"][1]
    nth = next(at for at in range(second, len(points)) if points[at] == "commit.after") + 1
    made = world(tmp_path / "w.db", executor, UNSTEADY)
    said, _ = await lived_through(made, nth)
    assert said == "OUTCOME_UNKNOWN"
    assert [len(str(call["n"])) > 1 for call in made.charged] == [False, True]
