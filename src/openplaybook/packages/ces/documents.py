"""Files that hold a resource, in JSON or in YAML."""

from openplaybook.documents.errors import UnreadableDocument
from openplaybook.documents.parser_process import yaml_as_json
from openplaybook.documents.yaml_output import to_yaml
from openplaybook.jsonvalues import JsonObject
from openplaybook.packages.errors import MalformedFile
from openplaybook.packages.resource_files import read_object, read_text, write_object


def read_document(file: str, content: bytes) -> JsonObject:
    """The object that a file is, by its ending. Blocks. Raises `MalformedFile` with the line, and `WorkError`."""
    if file.endswith(".json"):
        return read_object(file, content)
    text = read_text(file, content).removeprefix("\ufeff")
    try:
        restated = yaml_as_json(text)
    except UnreadableDocument as error:
        raise MalformedFile(file, f"is not YAML: {error}", error.line) from error
    if not restated.startswith(b"{"):
        raise MalformedFile(file, "is YAML, but not a mapping", 1, 1)
    # What YAML allows and packages do not is told as for a JSON file.
    return read_object(file, restated)


def write_document(file: str, value: JsonObject) -> bytes:
    """The file of a resource, in the form that its ending says."""
    if file.endswith(".json"):
        return write_object(value)
    return to_yaml(value).encode()
