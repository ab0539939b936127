"""JSON and its lines as text."""

import json

from openplaybook.jsonvalues import JsonValue, as_list, dumps


def json_bytes(value: JsonValue) -> bytes:
    """The value as JSON; integers of any size."""
    try:
        return dumps(value)
    except TypeError:
        # Beyond 64 bits.
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def json_text(value: JsonValue) -> str:
    """The value as JSON."""
    return json_bytes(value).decode()


def lines_of_json(value: JsonValue) -> str:
    """The items of an array, each in a line (https://jsonlines.org); a text is such lines already."""
    if isinstance(value, str):
        return value
    return "".join(f"{json_text(item)}\n" for item in (as_list(value) if isinstance(value, list) else [value]))
