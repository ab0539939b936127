"""JSON or YAML text to plain values."""

import orjson

from openplaybook.jsonvalues import JsonValue
from openplaybook.tools.openapi.description.json_text import load_json, looks_like_json
from openplaybook.tools.openapi.description.unreadable import UnreadableDocument
from openplaybook.tools.openapi.description.yaml_text import parse_yaml, uses_aliases

_MAX_IN_PROCESS_YAML = 1_000_000
_MAX_IN_PROCESS_ALIASES = 250_000
"""Characters. The parser that follows aliases takes a kilobyte for each value while it reads."""


def parse(text: str) -> JsonValue:
    """The value of a JSON or YAML text, every key a string; raises `UnreadableDocument`."""
    if not text or text.isspace():
        raise UnreadableDocument("the text is empty")
    if not looks_like_json(text):
        return parse_yaml(text)
    try:
        return load_json(text)
    except orjson.JSONDecodeError as error:
        try:
            return parse_yaml(text)
        except UnreadableDocument:
            where = f"line {error.lineno} column {error.colno}"
            raise UnreadableDocument(f"the JSON is malformed at {where}: {error.msg}", error.lineno) from error


def is_heavy(text: str, limit: int) -> bool:
    """Whether a text of which `limit` characters would do as JSON takes too much memory while it is read here."""
    if len(text) > limit or looks_like_json(text):
        return len(text) > limit
    return len(text) > _MAX_IN_PROCESS_YAML or (len(text) > _MAX_IN_PROCESS_ALIASES and uses_aliases(text))
