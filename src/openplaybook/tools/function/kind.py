"""Functions of the client: a `functionSpec` of Dialogflow CX, a `clientFunction` of CX Agent Studio."""

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.resources.call_spellings import FUNCTION
from openplaybook.resources.ces.schemas import ces_schema, json_schema
from openplaybook.resources.tool_kinds import (
    CallCheck,
    ConversionNotes,
    ConvertedTool,
    KindField,
    StoredKind,
    ToolMessage,
)
from openplaybook.tools.function.tool import FunctionTool
from openplaybook.tools.tool_kind import ToolKind, ToolParts

_APP_FIELDS = {"inputSchema": "parameters", "outputSchema": "response"}
"""What an app calls the schemas of a `functionSpec`."""


def build(resource: JsonObject, spec: JsonObject, parts: ToolParts) -> FunctionTool:
    """The tool for a `functionSpec` (v3beta1 `Tool.FunctionTool`, JSON form); raises `InvalidTool`."""
    return FunctionTool(
        str(resource.get("name", "")),
        str(resource.get("displayName", "")),
        str(resource.get("description", "")),
        spec,
    )


def _toolbox_form(message: JsonObject, document: JsonObject) -> JsonObject:
    given = {ours: as_object(message[theirs]) for ours, theirs in _APP_FIELDS.items() if theirs in message}
    return {"functionSpec": {field: _object(json_schema(schema)) for field, schema in given.items()}}


def _object(schema: JsonObject) -> JsonObject:
    """A function takes and gives named values, whether its schema says so or not."""
    return schema if schema.keys() & {"type", "$ref", "anyOf"} else {**schema, "type": "object"}


def _converted(tool: JsonObject, name: str, place: str, notes: ConversionNotes) -> ConvertedTool:
    spec = as_object(tool["functionSpec"])
    function: JsonObject = {"description": tool["description"]} if tool.get("description") else {}
    for ours, theirs in _APP_FIELDS.items():
        if spec.get(ours):
            function[theirs] = _app_schema(as_object(spec[ours]), f"{place} {ours}", notes)
    return ConvertedTool("clientFunction", (function,))


def _app_schema(schema: JsonObject, place: str, notes: ConversionNotes) -> JsonObject:
    converted = ces_schema(schema)
    lost = sorted(_keywords(schema) - _keywords(json_schema(converted)) - {"$schema", "const", "nullable"})
    if lost:
        notes.changed(place, f"CX Agent Studio has no {', '.join(lost)} in schemas: any value is allowed there")
    return converted


def _keywords(schema: JsonObject) -> set[str]:
    """The keywords that a JSON Schema uses anywhere, names of properties not among them."""
    found: set[str] = set()
    for key, value in schema.items():
        found.add(key)
        if key in ("properties", "$defs", "definitions", "patternProperties"):
            inner = [as_object(each) for each in as_object(value).values()]
        elif key in ("default", "enum", "const", "example", "examples", "required"):
            inner = []
        else:
            inner = [as_object(each) for each in (as_list(value) if isinstance(value, list) else [value])]
        for each in inner:
            found |= _keywords(each)
    return found


KIND = ToolKind(
    StoredKind(
        name="function",
        noun="function tool",
        fields=(
            KindField("functionSpec", ToolMessage.TOOL, "function", form=FUNCTION),
            KindField(
                "clientFunction",
                ToolMessage.APP_TOOL,
                "client function",
                toolbox_form=_toolbox_form,
                toolbox_paths=(
                    ("$.functionSpec.inputSchema", "{kind}.parameters"),
                    ("$.functionSpec.outputSchema", "{kind}.response"),
                ),
            ),
        ),
        call_check=CallCheck.CLOSED,
        conversion=_converted,
    ),
    {"functionSpec": build},
)
