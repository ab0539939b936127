"""`{{PATH}}` in a script's texts and arguments."""

import re
from collections.abc import Callable, Mapping
from typing import cast

from openplaybook.jsonvalues import JsonObject, JsonValue, dumps, is_number, number_of

ROOTS = ("result", "results", "match", "user", "inputs", "parameters")
"""What a path may begin with."""

_TEMPLATE = re.compile(r"\{\{\s*([^{}|]*?)\s*(?:\|\s*(\w+)\s*)?\}\}")


class NoValue(Exception):
    """A template names a value that the conversation does not have."""


def check(value: JsonValue) -> None:
    """Refuse a template that could never have a value, with `ValueError`."""
    if isinstance(value, dict):
        for item in cast(JsonObject, value).values():
            check(item)
    elif isinstance(value, list):
        for item in cast(list[JsonValue], value):
            check(item)
    elif isinstance(value, str):
        for match in _TEMPLATE.finditer(value):
            _check_one(match)


def fill(value: JsonValue, values: Mapping[str, JsonValue]) -> JsonValue:
    """`value` with its templates replaced by what `values` holds under each root; raises `NoValue`."""
    if isinstance(value, dict):
        return {key: fill(item, values) for key, item in cast(JsonObject, value).items()}
    if isinstance(value, list):
        return [fill(item, values) for item in cast(list[JsonValue], value)]
    if not isinstance(value, str):
        return value
    whole = _TEMPLATE.fullmatch(value)
    if whole is not None:
        return _value(whole, values)
    return _TEMPLATE.sub(lambda match: as_text(_value(match, values)), value)


def as_text(value: JsonValue) -> str:
    """A value as it stands in a sentence: strings bare, everything else as JSON."""
    return value if isinstance(value, str) else dumps(value).decode()


def _check_one(match: re.Match[str]) -> None:
    path, conversion = match[1], match[2]
    root = path.partition(".")[0]
    if root not in ROOTS:
        raise ValueError(f"{match[0]} begins with {root!r}; allowed are {', '.join(ROOTS)}")
    if conversion is not None and conversion not in _CONVERSIONS:
        raise ValueError(f"{match[0]} converts with {conversion!r}; allowed are {', '.join(_CONVERSIONS)}")


def _value(match: re.Match[str], values: Mapping[str, JsonValue]) -> JsonValue:
    value: JsonValue = values
    for key in match[1].split("."):
        value = _member(value, key, match[0])
    if match[2] is None:
        return value
    try:
        return _CONVERSIONS[match[2]](value)
    except (TypeError, ValueError):
        raise NoValue(f"{match[0]}: the value there is not a number") from None


def _member(value: JsonValue, key: str, template: str) -> JsonValue:
    if isinstance(value, Mapping) and key in value:
        return cast(Mapping[str, JsonValue], value)[key]
    if isinstance(value, list) and key.isdecimal() and int(key) < len(cast(list[JsonValue], value)):
        return cast(list[JsonValue], value)[int(key)]
    raise NoValue(f"{template}: unknown key {key!r}")


def _number(value: JsonValue) -> JsonValue:
    number = value if is_number(value) else number_of(str(value).strip())
    if isinstance(number, float):
        return int(number) if number.is_integer() else number
    return int(number) if number == int(number) else number


_CONVERSIONS: Mapping[str, Callable[[JsonValue], JsonValue]] = {"int": int, "number": _number, "text": as_text}
