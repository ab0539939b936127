"""Functions on numbers."""

import uuid
from decimal import ROUND_HALF_UP, Decimal
from math import prod

from openplaybook.jsonvalues import JsonValue
from openplaybook.resources.conditions.environment import Environment
from openplaybook.resources.conditions.functions.base import ANY, BadArgument, Function, checked, number, pure, whole

_USUAL_SCALE = 3
_MOST_PLACES = 15


def _add(arguments: list[JsonValue]) -> JsonValue:
    return checked(sum(map(number, arguments)))


def _minus(arguments: list[JsonValue]) -> JsonValue:
    return checked(number(arguments[0]) - number(arguments[1]))


def _multiply(arguments: list[JsonValue]) -> JsonValue:
    return checked(prod(map(number, arguments)))


def _divide(arguments: list[JsonValue]) -> JsonValue:
    dividend, divisor = number(arguments[0]), number(arguments[1])
    if divisor == 0:
        raise BadArgument("nothing can be divided by 0")
    places = _places(arguments[2]) if len(arguments) > 2 else _USUAL_SCALE
    return _rounded(checked(float(dividend) / divisor), places)


def _round(arguments: list[JsonValue]) -> JsonValue:
    return _rounded(number(arguments[0]), _places(arguments[1]) if len(arguments) > 1 else 0)


def _places(value: JsonValue) -> int:
    places = whole(value)
    if not 0 <= places <= _MOST_PLACES:
        raise BadArgument(f"a number has 0 to {_MOST_PLACES} decimal places")
    return places


def _rounded(value: float, places: int) -> int | float:
    exact = Decimal(repr(value))
    # Such a number has no places to round, and too many digits for decimals to be rounded at all.
    if exact.adjusted() > _MOST_PLACES:
        return value
    rounded = exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    return int(rounded) if rounded == rounded.to_integral_value() else float(rounded)


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
    "RAND": Function(_rand, 0, 0),
    "rand": Function(_rand, 0, 0),
    "UUID": pure(_uuid, 0),
}
