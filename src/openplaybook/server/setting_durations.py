"""Lengths of time as settings spell them: `30m`, `24h`, `30d`."""

import re
from collections.abc import Callable

from openplaybook.jsonvalues import JsonValue

_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
FOREVER = "forever"
_DURATION = re.compile(r"(\d{1,9})([smhd])", re.ASCII)


def duration(low_s: int, high_s: int) -> Callable[[JsonValue], JsonValue]:
    """A reader of whole seconds from `low_s` to `high_s`; raises `ValueError` saying what is allowed."""

    def read(value: JsonValue) -> int:
        # 0 is nothing in every unit; any other number says nothing without one.
        found = _DURATION.fullmatch("0s" if str(value) == "0" else str(value))
        seconds = int(found[1]) * _SECONDS[found[2]] if found is not None else -1
        if not low_s <= seconds <= high_s:
            raise ValueError(
                f"must be a whole number with s, m, h or d behind it, from {spelled(low_s)} to {spelled(high_s)}"
            )
        return seconds

    return read


def or_forever(read: Callable[[JsonValue], JsonValue]) -> Callable[[JsonValue], JsonValue]:
    """A reader that takes `forever` as well, which is None."""

    def read_either(value: JsonValue) -> JsonValue:
        try:
            return None if value == FOREVER else read(value)
        except ValueError as error:
            raise ValueError(f"{error}; or {FOREVER}") from None

    return read_either


def spelled(seconds: int) -> str:
    """Seconds in the largest unit that they are a whole number of."""
    if seconds == 0:
        return "0"
    unit = next(unit for unit in reversed(_SECONDS) if seconds % _SECONDS[unit] == 0)
    return f"{seconds // _SECONDS[unit]}{unit}"
