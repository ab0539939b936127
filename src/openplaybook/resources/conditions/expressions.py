"""Parsed expressions, and their references that can have no value here."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from openplaybook.jsonvalues import JsonValue


class Operator(Enum):
    """Comparisons (https://docs.cloud.google.com/dialogflow/cx/docs/reference/condition)."""

    HAS = ":"
    EQUALS = "="
    NOT_EQUALS = "!="
    LESS = "<"
    LESS_EQUALS = "<="
    GREATER = ">"
    GREATER_EQUALS = ">="


@dataclass(frozen=True, slots=True)
class Literal:
    """A value written down: text, number, true, false or null."""

    value: JsonValue
    start: int


@dataclass(frozen=True, slots=True)
class ValueReference:
    """`$session.params.colors[1]`: a way into the environment."""

    path: tuple[str | int, ...]
    """Names, and positions in lists counted from 0: `("session", "params", "colors", 1)`."""
    start: int


@dataclass(frozen=True, slots=True)
class SystemFunctionCall:
    """`$sys.func.ADD(1, 2)`."""

    name: str
    arguments: tuple["Operand", ...]
    start: int


@dataclass(frozen=True, slots=True)
class ListLiteral:
    """`[1, "two", $session.params.three]`."""

    items: tuple["Operand", ...]
    start: int


Operand: TypeAlias = Literal | ValueReference | SystemFunctionCall | ListLiteral


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two operands compared; the right one is taken as what the left one is."""

    left: Operand
    operator: Operator
    right: Operand


@dataclass(frozen=True, slots=True)
class Negation:
    """`NOT …`"""

    part: "Condition"


@dataclass(frozen=True, slots=True)
class Junction:
    """Parts joined by AND (`all`) or by OR, judged from left to right as far as needed."""

    is_all: bool
    parts: tuple["Condition", ...]


Condition: TypeAlias = Comparison | Negation | Junction | Operand
"""An operand alone holds when its value is true."""


_OF_FLOWS = frozenset({"page", "intent", "flow"})
"""First names of references that lead to what belongs to flows."""


def valueless(condition: Condition) -> Iterator[ValueReference]:
    """The references of a condition that are null always, because what they lead to belongs to flows."""
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
