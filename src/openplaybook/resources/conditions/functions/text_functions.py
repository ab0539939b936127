"""Functions on texts, and between texts and other values."""

from itertools import chain
from urllib.parse import quote_plus

from openplaybook.jsonvalues import JsonValue, is_deep, loads
from openplaybook.resources.conditions.coercion import as_number, to_text
from openplaybook.resources.conditions.functions.system_function import (
    ANY,
    MAX_ITEMS,
    MAX_TEXT,
    BadArgument,
    few_enough,
    items,
    joined,
    number,
    pure,
    short_enough,
    whole,
)

_MAX_LEVELS = 24


def _mid(arguments: list[JsonValue]) -> JsonValue:
    """`MID("google", 4, 2)` is `gl`: positions count from 1."""
    text, start, length = to_text(arguments[0]), whole(arguments[1]), whole(arguments[2])
    if start < 1 or length < 0:
        raise BadArgument("the position counts from 1 and the length from 0")
    return text[start - 1 : start - 1 + length]


def _substitute(arguments: list[JsonValue]) -> JsonValue:
    text, old, new = map(to_text, arguments)
    if not old:
        return text
    # Counted first, so that no text of any length is ever made.
    if len(text) + text.count(old) * len(new) > MAX_TEXT:
        raise BadArgument(f"the result is longer than {MAX_TEXT} characters")
    return text.replace(old, new)


def _split(arguments: list[JsonValue]) -> JsonValue:
    text, mark = map(to_text, arguments)
    parts: list[JsonValue] = [*text.split(mark, MAX_ITEMS)] if mark else [*text[: MAX_ITEMS + 1]]
    return few_enough(parts)


def _join(arguments: list[JsonValue]) -> JsonValue:
    mark, parts = to_text(arguments[0]), [to_text(item) for item in items(arguments[1])]
    last = to_text(arguments[2]) if len(arguments) > 2 else mark
    if len(parts) < 2:
        return joined(parts)
    marks = [*[mark] * (len(parts) - 2), last, ""]
    return joined(chain.from_iterable(zip(parts, marks, strict=True)))


def _to_object(arguments: list[JsonValue]) -> JsonValue:
    text = to_text(arguments[0])
    try:
        value = loads(text)
    except ValueError:
        raise BadArgument("the text is not JSON") from None
    if is_deep(value, _MAX_LEVELS):
        raise BadArgument(f"the JSON has more than {_MAX_LEVELS} levels")
    return value


def _is_credit_card_number(arguments: list[JsonValue]) -> JsonValue:
    """The check digit of ISO/IEC 7812 (Luhn)."""
    value = arguments[0]
    digits = to_text(value).replace(" ", "").replace("-", "")
    if not (digits.isascii() and digits.isdigit() and 12 <= len(digits) <= 19) or as_number(digits) == 0:
        return False
    total = 0
    for place, digit in enumerate(reversed(digits)):
        doubled = int(digit) * (1 + place % 2)
        total += doubled - 9 if doubled > 9 else doubled
    return total % 10 == 0


TEXTS = {
    "CONCATENATE": pure(lambda arguments: joined(map(to_text, arguments)), 1, ANY),
    "LEN": pure(lambda arguments: len(to_text(arguments[0])), 1),
    "LOWER": pure(lambda arguments: to_text(arguments[0]).lower(), 1),
    "UPPER": pure(lambda arguments: to_text(arguments[0]).upper(), 1),
    "MID": pure(_mid, 3),
    "SUBSTITUTE": pure(_substitute, 3),
    "SPLIT": pure(_split, 2),
    "JOIN": pure(_join, 2, 3),
    "URL_ENCODE": pure(lambda arguments: short_enough(quote_plus(to_text(arguments[0]))), 1),
    "TO_TEXT": pure(lambda arguments: to_text(arguments[0]), 1),
    "TO_NUMBER": pure(lambda arguments: number(arguments[0]), 1),
    "TO_OBJECT": pure(_to_object, 1),
    "IDENTITY": pure(lambda arguments: arguments[0], 1),
    "IS_CREDIT_CARD_NUMBER": pure(_is_credit_card_number, 1),
}
