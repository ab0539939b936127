"""What a system function is."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal

from openplaybook.jsonvalues import JsonValue, as_list
from openplaybook.resources.conditions.coercion import as_number, is_in_bounds, to_text
from openplaybook.resources.conditions.environment import Environment

ANY = 1000
"""Of a function that takes as many arguments as are given."""
MAX_TEXT = 1_000_000
"""Characters of a text that a function may make."""
MAX_ITEMS = 10_000
"""Of a list that a function takes or makes."""


class BadArgument(Exception):
    """A function was given what it cannot work on; the message says what."""


@dataclass(frozen=True, slots=True)
class SystemFunction:
    """A system function and how many arguments it takes."""

    run: Callable[[list[JsonValue], Environment], JsonValue]
    fewest: int
    most: int

    @property
    def counts(self) -> str:
        """In words: `2 arguments`, `1 to 3 arguments`, `at least 2 arguments`."""
        if self.most >= ANY:
            return f"at least {self.fewest} arguments"
        return f"{self.fewest} arguments" if self.fewest == self.most else f"{self.fewest} to {self.most} arguments"


def pure(run: Callable[[list[JsonValue]], JsonValue], fewest: int, most: int | None = None) -> SystemFunction:
    """A function that needs nothing but its arguments."""

    def of_arguments(arguments: list[JsonValue], environment: Environment) -> JsonValue:
        return run(arguments)

    return SystemFunction(of_arguments, fewest, fewest if most is None else most)


def number(value: JsonValue) -> int | float | Decimal:
    """The number that an argument has to be."""
    parsed = as_number(value)
    if parsed is None:
        raise BadArgument(f"{_shown(value)} is not a number")
    return parsed


def whole(value: JsonValue) -> int:
    """The whole number that an argument has to be."""
    parsed = number(value)
    if int(parsed) != parsed:
        raise BadArgument(f"{_shown(value)} is not a whole number")
    return int(parsed)


def items(value: JsonValue) -> list[JsonValue]:
    """The list that an argument has to be; nothing at all is an empty one."""
    if value is not None and not isinstance(value, list):
        raise BadArgument(f"{_shown(value)} is not a list")
    return few_enough(as_list(value))


def few_enough(elements: list[JsonValue]) -> list[JsonValue]:
    """A list that is given or was made. Raises `BadArgument` when it is too long."""
    if len(elements) > MAX_ITEMS:
        raise BadArgument(f"a list has more than {MAX_ITEMS} items")
    return elements


def checked(result: float | Decimal) -> int | float | Decimal:
    """A computed number. Raises `BadArgument` when it is out of bounds."""
    if not is_in_bounds(result):
        raise BadArgument("the result is too large")
    return result


def joined(texts: Iterable[str]) -> str:
    """Texts put together. Raises `BadArgument` before that is too long."""
    parts: list[str] = []
    length = 0
    for text in texts:
        length += len(text)
        if length > MAX_TEXT:
            raise BadArgument(f"the result is longer than {MAX_TEXT} characters")
        parts.append(text)
    return "".join(parts)


def short_enough(text: str) -> str:
    """A text that was made. Raises `BadArgument` when it is too long."""
    if len(text) > MAX_TEXT:
        raise BadArgument(f"the result is longer than {MAX_TEXT} characters")
    return text


def _shown(value: JsonValue) -> str:
    if value is None:
        return "null"
    # Values may be the user's: the message names their kind and a little of them.
    text = to_text(value)
    return repr(text if len(text) <= 20 else f"{text[:20]}…")
