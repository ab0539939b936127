"""How a language writes numbers, money, dates and times, after the facts of CLDR 46 for it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import ROUND_HALF_EVEN, Decimal

from openplaybook.jsonvalues import JsonValue, is_number

PLAIN = "plain"
"""The form of a value as it is given."""
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_CLOCK = re.compile(r"\d\d:\d\d(?::\d\d)?")
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?")
_WHOLE = frozenset(("JPY", "KRW", "VND", "CLP", "ISK", "HUF", "XOF", "XAF"))
"""Currencies that are written without a fraction."""
_LARGEST = Decimal(10) ** 15
_MOST_DIGITS = 6
"""Behind the decimal mark."""
_CURRENCY = re.compile(r"[A-Z]{3}")


@dataclass(frozen=True, slots=True)
class LocalForms:
    """The habits of one language. Patterns of dates have `{d}`, `{m}`, `{y}`, with two digits `{dd}`, `{mm}`, and the
    names `{month}`, `{mon}`, `{day}`; those of times `{h}`, `{hh}`, `{mm}`, and on a clock of twelve hours `{h12}`
    with `{half}` or `{low}`."""

    decimal: str
    group: str
    least_grouped: int
    """Digits of a whole number from which on it is grouped."""
    months: tuple[str, ...]
    short_months: tuple[str, ...]
    days: tuple[str, ...]
    """From Monday on."""
    dates: tuple[str, ...]
    """The first is the language's own in a sentence; the others are what examples may have."""
    times: tuple[str, ...]
    """Likewise."""
    money: str
    """A pattern with `{sign}` and `{amount}`."""
    signs: Mapping[str, str] = field(default_factory=dict[str, str])
    """Signs of currencies by their ISO codes; the code itself stands for others."""
    halves: tuple[str, str] = ("AM", "PM")
    moment: str = "{}, {}"
    """A date and a time."""

    def own(self, value: JsonValue, *, counts: bool = True) -> str | None:
        """A number or a day as the language writes it in a sentence; None for all others.

        `counts`: whether a whole number is how many or how much, so that its digits are grouped.
        """
        if isinstance(value, str):
            return self._own_text(value)
        if not is_number(value) or (not counts and isinstance(value, int)):
            return None
        places = _places(value)
        return None if places is None else self._number(value, places, grouped=True)

    def _own_text(self, value: str) -> str | None:
        if _DATE.fullmatch(value):
            return self._dated(value, self.dates[0])
        moment = _MOMENT.fullmatch(value)
        if moment is None:
            return None
        day, clock = self._dated(moment[1], self.dates[0]), self._timed(moment[2], self.times[0])
        if day is None or clock is None:
            return None
        zone = "" if moment[3] is None else " UTC" if moment[3] == "Z" else f" UTC{moment[3]}"
        return self.moment.format(day, clock) + zone

    def sum(self, amount: float | Decimal, currency: str) -> str:
        """An amount of money; `currency` is an ISO 4217 code."""
        places = 0 if currency in _WHOLE else 2
        text = self._number(abs(amount), places, grouped=True)
        sign = self.signs.get(currency, currency)
        if self.money.startswith("{sign}{") and sign[-1:].isalpha():
            # CLDR parts letters and digits by a blank.
            sign += "\N{NO-BREAK SPACE}"
        return ("-" if amount < 0 else "") + self.money.format(sign=sign, amount=text)

    def writings(self, value: JsonValue) -> Iterator[tuple[str, str]]:
        """The ways in which an example may write a value other than as it is: names of forms, and the texts."""
        if isinstance(value, str):
            yield from self._writings_of_text(value)
        elif is_number(value) and abs(value) < _LARGEST:
            for places in range(3):
                for grouped in (True, False):
                    form = f"number:{places}:{'grouped' if grouped else 'bare'}"
                    text = self.written(value, form)
                    if text is not None and Decimal(str(value)) == round(Decimal(str(value)), places):
                        yield form, text

    def _writings_of_text(self, value: str) -> Iterator[tuple[str, str]]:
        if _DATE.match(value) or _CLOCK.fullmatch(value):
            patterns = [(f"date:{number}", pattern) for number, pattern in enumerate(self.dates)]
            patterns += [(f"time:{number}", pattern) for number, pattern in enumerate(self.times)]
            for form, _ in patterns:
                text = self.written(value, form)
                if text is not None:
                    yield form, text
        elif value[:1].islower():
            yield "capital", value[:1].upper() + value[1:]
        elif value.isupper() and len(value) > 1:
            yield "lower", value.lower()
            yield "title", value[:1] + value[1:].lower()
        elif value[:1].isupper():
            yield "lower", value.lower()

    def written(self, value: JsonValue, form: str) -> str | None:
        """A value in one of the forms that `writings` names; None for a value that has no such form."""
        kind, _, detail = form.partition(":")
        if isinstance(value, str):
            return self._written_text(value, kind, detail)
        if kind != "number" or not is_number(value):
            return None
        places, _, grouping = detail.partition(":")
        return self._number(value, int(places), grouped=grouping == "grouped")

    def _written_text(self, value: str, kind: str, detail: str) -> str | None:
        match kind:
            case "date":
                return self._dated(value[:10], self.dates[int(detail)])
            case "time":
                moment = _MOMENT.fullmatch(value)
                clock = moment[2] if moment else value
                return self._timed(clock, self.times[int(detail)]) if _CLOCK.fullmatch(clock) else None
            case "capital":
                return value[:1].upper() + value[1:]
            case "title":
                return value[:1].upper() + value[1:].lower()
            case _:
                return value.lower()

    def _number(self, value: float | Decimal, places: int, *, grouped: bool) -> str:
        rounded = Decimal(str(value)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_EVEN)
        whole, _, fraction = f"{abs(rounded):f}".partition(".")
        if grouped and len(whole) >= self.least_grouped:
            whole = re.sub(r"(?<=\d)(?=(?:\d{3})+$)", self.group, whole)
        return ("-" if rounded < 0 else "") + whole + (self.decimal + fraction if fraction else "")

    def _dated(self, value: str, pattern: str) -> str | None:
        try:
            day = date.fromisoformat(value)
        except ValueError:
            return None
        return pattern.format(
            d=day.day,
            dd=f"{day.day:02}",
            m=day.month,
            mm=f"{day.month:02}",
            y=day.year,
            month=self.months[day.month - 1],
            mon=self.short_months[day.month - 1],
            day=self.days[day.weekday()],
        )

    def _timed(self, value: str, pattern: str) -> str | None:
        try:
            clock = time.fromisoformat(value)
        except ValueError:
            return None
        half = self.halves[clock.hour // 12]
        return pattern.format(
            h=clock.hour,
            hh=f"{clock.hour:02}",
            mm=f"{clock.minute:02}",
            h12=clock.hour % 12 or 12,
            half=half,
            low=half.lower(),
        )


def _places(value: float | Decimal) -> int | None:
    """Digits behind the decimal mark; None for what is better left as it is: endless, or very large or small."""
    number = Decimal(str(value))
    if not number.is_finite() or abs(number) >= _LARGEST:
        return None
    exponent = number.normalize().as_tuple().exponent
    assert isinstance(exponent, int), "a finite number has one"
    return None if -exponent > _MOST_DIGITS else max(0, -exponent)


def is_currency(value: JsonValue) -> bool:
    """Whether a value is an ISO 4217 code by its shape."""
    return isinstance(value, str) and _CURRENCY.fullmatch(value) is not None


def is_day(value: JsonValue) -> bool:
    """Whether a value is a date, or a date and a time, in the form of ISO 8601."""
    if not isinstance(value, str) or not _DATE.match(value):
        return False
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True
