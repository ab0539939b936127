"""JSON or YAML text to plain values. Foreign YAML is read in child processes alone: its parsers recurse in C."""

from json import JSONDecodeError

from openplaybook.jsonvalues import JsonValue
from openplaybook.tools.openapi.description.json_text import load_json, looks_like_json
from openplaybook.tools.openapi.description.unreadable import UnreadableDocument
from openplaybook.tools.openapi.description.yaml_text import parse_yaml


def parse(text: str) -> JsonValue:
    """The value of a JSON or YAML text, every key a string; raises `UnreadableDocument`."""
    if not text or text.isspace():
        raise UnreadableDocument("the text is empty")
    if not looks_like_json(text):
        return parse_yaml(text)
    try:
        return load_json(text)
    except JSONDecodeError as error:
        try:
            return parse_yaml(text)
        except UnreadableDocument:
            where = f"line {error.lineno} column {error.colno}"
            raise UnreadableDocument(f"the JSON is malformed at {where}: {error.msg}", error.lineno) from error
