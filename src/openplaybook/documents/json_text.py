"""JSON text to plain values. The process that parses large texts runs this too, so it imports little."""

from json import JSONDecodeError

from openplaybook.documents.errors import UnreadableDocument
from openplaybook.documents.garbage_collection import without_collection
from openplaybook.jsonvalues import JsonValue, dumps, loads

MAX_DEPTH = 200
"""Objects and arrays within each other. Recursion over a description, and writing its schemas as JSON, end there."""

TOO_DEEP = f"objects and arrays are nested more than {MAX_DEPTH} levels deep"

_LARGE = 5_000_000

_WRITABLE_LEVELS = 254
"""Objects and arrays within each other that `orjson` writes."""


def looks_like_json(text: str) -> bool:
    """Whether a text begins as JSON does; YAML's flow style does too."""
    return text[:100].lstrip()[:1] in ("{", "[")


def load_json(text: str | bytes | memoryview) -> JsonValue:
    """The value of a JSON text; raises `JSONDecodeError`, and `UnreadableDocument` for one that
    is too deep, or has a number that is too long."""
    value = load_judged_json(text)
    if _is_deep(value):
        raise UnreadableDocument(TOO_DEEP)
    return value


def load_judged_json(text: str | bytes | memoryview) -> JsonValue:
    """The value of a JSON text of which `load_json` would make one."""
    with without_collection(of_a_large_document=len(text) > _LARGE):
        try:
            return loads(text)
        except JSONDecodeError:
            raise
        except ValueError as error:
            raise UnreadableDocument(str(error)) from error


def _is_deep(value: JsonValue) -> bool:
    """Whether a value has more than `MAX_DEPTH` levels, told by the JSON writer, which is fast and refuses too many."""
    for _ in range(_WRITABLE_LEVELS - MAX_DEPTH):
        value = [value]
    try:
        dumps(value)
    except TypeError:
        return True
    return False
