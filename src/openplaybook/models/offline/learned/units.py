"""Units of measure: which one a parameter asks for, and what was said in another one.

SI prefixes and symbols are those of the SI brochure (BIPM, 9th edition); a month counts as 30 days, a year as 365.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from openplaybook.models.offline.learned.lexemes import words_of_name


def _table(text: str) -> dict[str, float]:
    return {name: float(factor) for name, _, factor in (each.partition("=") for each in text.split())}


_SYMBOLS = {
    "length": _table("m=1 in=0.0254 ft=0.3048 yd=0.9144 mi=1609.344"),
    "time": _table("s=1 sec=1 min=60 mins=60 h=3600 hr=3600 hrs=3600"),
    "mass": _table("g=1 lb=453.59237 lbs=453.59237 oz=28.349523125"),
    "volume": _table("L=1 l=1"),
    "capacitance": _table("F=1"),
    "inductance": _table("H=1"),
    "frequency": _table("Hz=1"),
    "power": _table("W=1"),
    "voltage": _table("V=1"),
    "current": _table("A=1"),
    "energy": _table("J=1"),
    "pressure": _table("Pa=1"),
    "resistance": _table("Ω=1"),
    "force": _table("N=1"),
}
_NAMES = {
    "length": _table("meter=1 metre=1 inch=0.0254 inche=0.0254 foot=0.3048 feet=0.3048 yard=0.9144 mile=1609.344"),
    "time": _table(
        "second=1 minute=60 hour=3600 day=86400 night=86400 week=604800 fortnight=1209600 month=2592000 year=31536000"
    ),
    "mass": _table("gram=1 gramme=1 pound=453.59237 ounce=28.349523125 ton=1e6 tonne=1e6"),
    "volume": _table("liter=1 litre=1"),
    "capacitance": _table("farad=1"),
    "inductance": _table("henry=1 henrie=1"),
    "frequency": _table("hertz=1"),
    "power": _table("watt=1"),
    "voltage": _table("volt=1"),
    "current": _table("ampere=1 amp=1"),
    "energy": _table("joule=1"),
    "pressure": _table("pascal=1"),
    "resistance": _table("ohm=1"),
    "force": _table("newton=1"),
}
_PREFIXES = _table("p=1e-12 n=1e-9 µ=1e-6 μ=1e-6 m=1e-3 c=1e-2 k=1e3 M=1e6 G=1e9")
_LONG_PREFIXES = _table("pico=1e-12 nano=1e-9 micro=1e-6 milli=1e-3 centi=1e-2 kilo=1e3 mega=1e6 giga=1e9")
_BEARS_PREFIX = frozenset(("m", "s", "g", "L", "l", "F", "H", "Hz", "W", "V", "A", "J", "Pa", "Ω", "N"))
_SAID = re.compile(r"[ -]?([A-Za-zµμΩ]+)(?![A-Za-zµμΩ/^])")
_ASKED = (
    re.compile(r"\b(?:in|of) (?:the (?!second\b))?([A-Za-zµμΩ]{2,})"),
    re.compile(r"\(([A-Za-zµμΩ]{1,12})\)"),
)
_RATIO = re.compile(
    r"[ -]?([A-Za-zµμΩ]+)(?:(?:/| per )((?:(?:square|cubic) )?[A-Za-zµμΩ]+(?:\^?[23²³]| squared| cubed)?))?"
)
_POWER = re.compile(r"(?:\^?[23²³]| squared| cubed)$|^(?:square|cubic) ")
_POWERS = {("2", "²", "square"): "2", ("3", "³", "cube", "cubic"): "3"}
_IMPLIED = re.compile(r"\b(?:next|past|last|coming|following|an?|one|per|each|every) (hour|day|week|month|year)\b")
_OFTEN = _table(
    "daily=365 weekly=52 biweekly=26 monthly=12 quarterly=4 semiannually=2 semi-annually=2 semi-annual=2 half-yearly=2"
    " biannually=2 annually=1 yearly=1"
)
_OFTEN_SAID = re.compile(rf"\b({'|'.join(_OFTEN)})\b")
_ASKS_HOW_OFTEN = re.compile(r"\bper[ _]year|compound|frequency", re.IGNORECASE)
_LONGEST_SHORT = 3
_DIGITS = 10


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of measure."""

    dimension: str
    factor: float
    """How many of the dimension's base unit it is."""


@lru_cache(maxsize=4096)
def unit_of(word: str) -> Unit | None:
    """What a symbol (`mH`) or a name (`minutes`) stands for; None for other words."""
    for dimension, symbols in _SYMBOLS.items():
        if word in symbols:
            return Unit(dimension, symbols[word])
        if len(word) > 1 and word[1:] in symbols and word[1:] in _BEARS_PREFIX and word[0] in _PREFIXES:
            return Unit(dimension, symbols[word[1:]] * _PREFIXES[word[0]])
    lower = word.lower()
    prefix = next((one for one in _LONG_PREFIXES if lower.startswith(one)), "")
    for dimension, names in _NAMES.items():
        for name in (lower, lower.removesuffix("s")):
            if name in names:
                return Unit(dimension, names[name])
            if prefix and name.removeprefix(prefix) in names:
                return Unit(dimension, names[name.removeprefix(prefix)] * _LONG_PREFIXES[prefix])
    return None


def asked_unit(name: str, description: str) -> Unit | None:
    """The unit that a parameter's name or description asks for; None where neither does."""
    *others, last = words_of_name(name) or ("",)
    # "min" is a minute at the end of a name only, not in `min_price`; `second_note` is not the first.
    for word in (last, *(other for other in others if len(other) > _LONGEST_SHORT and other != "second")):
        if len(word) > 1 and (unit := unit_of(word)):
            return unit
    told = (match[1] for pattern in _ASKED for match in pattern.finditer(description))
    return next((unit for word in told if (unit := unit_of(word))), None)


def said_unit(text: str, end: int) -> tuple[Unit | None, int]:
    """The unit that stands behind a number that ends at `end`, and where its word ends."""
    match = _SAID.match(text, end)
    # "10in" is a measure, "5 in Vienna" is none.
    is_preposition = match is not None and match.group() == " in"
    unit = unit_of(match[1]) if match and not is_preposition else None
    return (unit, match.end()) if match and unit else (None, end)


def said_dimension(text: str, end: int) -> str:
    """The dimension of what stands behind a number that ends at `end`: `length`, `length/time2`; empty if of none."""
    match = _RATIO.match(text, end)
    return _dimension(match[1], match[2] or "") if match else ""


def asked_dimension(name: str, description: str) -> str:
    """The dimension that a parameter asks for: of a ratio in its description, or of its unit; empty if of none."""
    for match in _RATIO.finditer(description):
        if match[2] and (dimension := _dimension(match[1], match[2])):
            return dimension
    unit = asked_unit(name, description)
    return unit.dimension if unit else ""


def _dimension(above: str, below: str) -> str:
    unit, other = unit_of(above), unit_of(_POWER.sub("", below)) if below else None
    if unit is None or not below:
        return unit.dimension if unit else ""
    power = next((digit for signs, digit in _POWERS.items() if any(sign in below for sign in signs)), "")
    return f"{unit.dimension}/{other.dimension}{power}" if other else ""


def in_unit(value: float, said: Unit, asked: Unit) -> float:
    """A value in the unit that is asked for, which is of the same dimension."""
    if said.dimension == "time" and {said.factor, asked.factor} == {2592000.0, 31536000.0}:
        return value * 12 if said.factor > asked.factor else round(value / 12, _DIGITS)
    return float(f"{value * said.factor / asked.factor:.{_DIGITS}g}")


def implied_times(lower: str, asked: Unit) -> Iterator[tuple[float, int, int]]:
    """Times that are said without a number ("the next week"), in the unit that is asked for, and where they stand."""
    for match in _IMPLIED.finditer(lower) if asked.dimension == "time" else ():
        if unit := unit_of(match[1]):
            yield in_unit(1.0, unit, asked), match.start(), match.end()


def times_a_year(lower: str, asked: str) -> Iterator[tuple[float, int, int]]:
    """How often a year, where a parameter asks that ("compounded quarterly": 4), and where it stands.

    `asked`: the parameter's name and description.
    """
    if _ASKS_HOW_OFTEN.search(asked) is None:
        return
    for match in _OFTEN_SAID.finditer(lower):
        yield _OFTEN[match[1]], match.start(), match.end()
