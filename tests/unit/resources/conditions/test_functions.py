from contextlib import suppress
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonValue, dumps
from openplaybook.resources.conditions.environment import Environment
from openplaybook.resources.conditions.errors import CannotEvaluate
from openplaybook.resources.conditions.evaluation import value_of
from openplaybook.resources.conditions.functions import FUNCTIONS
from openplaybook.resources.conditions.functions.system_function import BadArgument
from openplaybook.resources.conditions.parser import Parser
from openplaybook.resources.conditions.scanner import Scanner

NOON = datetime(2026, 3, 1, 12, 5, 9, tzinfo=UTC)
ENVIRONMENT = Environment(
    {
        "session": {
            "params": {
                "list": [1, 2, 3],
                "user": {"name": "Ann", "home": {"city": "Rome"}},
                "day": "2026-02-28",
                "long": "x" * 20_000,
            }
        }
    },
    now=lambda: NOON,
    random=lambda: 0.25,
)


def computed(call: str) -> JsonValue:
    return value_of(Parser(Scanner(f"$sys.func.{call}")).operand(0), ENVIRONMENT)


LONGS = ", ".join(["$session.params.long"] * 100)


@pytest.mark.parametrize(
    ("call", "value"),
    [
        ("ADD(1, 2, 3.5)", 6.5),
        ('ADD("1", 2)', 3),
        ("MINUS(3, 2)", 1),
        ("MULTIPLY(2, 3, 4)", 24),
        ("DIVIDE(10, 3)", 3.333),
        ("DIVIDE(10, 3, 2)", 3.33),
        ("DIVIDE(10, 5)", 2),
        ("ROUND(2.5)", 3),
        ("ROUND(10.5678, 2)", 10.57),
        ("ROUND(1000000000000000000)", 10**18),
        ("RAND()", 0.25),
        ("rand()", 0.25),
        ('CONCATENATE("a", 1, true, null)', "a1true"),
        ('LEN("héllo")', 5),
        ('LOWER("ABC")', "abc"),
        ('UPPER("abc")', "ABC"),
        ('MID("google", 4, 2)', "gl"),
        ('SUBSTITUTE("good", "d", "gle")', "google"),
        ('SUBSTITUTE("good", "", "x")', "good"),
        ('SPLIT("a/b/c", "/")', ["a", "b", "c"]),
        ('SPLIT("abc", "")', ["a", "b", "c"]),
        ('JOIN(", ", [1, 2, 3])', "1, 2, 3"),
        ('JOIN(", ", ["Ann", "Bo", "Cy"], " and ")', "Ann, Bo and Cy"),
        ('JOIN(", ", [])', ""),
        ('URL_ENCODE("a+b=c d")', "a%2Bb%3Dc+d"),
        ("TO_TEXT(3.0)", "3"),
        ("TO_TEXT([1, true])", "[1,true]"),
        ('TO_NUMBER(" 45 ")', 45),
        ('TO_OBJECT("{\\"a\\": 1}")', {"a": 1}),
        ("IDENTITY($session.params.user)", {"name": "Ann", "home": {"city": "Rome"}}),
        ('IS_CREDIT_CARD_NUMBER("4111 1111 1111 1111")', True),
        ('IS_CREDIT_CARD_NUMBER("4111111111111112")', False),
        ('IS_CREDIT_CARD_NUMBER("x")', False),
        ("APPEND($session.params.list, 4, [5, 6])", [1, 2, 3, 4, 5, 6]),
        ("APPEND($session.params.missing, 1)", [1]),
        ("REMOVE([1, 2, 3, 2], 2, [3])", [1]),
        ("UNIQUE([1, 2, 2, true])", [1, 2, True]),
        ("UNIQUE([2, 1, 2.0, 3])", [2, 1, 3]),
        ("COUNT($session.params.list)", 3),
        ("CONTAIN($session.params.list, 2)", True),
        ("CONTAIN([1], true)", False),
        ('MATCH(["x", "y"], "y")', 1),
        ('MATCH(["x"], "y")', -1),
        ("GET($session.params.list, 0)", 1),
        ('GET_FIELD($session.params.user, "name")', "Ann"),
        ("GET_FIELD($session.params.list, name)", None),
        ('NESTED_FIELD($session.params.user, "home", "city")', "Rome"),
        (
            "NOW()",
            {"year": 2026, "month": 3, "day": 1, "hours": 12, "minutes": 5, "seconds": 9, "nanos": 0},
        ),
        ("TO_TEXT($sys.func.NOW())", "2026-03-01T12:05:09"),
        ('TO_TEXT($sys.func.ADD_DATE($session.params.day, 1, "DAYS"))', "2026-03-01"),
        ('TO_TEXT($sys.func.ADD_DATE("2026-01-31", 1, "months"))', "2026-02-28"),
        ('TO_TEXT($sys.func.ADD_DATE("2024-02-29", -1, "year"))', "2023-02-28"),
        ('FORMAT_DATE($sys.func.NOW(), "EEEE, MMMM dd")', "Sunday, March 01"),
        ("FORMAT_DATE($sys.func.NOW(), \"yy-M-d h:mm a 'o''clock'\", \"en\")", "26-3-1 12:05 PM o'clock"),
        ('IS_PAST_DATE("2026-03-01")', True),
        ('IS_FUTURE_DATE("2026-03-01T13:00:00")', True),
        ('IF("$session.params.list[0] = 1", "yes", $sys.func.DIVIDE(1, 0))', "yes"),
        ("IF(false, 1, 2)", 2),
        ('IF($sys.func.CONCATENATE("1 ", "= 1"), "the text was run", "it was not")', "it was not"),
        ('IF($sys.func.LOWER("TRUE"), 1, 2)', 1),
    ],
)  # fmt: skip
def test_a_system_function_gives_what_is_documented(call: str, value: JsonValue) -> None:
    found = computed(call)
    assert (found, type(found)) == (value, type(value))


def test_each_uuid_is_another() -> None:
    assert computed("UUID()") != computed("UUID()")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ('ADD(1, "x")', "system function ADD: 'x' is not a number"),
        ("ADD(null)", "system function ADD: null is not a number"),
        ("ADD(true)", "system function ADD: 'true' is not a number"),
        (f"MULTIPLY({', '.join(['9' * 400] * 11)})", "system function MULTIPLY: the result is too large"),
        ("DIVIDE(1, 0)", "system function DIVIDE: nothing can be divided by 0"),
        ("ROUND(1, 99)", "system function ROUND: a number has 0 to 15 decimal places"),
        ("ROUND(1, 1.5)", "system function ROUND: '1.5' is not a whole number"),
        ('MID("google", 0, 2)', "system function MID: the position counts from 1 and the length from 0"),
        ("LEN($sys.func.SPLIT($session.params.long, x))", "system function SPLIT: a list has more than 10000 items"),
        (f"CONCATENATE({LONGS})", "system function CONCATENATE: the result is longer than 1000000 characters"),
        (f"JOIN(x, [{LONGS}])", "system function JOIN: the result is longer than 1000000 characters"),
        ("COUNT(5)", "system function COUNT: '5' is not a list"),
        ("GET([1], 1)", "system function GET: the list has no position 1"),
        ('TO_NUMBER("1_0")', "system function TO_NUMBER: '1_0' is not a number"),
        ('TO_OBJECT("{")', "system function TO_OBJECT: the text is not JSON"),
        ('FORMAT_DATE("soon", "y")', "system function FORMAT_DATE: the first argument is not a date"),
        (
            'FORMAT_DATE("2026-03-01", "QQ")',
            "system function FORMAT_DATE: QQ is not a part of a date pattern (known: y u M d E H h m s a)",
        ),
        (
            'ADD_DATE("2026-03-01", 1, "moons")',
            "system function ADD_DATE: a date is moved by at most 1000000 of years, months, weeks, days, hours, "
            "minutes, seconds",
        ),
        ('ADD_DATE("2026-03-01", 9999, "years")', "system function ADD_DATE: the result is not a date"),
        ('IF("AND", 1, 2)', "the condition of IF: 'A' is not a value"),
    ],
)
def test_what_a_function_cannot_work_on_is_told(call: str, message: str) -> None:
    with pytest.raises(CannotEvaluate) as raised:
        computed(call)
    assert raised.value.message == message


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)


@given(st.sampled_from(sorted(FUNCTIONS.keys() - {"IF"})), st.lists(_VALUES, max_size=4))
def test_any_arguments_give_json_or_a_refusal(name: str, arguments: list[JsonValue]) -> None:
    function = FUNCTIONS[name]
    padded = (arguments + [None] * function.fewest)[: function.most] if arguments else [None] * function.fewest
    with suppress(BadArgument):
        dumps(function.run(padded, ENVIRONMENT))
