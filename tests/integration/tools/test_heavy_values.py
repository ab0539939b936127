"""Values that would take minutes to be judged are judged beside the loop, or refused with a sentence."""

import asyncio
import resource
from decimal import Decimal

import pytest

from openplaybook.tools.schema.errors import Unjudged
from openplaybook.tools.schema.validator import Validator
from tests.kit.heavy_values import FITTING, HEAVY, SLOW, Heavy

SHORT = [each for each in HEAVY if each.name not in SLOW]
MOST_MB = 500
"""That the process may grow by; what other tests left in it is not counted."""


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def judged(heavy: Heavy) -> tuple[str, ...]:
    return tuple(await Validator(heavy.schema).judge(heavy.value()))


async def test_no_heavy_value_passes_that_does_not_fit_and_all_get_short_sentences() -> None:
    before = peak_mb()
    found = {heavy.name: await judged(heavy) for heavy in SHORT}
    assert {name for name, told in found.items() if not told} <= FITTING
    assert [name for name, told in found.items() if len(told) > 5 or any(len(each) > 1_200 for each in told)] == []
    assert peak_mb() - before < MOST_MB


@pytest.mark.parametrize("heavy", SHORT, ids=lambda heavy: heavy.name)
def test_what_takes_long_is_never_judged_where_others_wait(heavy: Heavy) -> None:
    validator, value = Validator(heavy.schema), heavy.value()
    try:
        # In this process only what is estimated to take some milliseconds is judged.
        assert validator.fits(value) is (heavy.name in FITTING)
    except Unjudged:
        return
    assert validator.effort(value) <= 20_000 or "levels deep" in heavy.name or "list of lists" in heavy.name


async def test_the_loop_goes_round_while_a_value_is_judged() -> None:
    heavy = next(each for each in HEAVY if each.name == "300 kinds of lists")
    task, rounds = asyncio.create_task(judged(heavy)), 0
    while not task.done():
        await asyncio.sleep(0)
        rounds += 1
    assert rounds > 100
    assert await task != ()


async def test_a_pattern_that_is_given_up_says_so_and_neither_passes_nor_fails_in_silence() -> None:
    given_up = "was not checked: its pattern takes too many steps on this text"
    for name in ("stars within stars and a reference back", "a pattern that is a condition", "one of two patterns"):
        heavy = next(each for each in HEAVY if each.name == name)
        assert await judged(heavy) == (f"the value {given_up}",)


async def test_a_large_value_is_told_of_like_a_small_one() -> None:
    schema = {"type": "object", "properties": {"rows": {"items": {"$ref": "#/$defs/Row"}}}}
    row = {
        "type": "object",
        "properties": {"id": {"type": "integer"}},
        "required": ["id"],
        "additionalProperties": False,
    }
    validator = Validator({**schema, "$defs": {"Row": row}})
    wrong = [{"id": "x"}, {}, {"id": 1, "more": 2}]
    told = (
        'rows[{}].id must be integer, got "x"',
        "rows[{}].id is required (integer)",
        "rows[{}].more is not known; allowed: id",
    )
    assert await validator.judge({"rows": wrong}) == tuple(each.format(at) for at, each in enumerate(told))
    rows = [{"id": at} for at in range(30_000)]
    large = await validator.judge({"rows": [*rows, *wrong]})
    assert large == tuple(each.format(30_000 + at) for at, each in enumerate(told))
    assert await validator.judge({"rows": rows}) == ()


async def test_numbers_keep_their_value_on_the_way_to_be_judged() -> None:
    exact = Decimal("0.1000000000000000000001")
    validator = Validator({"items": {"enum": [2**70, exact, "x"]}})
    assert await validator.judge([2**70, "x"] * 15_000) == ()
    assert await validator.judge([exact] * 30_000) == ()
    assert await validator.judge([exact] * 30_000 + [2**70 + 1]) != ()
