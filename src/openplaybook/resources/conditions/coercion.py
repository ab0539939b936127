"""Values as texts, numbers and points in time."""

import math
import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from openplaybook.jsonvalues import MAX_DIGITS, JsonObject, JsonValue, as_object, dumps, is_number, number_of

_NUMBER = re.compile(r"\s*-?[0-9]{1,400}(\.[0-9]{1,400})?([eE][+-]?[0-9]{1,3})?\s*")
_BIGGEST = 10**MAX_DIGITS
"""Beyond the numbers that JSON has here."""


def to_text(value: JsonValue) -> str:
    """A value as it stands in a text: whole numbers without a point, dates as in ISO 8601, the rest as JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**63:
        return str(int(value))
    if (moment := as_moment(value)) is not None:
        return moment.isoformat(timespec="seconds").removesuffix("+00:00").removesuffix("T00:00:00")
    return "" if value is None else dumps(value).decode()


def as_number(value: JsonValue) -> int | float | Decimal | None:
    """A number, or a text that is one; None for everything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        if not _NUMBER.fullmatch(value):
            return None
        value = number_of(value.strip())
    if not is_number(value) or not is_in_bounds(value):
        return None
    return value


def is_in_bounds(number: float | Decimal) -> bool:
    """Whether a number is finite and small enough for JSON."""
    return math.isfinite(number) if isinstance(number, float) else abs(number) < _BIGGEST


def as_moment(value: JsonValue) -> datetime | None:
    """A point in time, in UTC unless it says otherwise: an object with year, month and day, as `@sys.date` and
    `@sys.date-time` give it, or a text in ISO 8601; None for everything else."""
    if isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            return None
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    parts = as_object(value)
    if not {"year", "month", "day"} <= parts.keys():
        return None
    names = ("year", "month", "day", "hours", "minutes", "seconds")
    numbers = [as_number(parts.get(name) or 0) for name in names]
    if any(number is None for number in numbers):
        return None
    try:
        return datetime(*(int(number or 0) for number in numbers), tzinfo=UTC)
    except ValueError:
        return None


def moment_object(moment: datetime) -> JsonObject:
    """A point in time as `@sys.date-time` gives it, in UTC."""
    moment = moment.astimezone(UTC)
    return {
        "year": moment.year,
        "month": moment.month,
        "day": moment.day,
        "hours": moment.hour,
        "minutes": moment.minute,
        "seconds": moment.second,
        "nanos": moment.microsecond * 1000,
    }


def later(moment: datetime, amount: int, unit: str) -> datetime:
    """A point in time moved by days, hours, minutes, months and the like. Raises `ValueError`, `OverflowError`."""
    months = {"months": amount, "years": 12 * amount}.get(unit)
    if months is None:
        return moment + timedelta(**{unit: amount})
    year, month = divmod(moment.year * 12 + moment.month - 1 + months, 12)
    for day in range(moment.day, moment.day - 4, -1):
        try:
            return moment.replace(year=year, month=month + 1, day=day)
        except ValueError:
            continue
    raise ValueError(f"years go from 1 to 9999, not {year}")
