"""What is searched and shown of a structured record: its values in their order, one a line, as `name: value`."""

from collections.abc import Iterator
from typing import Final, cast

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, number_text

URI_FIELDS: Final = ("uri", "url")
"""Fields that hold the address of a document: the first one that has text counts."""

_ADDRESSES: Final = frozenset({*URI_FIELDS, "link"})
_LONGEST_ADDRESS: Final = 2_000
_LONGEST_TITLE: Final = 500
"""Characters: a title stands beside each passage, in answers, prompts and traces."""


def named_lines(value: JsonValue) -> str:
    """Texts, numbers and truth values of a record, in order; names of what lies within objects are dotted.

    A list of plain values is one line, values between commas. Addresses are left out: they are no words.
    """
    return "\n".join(_lines("", value))


def _lines(name: str, value: JsonValue) -> Iterator[str]:
    if isinstance(value, dict):
        for key, member in cast(JsonObject, value).items():
            inner = f"{name}.{key}" if name else key
            if isinstance(member, dict | list):
                yield from _lines(inner, cast(JsonValue, member))
            elif (text := _plain(member)) and not _is_address(inner, text):
                yield _line(inner, text)
    elif isinstance(value, list):
        items = as_list(value)
        if plain := [text for item in items if (text := _plain(item))]:
            yield _line(name, ", ".join(plain))
        for item in items:
            if isinstance(item, dict | list):
                yield from _lines(name, cast(JsonValue, item))
    elif (text := _plain(value)) and not _is_address(name, text):
        yield _line(name, text)


def _line(name: str, text: str) -> str:
    return f"{name}: {text}" if name else text


def _plain(value: JsonValue) -> str:
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None or isinstance(value, dict | list):
        return ""
    return number_text(value)


def _is_address(name: str, text: str) -> bool:
    if "://" not in text or name.rpartition(".")[2].lower() not in _ADDRESSES:
        return False
    return not any(letter.isspace() for letter in text)


def title_of(data: JsonObject) -> str:
    """`title` of a record, or the beginning of a very long one; empty where it has none."""
    title = data.get("title")
    if not isinstance(title, str):
        return ""
    title = title.strip()
    return title if len(title) <= _LONGEST_TITLE else f"{title[:_LONGEST_TITLE]}…"


def uri_of(data: JsonObject) -> str:
    """`uri` or `url` of a record; empty where it has none, or one that is longer than any address."""
    for name in URI_FIELDS:
        uri = as_object(data).get(name)
        if isinstance(uri, str) and uri.strip() and len(uri) <= _LONGEST_ADDRESS:
            return uri.strip()
    return ""
