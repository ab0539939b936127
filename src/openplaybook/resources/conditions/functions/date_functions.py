"""Functions on points in time. Those without a zone are taken as UTC."""

import re
from datetime import datetime

from openplaybook.jsonvalues import JsonValue
from openplaybook.resources.conditions.coercion import as_moment, later, moment_object, to_text
from openplaybook.resources.conditions.functions.system_function import BadArgument, SystemFunction, pure, whole

_UNITS = ("years", "months", "weeks", "days", "hours", "minutes", "seconds")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_TOKEN = re.compile(r"'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']")
_SHORT_NAME = 3
_MOST_MOVED = 1_000_000


def _add_date(arguments: list[JsonValue]) -> JsonValue:
    unit = to_text(arguments[2]).lower()
    unit = unit if unit.endswith("s") else f"{unit}s"
    amount = whole(arguments[1])
    if unit not in _UNITS or abs(amount) > _MOST_MOVED:
        raise BadArgument(f"a date is moved by at most {_MOST_MOVED} of {', '.join(_UNITS)}")
    try:
        return moment_object(later(_moment(arguments[0]), amount, unit))
    except (ValueError, OverflowError):
        raise BadArgument("the result is not a date") from None


def _format_date(arguments: list[JsonValue]) -> JsonValue:
    """A date in a pattern of letters, as Java's DateTimeFormatter takes them; names of days and months in English."""
    moment = _moment(arguments[0])
    return "".join(_written(token, moment) for token in _TOKEN.finditer(to_text(arguments[1])))


def _moment(value: JsonValue) -> datetime:
    moment = as_moment(value)
    if moment is None:
        raise BadArgument("the first argument is not a date")
    return moment


def _written(token: re.Match[str], moment: datetime) -> str:
    letters = token.group() if token.group(2) else ""
    if not letters:
        return token.group() if token.group(1) is None else token.group(1).replace("''", "'") or "'"
    numbers = {
        "y": moment.year % 100 if len(letters) == 2 else moment.year,
        "u": moment.year % 100 if len(letters) == 2 else moment.year,
        "M": moment.month,
        "d": moment.day,
        "H": moment.hour,
        "h": moment.hour % 12 or 12,
        "m": moment.minute,
        "s": moment.second,
    }
    letter = letters[0]
    names = {"E": _DAYS[moment.weekday()], "M": _MONTHS[moment.month - 1], "a": "PM" if moment.hour >= 12 else "AM"}
    if letter in names and (letter != "M" or len(letters) >= _SHORT_NAME):
        return names[letter] if len(letters) > _SHORT_NAME else names[letter][:_SHORT_NAME]
    if letter not in numbers:
        raise BadArgument(f"{letters} is not a part of a date pattern (known: y u M d E H h m s a)")
    return str(numbers[letter]).zfill(min(len(letters), 10))


DATES = {
    "NOW": SystemFunction(lambda _, environment: moment_object(environment.now()), 0, 0),
    "ADD_DATE": pure(_add_date, 3),
    "FORMAT_DATE": pure(_format_date, 2, 3),
    "IS_FUTURE_DATE": SystemFunction(lambda arguments, environment: _moment(arguments[0]) > environment.now(), 1, 1),
    "IS_PAST_DATE": SystemFunction(lambda arguments, environment: _moment(arguments[0]) < environment.now(), 1, 1),
}
