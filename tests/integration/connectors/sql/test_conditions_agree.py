"""What databases take a condition for is what the one evaluation of conditions takes it for."""

from decimal import Decimal

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from openplaybook.connectors.base import EntityQuery, SystemCall, SystemConnection
from openplaybook.connectors.conditions.evaluation import meets
from openplaybook.connectors.conditions.syntax import (
    Absence,
    ColumnComparison,
    ComparisonOperator,
    Condition,
    ConditionConjunction,
    ConditionDisjunction,
    ConditionNegation,
    Likeness,
    Literal,
    Membership,
    Range,
)
from openplaybook.jsonvalues import JsonObject
from tests.kit.thoroughness import examples

ROWS: tuple[JsonObject, ...] = (
    {"name": "a", "email": "b%", "credit": "1.50", "rating": 0.1, "born": "2000-02-29", "balance": 1},
    {"name": "ab", "email": "B_", "credit": "-1.5", "rating": -2.5, "is_active": False, "met": "2026-01-01T00:00:00"},
    {"name": "B", "email": "\\", "credit": "0", "balance": -999, "born": "1999-12-31", "wakes": "00:00:01"},
    {"name": "é'", "email": "[a]*?", "rating": 1e10, "balance": "9007199254740993", "met": "2026-06-01T12:30:00.5"},
    {"name": "b\\%", "credit": "2", "is_active": False, "born": "2026-11-26", "met": "1970-01-01T00:00:00"},
    {"name": "%_!", "email": "a", "rating": 0.0, "balance": 0, "wakes": "23:59:59"},
)

_TEXTS = st.one_of(st.text("abBé%_\\['!*?", min_size=1, max_size=3), st.sampled_from(["a", "b%", "B_", "é'", "[a]*?"]))
_PATTERNS = st.text("abBé%_\\['!*?%%", max_size=5)
_NUMBERS = st.one_of(
    st.integers(-2, 3), st.sampled_from([Decimal("1.50"), Decimal("0.1"), Decimal("-2.5"), 2**53 + 1, -999, 10**10])
)
_DAYS = st.sampled_from(["2000-02-29", "1999-12-31", "2026-11-26", "2026-01-01"])
_MOMENTS = st.sampled_from(
    [
        "2026-01-01T00:00:00",
        "2026-06-01T12:30:00.5",
        "2026-06-01T14:30:00.5+02:00",
        "2026-01-01",
        "1970-01-01T00:00:00Z",
    ]
)
_OF_COLUMN: dict[str, st.SearchStrategy[Literal]] = {
    "name": _TEXTS,
    "email": _TEXTS,
    "credit": _NUMBERS,
    "rating": _NUMBERS,
    "balance": _NUMBERS,
    "is_active": st.booleans(),
    "born": _DAYS,
    "met": _MOMENTS,
    "wakes": st.sampled_from(["00:00:01", "12:00:00", "23:59:59"]),
}


@st.composite
def single_tests(draw: st.DrawFn) -> Condition:
    """A test of one column."""
    column = draw(st.sampled_from(sorted(_OF_COLUMN)))
    values = _OF_COLUMN[column]
    kind = draw(st.sampled_from(["compare", "in", "between", "null", "like"]))
    if kind == "compare":
        return ColumnComparison(column, draw(st.sampled_from(list(ComparisonOperator))), draw(values))
    if kind == "in":
        return Membership(column, tuple(draw(st.lists(values, min_size=1, max_size=3))))
    if kind == "between":
        return Range(column, draw(values), draw(values))
    if kind == "like":
        return Likeness(draw(st.sampled_from(["name", "email"])), draw(_PATTERNS))
    return Absence(column)


def _joined(inner: st.SearchStrategy[Condition]) -> st.SearchStrategy[Condition]:
    several = st.lists(inner, min_size=2, max_size=3).map(tuple)
    return st.one_of(inner.map(ConditionNegation), several.map(ConditionConjunction), several.map(ConditionDisjunction))


CONDITIONS = st.recursive(single_tests(), _joined, max_leaves=6)


async def test_databases_and_the_evaluation_agree(connection: SystemConnection) -> None:
    entities = [await connection.create("customer", row, SystemCall()) for row in ROWS]
    pending: list[Condition] = []

    @settings(max_examples=examples(1_000), deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
    @given(CONDITIONS)
    def collect(condition: Condition) -> None:
        pending.append(condition)

    collect()
    for condition in pending:
        page = await connection.list(EntityQuery("customer", condition), SystemCall())
        found = [each.fields["name"] for each in page.entities]
        assert found == [each.fields["name"] for each in entities if meets(condition, each.fields)], condition
