"""Functions on numbers."""

import uuid
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal, localcontext
from math import prod

from openplaybook.jsonvalues import MAX_DIGITS, JsonValue, fits_double, number_of
from openplaybook.resources.conditions.functions.system_function import (
    ANY,
    BadArgument,
    SystemFunction,
    checked,
    number,
    pure,
    whole,
)

_USUAL_SCALE = 3
_MOST_PLACES = 15
_PRECISION = 3 * MAX_DIGITS
"""Digits of what is calculated with decimals."""


def _calculated(calculate: Callable[[list[JsonValue]], JsonValue], arguments: list[JsonValue]) -> JsonValue:
    """A result of numbers. Where one of them is more than a double holds, all are decimals, and none is rounded."""
    numbers: list[JsonValue] = [number(each) for each in arguments]
    if not any(isinstance(each, Decimal) for each in numbers):
        return checked(calculate(numbers))
    with localcontext(prec=_PRECISION):
        result = calculate([_decimal(each) for each in numbers])
    return _plain(checked(result))


def _decimal(value: float | Decimal) -> Decimal:
    return Decimal(str(value))


def _plain(value: int | float | Decimal) -> JsonValue:
    """A decimal as the number that JSON would be read as."""
    if not isinstance(value, Decimal):
        return value
    whole_part = value.to_integral_value()
    return int(whole_part) if whole_part == value else number_of(str(value))


def _divide(arguments: list[JsonValue]) -> JsonValue:
    dividend, divisor = number(arguments[0]), number(arguments[1])
    if divisor == 0:
        raise BadArgument("nothing can be divided by 0")
    places = _places(arguments[2:], _USUAL_SCALE)
    if fits_double(dividend) and fits_double(divisor):
        return _rounded(checked(float(dividend) / float(divisor)), places)
    with localcontext(prec=_PRECISION):
        return _rounded(checked(_decimal(dividend) / _decimal(divisor)), places)


def _places(arguments: list[JsonValue], default: int) -> int:
    """The decimal places that an argument asks for, where it is given."""
    places = whole(arguments[0]) if arguments else default
    if not 0 <= places <= _MOST_PLACES:
        raise BadArgument(f"a number has 0 to {_MOST_PLACES} decimal places")
    return places


def _rounded(value: float | Decimal, places: int) -> JsonValue:
    exact = _decimal(value)
    # A double of that size has no places to round.
    if isinstance(value, float) and exact.adjusted() > _MOST_PLACES:
        return value
    with localcontext(prec=_PRECISION):
        return _plain(exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP))


_RANDOM = SystemFunction(lambda _, environment: environment.random(), 0, 0)

NUMBERS = {
    "ADD": pure(lambda arguments: _calculated(sum, arguments), 1, ANY),
    "MINUS": pure(lambda arguments: _calculated(lambda numbers: numbers[0] - numbers[1], arguments), 2),
    "MULTIPLY": pure(lambda arguments: _calculated(prod, arguments), 1, ANY),
    "DIVIDE": pure(_divide, 2, 3),
    "ROUND": pure(lambda arguments: _rounded(number(arguments[0]), _places(arguments[1:], 0)), 1, 2),
    "RAND": _RANDOM,
    "rand": _RANDOM,
    "UUID": pure(lambda _: str(uuid.uuid4()), 0),
}
