import operator
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue, dumps
from openplaybook.resources.conditions.environment import Environment
from openplaybook.resources.conditions.errors import CannotEvaluate
from openplaybook.resources.conditions.evaluation import holds
from openplaybook.resources.conditions.parser import parse_condition

PARAMETERS: JsonObject = {
    "text": "hello world",
    "number": 5,
    "half": 0.5,
    "digits": "12",
    "yes": True,
    "no": False,
    "empty": "",
    "nothing": None,
    "list": [1, 2, 3],
    "Mixed-Case": "x",
    "order": {"id": 7, "items": [{"name": "tea"}]},
    "with.dots": {"in.it": 1},
}
ENVIRONMENT = Environment(
    {
        "session": {"params": PARAMETERS},
        "playbook": {"input": {"city": "Rome"}},
        "last-action": {"name": "query_order", "status": "FAILURE", "output": {}},
    }
)


def judged(condition: str) -> bool:
    return holds(parse_condition(condition), ENVIRONMENT)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("true", True),
        ("false", False),
        ("$session.params.text : hello", True),
        ('$session.params.text : "lo wo"', True),
        ('$session.params.text = "hello world"', True),
        ("$session.params.text = hello", False),
        ('$session.params.text > "aaa"', True),
        ("$session.params.number = 5", True),
        ('$session.params.number = "5"', True),
        ("$session.params.number : 5", True),
        ("$session.params.number : 55", False),
        ("$session.params.number < 10", True),
        ("$session.params.number < many", False),
        ("$session.params.number >= many", False),
        ("$session.params.number != many", True),
        ("$session.params.half <= 0.5", True),
        ("$session.params.digits = 12", True),
        ("$session.params.digits > 2", False),  # texts compare as texts
        ("$session.params.yes = true", True),
        ("$session.params.yes = TRUE", True),
        ("$session.params.yes", True),
        ("$session.params.no", False),
        ("$session.params.text", False),
        ("$session.params.no != false", False),
        ("$session.params.yes > false", False),
        ('$session.params.empty = ""', True),
        ("$session.params.empty = null", False),
        ("$session.params.nothing = null", True),
        ("$session.params.missing = null", True),
        ("$session.params.missing != null", False),
        ("$session.params.missing != x", True),
        ("$session.params.missing < 1", False),
        ("$session.params.missing.deeper[3].still = null", True),
        ("$session.params.list[1] = 2", True),
        ("$session.params.list[3] = null", True),
        ("$session.params.list = [1, 2, 3]", True),
        ("$session.params.list > [1]", False),
        ("$session.params.mixed-case = x", True),
        ("$session.params.order.items[0].name = tea", True),
        ("$session.params.with.dots.in.it = 1", True),
        ("$session.params.number = $session.params.number", True),
        ("$playbook.input.city = Rome", True),
        ('$last-action.name = "query_order" AND $last-action.status != SUCCESS', True),
        ('$last-action.name = "query_order" AND $last-action.output.orders = null', True),
        ("$next-action.name = null", True),
        ("NOT $session.params.number <= 0", True),
        ("(NOT ($session.params.number > 1 AND $session.params.half < 1)) OR $session.params.digits = 12", True),
        ("$sys.func.CONTAIN($session.params.list, 1) = true", True),
        ("$sys.func.COUNT($session.params.list) = 3", True),
        ("1 < 2", True),
    ],
)
def test_a_condition_is_judged_as_documented(condition: str, expected: bool) -> None:
    assert judged(condition) is expected


def test_what_comes_after_the_verdict_is_not_judged() -> None:
    broken = "$sys.func.DIVIDE(1, 0) = 1"
    assert judged(f"true OR {broken}") is True
    assert judged(f"false AND {broken}") is False
    with pytest.raises(CannotEvaluate, match="system function DIVIDE: nothing can be divided by 0"):
        judged(f"false OR {broken}")


_OPERATORS: dict[str, Callable[[JsonValue, JsonValue], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

Naive = tuple[str, bool]
"""A condition and its value, worked out beside it."""

_WORDS = st.text(alphabet="abcXYZ ü\"\\'()=:$", max_size=8)
_NUMBERS = st.integers(-1000, 1000) | st.floats(-1000, 1000).map(lambda number: round(number, 3))


@st.composite
def _comparison(draw: st.DrawFn) -> Naive:
    sign, compare = draw(st.sampled_from(list(_OPERATORS.items())))
    if draw(st.booleans()):
        left, right = draw(_NUMBERS), draw(_NUMBERS)
        return f"$sys.func.IDENTITY({left:f}){sign} {right:f}", compare(float(f"{left:f}"), float(f"{right:f}"))
    left, right = draw(_WORDS), draw(_WORDS)
    quoted = (dumps(text).decode() for text in (left, right))
    return f" {sign}".join(quoted), compare(left, right)


def _joined(parts: st.SearchStrategy[Naive]) -> st.SearchStrategy[Naive]:
    def join(word: str, joined: list[Naive]) -> Naive:
        text = f" {word} ".join(f"({part})" for part, _ in joined)
        return text, (all if word == "AND" else any)(value for _, value in joined)

    negated = parts.map(lambda part: (f"NOT ({part[0]})", not part[1]))
    return negated | st.builds(join, st.sampled_from(["AND", "OR"]), st.lists(parts, min_size=1, max_size=4))


@given(st.recursive(_comparison() | st.sampled_from([("true", True), ("false", False)]), _joined, max_leaves=12))
def test_random_conditions_mean_what_they_mean_in_plain_logic(made: Naive) -> None:
    condition, expected = made
    assert judged(condition) is expected
