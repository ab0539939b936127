"""A process that dies while a call makes other calls: the call is made again, those that it had made are not."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.base import Diverged, ToolContext
from openplaybook.turns.journal.events import CallSettled
from openplaybook.turns.session.history import kept_turns
from tests.kit.agents import SESSION
from tests.kit.dying import PROGRAM, SERVER, DiesAt, Plan, World, converse
from tests.kit.programs import Program, asked

CALLS = 3
PLAN = Plan([[PROGRAM]])


async def charge_thrice(context: ToolContext) -> JsonObject:
    words = [await asked(context, SERVER, n=n) for n in range(1, CALLS + 1)]
    return {"said": " ".join(words)}


async def lived_through(folder: Path, nth: int, program: Program, *, safe_to_repeat: bool = False) -> tuple[World, str]:
    """A world in which a process dies at the n-th point, and what the agent says at last."""
    world, fault = World(folder / f"{nth}.db", PLAN, safe_to_repeat=safe_to_repeat, program=program), DiesAt(nth)
    process = await world.process(fault)
    await world.draft.put(process.store)
    said = await converse(process, world.process, True, fault)
    assert fault.died.is_set()
    return world, said.removeprefix("Done: ").removesuffix(".")


async def points_of(folder: Path, program: Program) -> list[str]:
    world, fault = World(folder / "recorded.db", PLAN, program=program), DiesAt()
    process = await world.process(fault)
    await world.draft.put(process.store)
    assert await converse(process, world.process, True, fault) == "Done: ok ok ok."
    return fault.points


@pytest.mark.proves("X4")
@pytest.mark.parametrize("safe", [False, True], ids=["unsafe", "safe to repeat"])
async def test_inner_calls_that_were_settled_are_not_made_again(tmp_path: Path, safe: bool) -> None:
    points = await points_of(tmp_path, charge_thrice)
    # Each inner call has its intent, its tool and its result.
    assert points.count("commit.before") >= 2 * CALLS + 2
    assert points.count("call.before") == CALLS + 1
    for nth, point in enumerate(points, start=1):
        world, said = await lived_through(tmp_path, nth, charge_thrice, safe_to_repeat=safe)
        made = Counter(call["n"] for call in world.charged)
        words = said.split(" ")
        assert len(words) == CALLS, (nth, point, said)
        if safe:
            assert words == ["ok"] * CALLS, (nth, point, said)
            assert all(made[n] >= 1 for n in range(1, CALLS + 1))
            assert sum(made.values()) <= CALLS + 1, (nth, point, made)
            continue
        for n, word in enumerate(words, start=1):
            allowed = {("ok", 1), ("OUTCOME_UNKNOWN", 0), ("OUTCOME_UNKNOWN", 1)}
            assert (word, made[n]) in allowed, (nth, point, said)
        assert words.count("OUTCOME_UNKNOWN") <= 1, (nth, point, said)


def changing(*rounds: list[int]) -> Program:
    """A program that asks for other calls each time it runs."""
    left: Iterator[list[int]] = iter(rounds)

    async def program(context: ToolContext) -> JsonObject:
        words = [await asked(context, SERVER, n=n) for n in next(left)]
        return {"said": " ".join(words)}

    return program


async def at_result_of_the_second(folder: Path) -> int:
    """The point after which the results of two inner calls are on record."""
    points = await points_of(folder, charge_thrice)
    ended = [at for at, point in enumerate(points, start=1) if point == "call.after"]
    return next(at for at, point in enumerate(points, start=1) if at > ended[1] and point == "commit.after")


@pytest.mark.parametrize(
    ("again", "how"),
    [
        ([1, 5], "call 2 was of charge, with other arguments than charge had"),
        ([1], "charge had been called, and was not the second time"),
        ([], "charge, charge had been called, and was not the second time"),
    ],
)
async def test_a_call_that_goes_another_way_the_second_time_ends_in_doubt(
    tmp_path: Path, again: list[int], how: str
) -> None:
    nth = await at_result_of_the_second(tmp_path)
    world, said = await lived_through(tmp_path, nth, changing([1, 2, 3], again))
    assert said == "OUTCOME_UNKNOWN"
    assert [call["n"] for call in world.charged] == [1, 2]
    process = await world.process()
    [turn] = [turn async for turn in kept_turns(process.store, SESSION)]
    [result] = [step for step in turn.steps if step.kind == CallSettled.KIND]
    message = "The server stopped during this call, and made again it went another way"
    assert f"{message}: {how}." in result.payload.decode()
    await process.end()


async def test_a_program_cannot_hide_that_it_went_another_way(tmp_path: Path) -> None:
    runs = iter(([1, 2, 3], [1, 5]))

    async def careless(context: ToolContext) -> JsonObject:
        words: list[str] = []
        for n in next(runs):
            try:
                words.append(await asked(context, SERVER, n=n))
            except Diverged as fault:
                words.append(type(fault).__name__)
        return {"said": " ".join(words)}

    _, said = await lived_through(tmp_path, await at_result_of_the_second(tmp_path), careless)
    assert said == "OUTCOME_UNKNOWN"


async def test_what_goes_on_as_before_may_make_more_calls_than_are_on_record(tmp_path: Path) -> None:
    nth = await at_result_of_the_second(tmp_path)
    world, said = await lived_through(tmp_path, nth, changing([1, 2, 3], [1, 2, 7, 8]))
    assert said == "ok ok ok ok"
    assert [call["n"] for call in world.charged] == [1, 2, 7, 8]
