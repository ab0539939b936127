"""JSON or YAML text to plain values. Foreign YAML is read in child processes alone: its parsers recurse in C."""

import math
import re
from json import JSONDecodeError

from openplaybook.documents.errors import UnreadableDocument
from openplaybook.documents.json_text import load_json, looks_like_json
from openplaybook.documents.yaml_text import parse_yaml
from openplaybook.jsonvalues import JsonValue, as_list, as_object

_NOT_FINITE = re.compile(r"[.](?:inf|nan)", re.IGNORECASE)


def parse(text: str) -> JsonValue:
    """The value of a JSON or YAML text, every key a string; raises `UnreadableDocument`.

    YAML's `.inf` and `.nan` become texts, as its dates do: JSON has no such numbers.
    """
    if not text or text.isspace():
        raise UnreadableDocument("the text is empty")
    if not looks_like_json(text):
        return _from_yaml(text)
    try:
        return load_json(text)
    except JSONDecodeError as error:
        try:
            return _from_yaml(text)
        except UnreadableDocument:
            where = f"line {error.lineno} column {error.colno}"
            raise UnreadableDocument(f"the JSON is malformed at {where}: {error.msg}", error.lineno) from error


def _from_yaml(text: str) -> JsonValue:
    value = parse_yaml(text)
    return _with_words(value, {}) if _NOT_FINITE.search(text) else value


def _with_words(value: JsonValue, shared: dict[int, JsonValue]) -> JsonValue:
    """`value` with words for numbers that are not finite; what aliases share stays shared."""
    if isinstance(value, float) and not math.isfinite(value):
        return ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"
    if not isinstance(value, dict | list):
        return value
    identity = id(value)  # pyright: ignore[reportUnknownArgumentType]
    if identity not in shared:
        if isinstance(value, dict):
            shared[identity] = {key: _with_words(item, shared) for key, item in as_object(value).items()}
        else:
            shared[identity] = [_with_words(item, shared) for item in as_list(value)]
    return shared[identity]
