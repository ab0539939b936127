"""What fields may and must hold, and how resource names look.

The generated packages carry no options, but every class documents its fields in the words of the API's comments, which
begin with `Required.`, `Output only.` and so on (one sentence per `google.api.field_behavior` value). Discovery
documents mark output-only fields too (`readOnly`) and stand in where a comment forgot. Resource name patterns come from
the path helpers of the clients (`agent_path(project, location, agent)`)."""

import inspect
import json
import re
from collections.abc import Iterable, Mapping
from importlib import resources

from google.api import field_behavior_pb2, resource_pb2
from google.api.field_behavior_pb2 import FieldBehavior
from google.protobuf.descriptor_pb2 import DescriptorProto

from build_api.files import Files, import_file
from build_api.messages import message_classes
from build_api.options import FIELD_BEHAVIOR, RESOURCE
from build_api.services import Client
from build_api.sources import Source

MARKERS: Mapping[str, FieldBehavior] = {
    "Required": FieldBehavior.REQUIRED,
    "Optional": FieldBehavior.OPTIONAL,
    "Output only": FieldBehavior.OUTPUT_ONLY,
    "Input only": FieldBehavior.INPUT_ONLY,
    "Immutable": FieldBehavior.IMMUTABLE,
    "Identifier": FieldBehavior.IDENTIFIER,
    "Unordered list": FieldBehavior.UNORDERED_LIST,
}

_MARKER = re.compile(rf"\s*({'|'.join(MARKERS)})\.")
_FIELD = re.compile(r"^ {4}(\w+) \((?:[^()]|\([^()]*\))*\):\n((?: {8}.*\n|\n)*)", re.MULTILINE)


def add_field_behaviour(files: Files, source: Source) -> None:
    """Marks the fields of every message of a source."""
    read_only = _read_only_fields(source)
    messages = {path: (message, file) for path, message, file in files.messages(source.package)}
    for path, cls in message_classes(source):
        message, file = messages[path]
        marked = _documented(cls.__doc__ or "")
        for name in read_only.get(path, ()):
            marked.setdefault(name, set()).add(FieldBehavior.OUTPUT_ONLY)
        marks = [_mark(message, name, behaviours) for name, behaviours in marked.items()]
        if any(marks):
            import_file(file, field_behavior_pb2.DESCRIPTOR.name)


def _documented(docstring: str) -> dict[str, set[FieldBehavior]]:
    """The markers of each field, by field name, from a class docstring of a generated package."""
    _, _, attributes = inspect.cleandoc(docstring).partition("Attributes:\n")
    found: dict[str, set[FieldBehavior]] = {}
    for match in _FIELD.finditer(attributes + "\n"):
        found[match[1].rstrip("_")] = markers_of(" ".join(match[2].split()))
    return found


def markers_of(text: str, *, read_only: bool = False) -> set[FieldBehavior]:
    """What the words say that the description of a field begins with, and what a document says beside it."""
    behaviours, position = {FieldBehavior.OUTPUT_ONLY} if read_only else set[FieldBehavior](), 0
    while marker := _MARKER.match(text, position):
        behaviours.add(MARKERS[marker[1]])
        position = marker.end()
    return behaviours


def _mark(message: DescriptorProto, name: str, behaviours: set[FieldBehavior]) -> bool:
    for field in message.field:
        if name in (field.name, field.json_name) and behaviours:
            field.options.Extensions[FIELD_BEHAVIOR].extend(sorted(behaviours))
            return True
    return False


def _read_only_fields(source: Source) -> Mapping[str, list[str]]:
    """Output-only fields, by message path and JSON name, that a discovery document states."""
    document = resources.files("googleapiclient.discovery_cache.documents").joinpath(f"{source.discovery}.json")
    schemas = json.loads(document.read_text("utf-8"))["schemas"]
    prefix = "".join(part[0].upper() + part[1:] for part in source.package.split("."))
    names = {path.replace(".", ""): path for path, _ in message_classes(source)}
    found: dict[str, list[str]] = {}
    for schema_id, schema in schemas.items():
        path = names.get(schema_id.removeprefix(prefix))
        if path:
            properties = schema.get("properties", {})
            found[path] = [name for name, value in properties.items() if value.get("readOnly")]
    return found


def add_resource_patterns(files: Files, source: Source, clients: Iterable[Client]) -> None:
    """Gives each message with a `name` the pattern of its resource names, as the clients build them."""
    patterns = {name: pattern for client in clients for name, pattern in _path_helpers(client)}
    for path, message, file in files.messages(source.package):
        key = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", path).lower()
        if key in patterns and any(field.name == "name" for field in message.field):
            descriptor = message.options.Extensions[RESOURCE]
            descriptor.type = f"{source.host}/{path}"
            descriptor.pattern.append(patterns[key])
            import_file(file, resource_pb2.DESCRIPTOR.name)


def _path_helpers(client: Client) -> Iterable[tuple[str, str]]:
    for name, helper in inspect.getmembers(type(client), inspect.isfunction):
        if name.endswith("_path") and not name.startswith(("parse_", "common_")):
            segments = {parameter: f"{{{parameter}}}" for parameter in inspect.signature(helper).parameters}
            yield name.removesuffix("_path"), helper(**segments)
