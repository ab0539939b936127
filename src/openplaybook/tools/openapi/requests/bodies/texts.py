"""JSON and its lines as text."""

from openplaybook.jsonvalues import JsonValue, as_list, dumps


def json_bytes(value: JsonValue) -> bytes:
    """The value as JSON; numbers with all their digits."""
    return dumps(value)


def json_text(value: JsonValue) -> str:
    """The value as JSON."""
    return json_bytes(value).decode()


def lines_of_json(value: JsonValue) -> str:
    """The items of an array, each in a line (https://jsonlines.org); a text is such lines already."""
    if isinstance(value, str):
        return value
    return "".join(f"{json_text(item)}\n" for item in (as_list(value) if isinstance(value, list) else [value]))
