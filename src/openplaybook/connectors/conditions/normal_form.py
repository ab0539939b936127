"""Conditions in the form that all languages can be written from: NOT before single tests only, ranges as two tests."""

from openplaybook.connectors.conditions.syntax import (
    ColumnComparison,
    ComparisonOperator,
    Condition,
    ConditionConjunction,
    ConditionDisjunction,
    ConditionNegation,
    Likeness,
    Range,
)

_OPPOSITE = {
    ComparisonOperator.EQUAL: ComparisonOperator.UNEQUAL,
    ComparisonOperator.UNEQUAL: ComparisonOperator.EQUAL,
    ComparisonOperator.LESS: ComparisonOperator.GREATER_OR_EQUAL,
    ComparisonOperator.LESS_OR_EQUAL: ComparisonOperator.GREATER,
    ComparisonOperator.GREATER: ComparisonOperator.LESS_OR_EQUAL,
    ComparisonOperator.GREATER_OR_EQUAL: ComparisonOperator.LESS,
}
"""The same with NOT: what is unknown stays unknown in both."""


def normal(condition: Condition, *, is_negated: bool = False) -> Condition:
    """An equivalent condition (in SQL's three values) without nested conjunctions or disjunctions, in which
    `ConditionNegation` stands before memberships, likenesses and absences only, and no `Range` is left."""
    if isinstance(condition, ConditionNegation):
        return normal(condition.term, is_negated=not is_negated)
    if isinstance(condition, ConditionConjunction | ConditionDisjunction):
        terms = tuple(normal(term, is_negated=is_negated) for term in condition.terms)
        return _joined(terms, is_all=isinstance(condition, ConditionConjunction) != is_negated)
    if isinstance(condition, Range):
        low = ColumnComparison(condition.column, ComparisonOperator.GREATER_OR_EQUAL, condition.low)
        high = ColumnComparison(condition.column, ComparisonOperator.LESS_OR_EQUAL, condition.high)
        return normal(ConditionConjunction((low, high)), is_negated=is_negated)
    if isinstance(condition, ColumnComparison):
        operator = _OPPOSITE[condition.operator] if is_negated else condition.operator
        return ColumnComparison(condition.column, operator, condition.value)
    return ConditionNegation(condition) if is_negated else condition


def _joined(terms: tuple[Condition, ...], *, is_all: bool) -> Condition:
    kind = ConditionConjunction if is_all else ConditionDisjunction
    flat: list[Condition] = []
    for term in terms:
        flat += term.terms if isinstance(term, kind) else [term]
    return kind(tuple(flat))


def conjuncts(condition: Condition | None) -> tuple[Condition, ...]:
    """The conditions without each of which nothing meets the whole; none without one."""
    if condition is None:
        return ()
    if not isinstance(condition, ConditionConjunction):
        return (condition,)
    return tuple(inner for term in condition.terms for inner in conjuncts(term))


def all_of(terms: tuple[Condition, ...]) -> Condition | None:
    """One condition of several; None without any."""
    return ConditionConjunction(terms) if len(terms) > 1 else terms[0] if terms else None


def like_kind(likeness: Likeness) -> tuple[str, str]:
    """What a LIKE pattern asks for, and the text: `=`, `prefix`, `suffix`, `contains`, or `like` where it is none of
    these."""
    pattern = likeness.pattern
    starts, ends = pattern.startswith("%"), pattern.endswith("%") and not pattern.endswith("\\%")
    inner = pattern[starts : len(pattern) - ends] if len(pattern) > 1 else "" if starts else pattern
    text = ""
    position = 0
    while position < len(inner):
        char = inner[position]
        if char == "\\" and inner[position + 1 : position + 2] in ("%", "_", "\\"):
            position += 1
            char = inner[position]
        elif char in "%_":
            return "like", pattern
        text += char
        position += 1
    kind = {(False, False): "=", (True, False): "suffix", (False, True): "prefix", (True, True): "contains"}
    return kind[starts, ends], text
