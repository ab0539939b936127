"""Functions on numbers."""

import uuid
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal, localcontext
from math import prod

from openplaybook.jsonvalues import MAX_DIGITS, JsonValue, fits_double, number_of
from openplaybook.resources.conditions.environment import Environment
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


def _add(arguments: list[JsonValue]) -> JsonValue:
    return _calculated(sum, arguments)


def _minus(arguments: list[JsonValue]) -> JsonValue:
    return _calculated(lambda numbers: numbers[0] - numbers[1], arguments)


def _multiply(arguments: list[JsonValue]) -> JsonValue:
    return _calculated(prod, arguments)


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
    places = _places(arguments[2]) if len(arguments) > 2 else _USUAL_SCALE
    if fits_double(dividend) and fits_double(divisor):
        return _rounded(checked(float(dividend) / float(divisor)), places)
    with localcontext(prec=_PRECISION):
        return _rounded(checked(_decimal(dividend) / _decimal(divisor)), places)


def _round(arguments: list[JsonValue]) -> JsonValue:
    return _rounded(number(arguments[0]), _places(arguments[1]) if len(arguments) > 1 else 0)


def _places(value: JsonValue) -> int:
    places = whole(value)
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


def _rand(arguments: list[JsonValue], environment: Environment) -> JsonValue:
    return environment.random()


def _uuid(arguments: list[JsonValue]) -> JsonValue:
    return str(uuid.uuid4())


NUMBERS = {
    "ADD": pure(_add, 1, ANY),
    "MINUS": pure(_minus, 2),
    "MULTIPLY": pure(_multiply, 1, ANY),
    "DIVIDE": pure(_divide, 2, 3),
    "ROUND": pure(_round, 1, 2),
    "RAND": SystemFunction(_rand, 0, 0),
    "rand": SystemFunction(_rand, 0, 0),
    "UUID": pure(_uuid, 0),
}
