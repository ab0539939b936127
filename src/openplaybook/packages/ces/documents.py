"""Files that hold a resource, in JSON or in YAML."""

from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.packages.errors import MalformedFile
from openplaybook.packages.json_files import read_object, read_text, write_object
from openplaybook.tools.openapi.description.unreadable import UnreadableDocument
from openplaybook.tools.openapi.description.yaml_text import parse_yaml
from openplaybook.tools.openapi.generating.writing import to_yaml


def read_document(file: str, content: bytes) -> JsonObject:
    """The object that a file is, by its ending. Raises `MalformedFile` with the line."""
    if file.endswith(".json"):
        return read_object(file, content)
    text = read_text(file, content).removeprefix("\ufeff")
    try:
        value = parse_yaml(text)
    except UnreadableDocument as error:
        raise MalformedFile(file, f"is not YAML: {error}", error.line) from error
    if not isinstance(value, dict):
        raise MalformedFile(file, "is YAML, but not a mapping", 1, 1)
    # What YAML allows and JSON does not is told as for a JSON file.
    return read_object(file, write_document("x.json", as_object(value), file))


def write_document(file: str, value: JsonObject, told_as: str = "") -> bytes:
    """The file of a resource, in the form that its ending says."""
    if file.endswith(".json"):
        try:
            return write_object(value)
        except (TypeError, ValueError) as error:
            raise MalformedFile(told_as or file, f"holds what JSON has no form for: {error}") from error
    return to_yaml(value).encode()
