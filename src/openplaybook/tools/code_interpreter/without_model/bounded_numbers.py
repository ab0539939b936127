"""The arithmetic that is computed in this process: what each function and operator does, and how large it may get.

Every bound is checked before the computing: a number that would be too large is never made.
"""

import math
import operator
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from openplaybook.tools.code_interpreter.without_model.base import OutOfReach

Number: TypeAlias = int | float
MAX_BITS = 4096
"""Of a whole number."""

_MAX_ARGUMENT = 500
"""Of functions whose results grow faster than their arguments."""
_MAX_DIGITS = 100
"""Decimals that a number is rounded to."""


@dataclass(frozen=True, slots=True)
class NumericFunction:
    """A function that may be called, and how code spells it."""

    compute: Callable[..., object]
    module: str = ""
    """Module that has it; empty for one of the built-in ones."""
    most: int = _MAX_ARGUMENT
    """Arguments that are understood here; where they are too few or of the wrong kind, Python says so."""


def bounded(value: Number) -> Number:
    """The number, if it is not too large."""
    if isinstance(value, int) and value.bit_length() > MAX_BITS:
        raise OutOfReach(f"a number in it has more than {MAX_BITS:,} bits")
    return value


def power(base: Number, exponent: Number) -> Number:
    """`base ** exponent`."""
    if isinstance(base, int) and isinstance(exponent, int) and abs(base) > 1:
        _expect(base.bit_length() * max(exponent, 0))
        if exponent < -MAX_BITS:
            raise OutOfReach(f"an exponent in it is less than -{MAX_BITS:,}")
    value: Number | complex = base**exponent
    if isinstance(value, complex):
        raise OutOfReach("its result is not a real number")
    return value


def product(left: Number, right: Number) -> Number:
    """`left * right`."""
    if isinstance(left, int) and isinstance(right, int):
        _expect(left.bit_length() + right.bit_length() - 1)
    return left * right


def product_of(values: Sequence[Number]) -> Number:
    """All of them multiplied."""
    whole: Number = 1
    for value in values:
        whole = bounded(product(whole, value))
    return whole


def _shifted(value: int, places: int) -> int:
    _expect(value.bit_length() + places)
    return value << places


def _of_wholes(sign: str, compute: Callable[[int, int], int]) -> Callable[[Number, Number], Number]:
    """An operator that whole numbers alone have."""

    def computed(left: Number, right: Number) -> Number:
        if isinstance(left, int) and isinstance(right, int):
            return compute(left, right)
        kinds = f"{type(left).__name__!r} and {type(right).__name__!r}"
        raise TypeError(f"unsupported operand type(s) for {sign}: {kinds}")

    return computed


def _expect(bits: int) -> None:
    """Refuse a result of so many bits before it is made."""
    if bits > MAX_BITS + 1:
        raise OutOfReach(f"its result would have more than {MAX_BITS:,} bits")


def _small(function: Callable[..., int]) -> Callable[..., int]:
    """The function for arguments that are not too large."""

    def computed(*arguments: Number) -> int:
        if any(isinstance(argument, int) and argument > _MAX_ARGUMENT for argument in arguments):
            raise OutOfReach(f"an argument in it is larger than {_MAX_ARGUMENT}")
        return function(*arguments)

    return computed


def _rounded(value: Number, digits: int | None = None) -> Number:
    if digits is not None and abs(digits) > _MAX_DIGITS:
        raise OutOfReach(f"it rounds to more than {_MAX_DIGITS} digits")
    return round(value, digits)


OPERATORS: Mapping[str, Callable[[Number, Number], Number]] = {
    "Add": lambda left, right: left + right,
    "Sub": lambda left, right: left - right,
    "Mult": product,
    "Div": lambda left, right: left / right,
    "FloorDiv": lambda left, right: left // right,
    "Mod": lambda left, right: left % right,
    "Pow": power,
    "LShift": _of_wholes("<<", _shifted),
    "RShift": _of_wholes(">>", lambda value, places: value >> places),
    "BitAnd": _of_wholes("&", lambda left, right: left & right),
    "BitOr": _of_wholes("|", lambda left, right: left | right),
}
"""By the name of their node in Python's grammar. `^` is not there: some mean a power by it, Python does not."""

COMPARISONS: Mapping[str, Callable[[Number, Number], bool]] = {
    "Eq": operator.eq,
    "NotEq": operator.ne,
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
}

FUNCTIONS: Mapping[str, NumericFunction] = {
    **{each.__name__: NumericFunction(each) for each in (abs, int, float, max, min, sum, len, sorted)},
    "round": NumericFunction(_rounded, most=2),
    "pow": NumericFunction(power, most=2),
    "mean": NumericFunction(statistics.mean, "statistics"),
    "median": NumericFunction(statistics.median, "statistics"),
    "prod": NumericFunction(product_of, "math", most=1),
    **{each.__name__: NumericFunction(_small(each), "math") for each in (math.factorial, math.comb, math.perm)},
    **{each.__name__: NumericFunction(each, "math") for each in (math.sqrt, math.exp, math.log, math.log2, math.log10)},
    **{
        each.__name__: NumericFunction(each, "math")
        for each in (math.floor, math.ceil, math.trunc, math.gcd, math.hypot)
    },
    **{
        each.__name__: NumericFunction(each, "math")
        for each in (math.sin, math.cos, math.tan, math.degrees, math.radians)
    },
    **{each.__name__: NumericFunction(each, "math") for each in (math.asin, math.acos, math.atan, math.atan2)},
    **{each.__name__: NumericFunction(each, "math") for each in (math.sinh, math.cosh, math.tanh)},
}
"""By name. What they are given is bounded, so that what they cost is."""

CONSTANTS: Mapping[str, float] = {"pi": math.pi, "e": math.e, "tau": math.tau}
"""Of the module `math`."""
