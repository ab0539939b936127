"""A process that dies at any point of a turn loses nothing and repeats nothing that it must not.

The processes here are played: each point is reached with a real database file, then nothing more happens. The same
with real processes and SIGKILL is in tests/e2e.
"""

from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from tests.kit.dying import CLIENT, SERVER, DiesAt, Plan, World, converse

ONE_BY_ONE = [Plan([[SERVER]] * calls) for calls in range(1, 6)]
SIDE_BY_SIDE = [Plan([[SERVER] * calls]) for calls in range(2, 6)]
MIXED = [
    Plan([[CLIENT]]),
    Plan([[SERVER, CLIENT]]),
    Plan([[CLIENT, SERVER, CLIENT]]),
    Plan([[SERVER], [SERVER, CLIENT], [SERVER]]),
    Plan([[SERVER, CLIENT, SERVER, CLIENT], [SERVER]]),
]
PLANS = [*ONE_BY_ONE, *SIDE_BY_SIDE, *MIXED]


async def points_of(folder: Path, plan: Plan, *, keyed: bool) -> list[str]:
    """The points that a conversation passes when nobody dies."""
    world, fault = World(folder / "recorded.db", plan), DiesAt()
    process = await world.process(fault)
    await world.draft.put(process.store)
    said = await converse(process, world.process, keyed, fault)
    calls = [call for calls in plan.rounds for call in calls]
    assert said == f"Done: {', '.join('ok' for _ in calls)}."
    assert len(world.charged) == calls.count(SERVER)
    return fault.points


@pytest.mark.proves("X4")
@pytest.mark.parametrize("keyed", [True, False], ids=["with keys", "without keys"])
@pytest.mark.parametrize("plan", PLANS, ids=str)
async def test_the_conversation_goes_on_and_no_call_is_doubled_or_forgotten(
    tmp_path: Path, plan: Plan, keyed: bool
) -> None:
    points = await points_of(tmp_path, plan, keyed=keyed)
    for nth, point in enumerate(points, start=1):
        world, fault = World(tmp_path / f"{nth}.db", plan), DiesAt(nth)
        process = await world.process(fault)
        await world.draft.put(process.store)
        said = await converse(process, world.process, keyed, fault)
        assert fault.died.is_set()
        charged = Counter(call["n"] for call in world.charged)
        told = said.removeprefix("Done: ").removesuffix(".").split(", ")
        calls = [call for calls in plan.rounds for call in calls]
        assert len(told) == len(calls), (nth, point, said)
        for n, (call, word) in enumerate(zip(calls, told, strict=True), start=1):
            # A call that is told to be done was made once; one that may have been made is told to be unknown.
            made = (word, charged[n])
            allowed = {("ok", 1), ("OUTCOME_UNKNOWN", 1), ("OUTCOME_UNKNOWN", 0)} if call == SERVER else {("ok", 0)}
            assert made in allowed, (nth, point, said)
        unknown = told.count("OUTCOME_UNKNOWN")
        # Only calls that were on their way are in doubt.
        assert unknown <= max(calls.count(SERVER) for calls in plan.rounds), (nth, point, said)
        assert unknown == 0 or point.startswith(("commit", "call")), (nth, point, said)


@pytest.mark.proves("X4")
@pytest.mark.parametrize("plan", [ONE_BY_ONE[1], SIDE_BY_SIDE[1]], ids=str)
async def test_calls_that_are_safe_to_repeat_leave_no_doubt(tmp_path: Path, plan: Plan) -> None:
    points = await points_of(tmp_path, plan, keyed=False)
    for nth, point in enumerate(points, start=1):
        world, fault = World(tmp_path / f"{nth}.db", plan, safe_to_repeat=True), DiesAt(nth)
        process = await world.process(fault)
        await world.draft.put(process.store)
        said = await converse(process, partial(world.process), False, fault)
        calls = sum(len(calls) for calls in plan.rounds)
        assert said == f"Done: {', '.join(['ok'] * calls)}.", (nth, point)
