"""The filter of ListConversations: the fields that Google documents for it, and no others."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from openplaybook.resources.errors import InvalidFilter
from openplaybook.resources.filters import (
    ORDERED,
    All,
    FieldComparison,
    Filter,
    check_operator,
    comparisons,
    holds,
    microseconds_of,
    parse_filter,
    plain,
    truth_of,
)

_CREATED = "create_time"
_BOOLEANS = ("metrics.has_end_interaction", "metrics.has_live_agent_handoff")
_NAMES = ("intents.display_name", "pages.display_name", "flows.display_name")
_FIELDS = (_CREATED, *_BOOLEANS, *_NAMES)

_CLOCKS_APART_US = 60_000_000
"""Conversations are listed in the order in which the store took them; its clients' clocks may differ by this much."""


@dataclass(frozen=True, slots=True)
class Filterable:
    """What a conversation is judged by."""

    began_us: int
    has_end_interaction: bool = False
    has_live_agent_handoff: bool = False


class ConversationFilter:
    """A filter that was checked. Intents, pages and flows are what a conversation of playbooks has none of."""

    def __init__(self, text: str) -> None:
        """Raises `InvalidFilter`."""
        self._filter = parse_filter(text)
        compared = comparisons(self._filter)
        self._tests = {one: _test(one) for one in compared}
        self.reads_turns = any(plain(one.field) in _BOOLEANS for one in compared)
        """Whether more has to be known of a conversation than when it began."""
        self.earliest_us = _earliest(self._filter, self._tests)
        """No conversation passes that is listed behind one which began before then."""

    def accepts(self, conversation: Filterable) -> bool:
        """Whether the filter holds."""
        return holds(self._filter, lambda comparison: self._tests[comparison].passes(conversation))


@dataclass(frozen=True, slots=True)
class _Test:
    passes: Callable[[Filterable], bool]
    not_before_us: int = 0
    """It passes for nothing earlier."""


def _test(comparison: FieldComparison) -> _Test:
    field = plain(comparison.field)
    if field == _CREATED:
        return _time_test(comparison)
    if field in _BOOLEANS:
        return _boolean_test(comparison, field.removeprefix("metrics."))
    if field in _NAMES:
        check_operator(comparison, ("=", "!=", ":"))
        differs = comparison.operator == "!="
        return _Test(lambda conversation: differs)
    raise InvalidFilter(
        f"{comparison.field!r} at character {comparison.position + 1} cannot be used in a filter; "
        f"allowed are {', '.join(_FIELDS)}"
    )


def _time_test(comparison: FieldComparison) -> _Test:
    check_operator(comparison, tuple(ORDERED))
    compare, limit = ORDERED[comparison.operator], microseconds_of(comparison)
    is_lower_bound = comparison.operator in ("=", ">", ">=")
    return _Test(lambda conversation: compare(conversation.began_us, limit), limit if is_lower_bound else 0)


def _boolean_test(comparison: FieldComparison, attribute: str) -> _Test:
    check_operator(comparison, ("=", "!="))
    wanted = truth_of(comparison) == (comparison.operator == "=")
    return _Test(lambda conversation: getattr(conversation, attribute) is wanted)


def _earliest(filter_: Filter, tests: Mapping[FieldComparison, _Test]) -> int:
    required = filter_.parts if isinstance(filter_, All) else (filter_,)
    bounds = [tests[part].not_before_us for part in required if isinstance(part, FieldComparison)]
    return max(bounds, default=0) - _CLOCKS_APART_US
