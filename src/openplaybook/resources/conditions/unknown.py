"""References that can have no value here, because what they lead to belongs to flows."""

from collections.abc import Iterator

from openplaybook.resources.conditions.expressions import (
    Comparison,
    Condition,
    Junction,
    Literal,
    Negation,
    SystemFunctionCall,
    ValueReference,
)

_OF_FLOWS = frozenset({"page", "intent", "flow"})


def valueless(condition: Condition) -> Iterator[ValueReference]:
    """The references of a condition that are null always."""
    match condition:
        case ValueReference(path):
            if path[0] in _OF_FLOWS:
                yield condition
        case Comparison(left, _, right):
            yield from valueless(left)
            yield from valueless(right)
        case Negation(part):
            yield from valueless(part)
        case Junction(_, parts):
            for each in parts:
                yield from valueless(each)
        case Literal():
            pass
        case _:
            for each in condition.arguments if isinstance(condition, SystemFunctionCall) else condition.items:
                yield from valueless(each)
