"""What is said of a setting at its field: the values it may have, how its sources name it, what people are told."""

import re
from collections.abc import Callable
from dataclasses import Field, dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from openplaybook.jsonvalues import JsonValue, as_list, as_object

VARIABLE_PREFIX = "OPENPLAYBOOK_"

_DESCRIPTION = "setting"
_Value = TypeVar("_Value")
_MIB = 1024 * 1024
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
_FOREVER = "forever"
_DURATION = re.compile(r"(\d{1,9})([smhd])", re.ASCII)


def _shown(value: JsonValue) -> str:
    return "" if value is None or value is False else str(value)


@dataclass(frozen=True, slots=True)
class SettingValues:
    """What one setting may be."""

    read: Callable[[JsonValue], JsonValue]
    """The value that a flag, a variable or the file spells. Raises `ValueError` saying what is allowed."""
    option_type: type
    """What the command line takes: it parses a number or a path before `read` sees it."""
    shown: Callable[[JsonValue], str] = _shown
    """A value as the help shows it; empty for what says nothing."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting, as its sources name it and as people are told of it."""

    name: str
    """Of the field, and the key in the file."""
    values: SettingValues
    help: str
    """What it is, in a sentence."""
    default: str
    """As the help shows it; empty where there is none."""
    heading: str
    """What the help says above it and the settings that follow; empty: it belongs to those before it."""
    is_secret: bool
    """Never shown, not even in part."""

    @property
    def flag(self) -> str:
        """`--data-dir`."""
        return f"--{self.name.replace('_', '-')}"

    @property
    def variable(self) -> str:
        """`OPENPLAYBOOK_DATA_DIR`."""
        return VARIABLE_PREFIX + self.name.upper()


def setting(
    values: SettingValues,
    default: _Value,
    sentence: str,
    *,
    shown: str | None = None,
    heading: str = "",
    is_secret: bool = False,
) -> _Value:
    """A field that is a setting; `shown` is what the help says of a default that does not speak for itself."""
    default_text = values.shown(default) if shown is None else shown
    described = Setting("", values, sentence, default_text, heading, is_secret)
    return field(default=default, repr=not is_secret, metadata={_DESCRIPTION: described})


def setting_of(described: Field[JsonValue]) -> Setting:
    """What is said of a setting at its field."""
    return replace(described.metadata[_DESCRIPTION], name=described.name)


def whole_number(low: int, high: int) -> SettingValues:
    """Whole numbers from `low` to `high`."""

    def read(value: JsonValue) -> int:
        is_number = (isinstance(value, int) and not isinstance(value, bool)) or str(value).isdecimal()
        if not is_number or not low <= int(value) <= high:
            raise ValueError(f"must be a whole number from {low} to {high}")
        return int(value)

    return SettingValues(read, int)


def byte_count(low: int, high: int) -> SettingValues:
    """Numbers of bytes, shown in MiB."""

    def shown(value: int) -> str:
        return f"{value // _MIB} MiB"

    return replace(whole_number(low, high), shown=shown)


def one_of(*allowed: str) -> SettingValues:
    """One of these words, in any case."""

    def read(value: JsonValue) -> str:
        if str(value).lower() not in allowed:
            raise ValueError(f"must be one of {', '.join(allowed)}")
        return str(value).lower()

    return SettingValues(read, str)


def duration(low_s: int, high_s: int) -> SettingValues:
    """Whole seconds from `low_s` to `high_s`, spelled `30m`, `24h`, `30d`."""

    def read(value: JsonValue) -> int:
        # 0 is nothing in every unit; any other number says nothing without one.
        found = _DURATION.fullmatch("0s" if str(value) == "0" else str(value))
        seconds = int(found[1]) * _SECONDS[found[2]] if found is not None else -1
        if not low_s <= seconds <= high_s:
            raise ValueError(
                f"must be a whole number with s, m, h or d behind it, from {spelled(low_s)} to {spelled(high_s)}"
            )
        return seconds

    return SettingValues(read, str, spelled)


def spelled(seconds: int) -> str:
    """Seconds in the largest unit that they are a whole number of."""
    if seconds == 0:
        return "0"
    unit = next(unit for unit in reversed(_SECONDS) if seconds % _SECONDS[unit] == 0)
    return f"{seconds // _SECONDS[unit]}{unit}"


def or_forever(limited: SettingValues) -> SettingValues:
    """The same durations, and `forever`, which is None."""

    def read(value: JsonValue) -> JsonValue:
        try:
            return None if value == _FOREVER else limited.read(value)
        except ValueError as error:
            raise ValueError(f"{error}; or {_FOREVER}") from None

    return replace(limited, read=read)


def _text(value: JsonValue) -> str:
    if not isinstance(value, str):
        raise ValueError("must be text")
    return value


def _list(value: JsonValue) -> str:
    if isinstance(value, list):
        return ",".join(_text(item) for item in as_list(value))
    if isinstance(value, dict):
        return ",".join(f"{name}={_text(item)}" for name, item in as_object(value).items())
    return _text(value)


def _path(value: JsonValue) -> Path:
    if not isinstance(value, str | Path) or not str(value):
        raise ValueError("must be a path")
    try:
        return Path(value).expanduser().absolute()
    except RuntimeError as error:
        raise ValueError("must be a path: no user of that name has a home directory here") from error


def _yes_or_no(value: JsonValue) -> bool:
    if isinstance(value, bool):
        return value
    known = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
    if str(value).lower() not in known:
        raise ValueError("must be true or false")
    return known[str(value).lower()]


def _url(value: JsonValue) -> str:
    text = _text(value).rstrip("/")
    if text and not text.startswith(("http://", "https://")):
        raise ValueError("must start with http:// or https://")
    return text


def _database_url(value: JsonValue) -> str:
    text = _text(value)
    if text and not text.startswith(("postgresql://", "postgres://")):
        raise ValueError("must start with postgresql://")
    return text


TEXT = SettingValues(_text, str)
LIST = SettingValues(_list, str)
"""Text with commas, or an array or table in the file, as text with commas."""
PATH = SettingValues(_path, Path)
"""Absolute, a home directory written out."""
YES_OR_NO = SettingValues(_yes_or_no, bool)
URL = SettingValues(_url, str)
DATABASE_URL = SettingValues(_database_url, str)
PORT = whole_number(0, 65535)
