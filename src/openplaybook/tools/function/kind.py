"""Functions of the client: a `functionSpec` of Dialogflow CX, a `clientFunction` of CX Agent Studio."""

from collections.abc import Sequence

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
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
from openplaybook.tools.action_names import legal_name
from openplaybook.tools.base import (
    CLIENT_SIDE,
    Action,
    Call,
    ExecutionPlace,
    Failure,
    InvalidTool,
    Outcome,
    Problem,
    Tool,
    ToolContext,
)
from openplaybook.tools.schema.dialect import Direction, SchemaTooDeep, to_2020_12
from openplaybook.tools.schema.errors import InvalidSchema
from openplaybook.tools.schema.validator import Validator
from openplaybook.tools.tool_kind import ToolKind, ToolParts

READ_ONLY = "x-readOnlyHint"
"""Member of a function's input schema: true says that calling it changes nothing. MCP has the hint, and its name."""
_APP_FIELDS = {"inputSchema": "parameters", "outputSchema": "response"}
"""What an app calls the schemas of a `functionSpec`."""


class FunctionTool(Tool):
    """A function the client implements; the server declares it, checks its result and never runs it."""

    def __init__(self, name: str, display_name: str, description: str, spec: JsonObject) -> None:
        """`name` is the tool's resource name, `spec` its `functionSpec`; raises `InvalidTool`."""
        input_schema, input_problem = _object_schema(spec.get("inputSchema"), "inputSchema", Direction.INPUT)
        output_schema, output_problem = _object_schema(spec.get("outputSchema"), "outputSchema", Direction.OUTPUT)
        problems = [problem for problem in (input_problem, output_problem) if problem is not None]
        if problems:
            raise InvalidTool(problems)
        self._output = Validator(output_schema) if output_schema is not None else None
        self._action = Action(
            name=legal_name(display_name),
            action=display_name,
            tool=name,
            tool_display_name=display_name,
            description=description,
            input_schema=input_schema or {"type": "object", "properties": {}},
            declared_output=lambda: output_schema,
            place=ExecutionPlace.CLIENT,
            is_read_only=as_object(spec.get("inputSchema")).get(READ_ONLY) is True,
        )

    def actions(self) -> Sequence[Action]:
        """The one action."""
        return (self._action,)

    async def invoke(self, call: Call, context: ToolContext) -> Outcome:
        """Refused: the client takes this action."""
        return Failure(CLIENT_SIDE, f"{call.action.action} is a function of the client; this server cannot run it")

    async def client_arguments(self, call: Call, context: ToolContext) -> JsonObject | Failure:
        """As the model gave them: what a function takes is its client's to judge."""
        return call.arguments

    async def check_result(self, action: Action, output: JsonObject) -> Sequence[str]:
        """What is wrong with the client's result against the output schema; empty when it fits."""
        return await self._output.judge(output) if self._output is not None else ()


def _object_schema(schema: JsonValue, field: str, direction: Direction) -> tuple[JsonObject | None, Problem | None]:
    """A function's schema as JSON Schema, or what is wrong with it; both None when it is not given."""
    path = f"$.functionSpec.{field}"
    if schema is None or schema == {}:
        return None, None
    if not isinstance(schema, dict):
        return None, Problem(path, "must be a JSON Schema object")
    try:
        converted = to_2020_12(schema, _local_reference, direction)
    except (SchemaTooDeep, InvalidSchema) as error:
        return None, Problem(path, str(error))
    kind = converted.get("type")
    if kind is None and as_object(converted.get("properties")):
        converted["type"] = kind = "object"
    if kind != "object":
        return None, Problem(f"{path}.type", f"must be object, since parameters have names; got {kind or 'nothing'}")
    try:
        Validator(converted).compile()
    except InvalidSchema as error:
        return None, Problem(path, f"is not a valid JSON Schema: {error}")
    return converted, None


def _local_reference(reference: str) -> JsonObject:
    if not reference.startswith("#/$defs/"):
        raise InvalidSchema(f"the reference {reference!r} is not allowed; references start with #/$defs/")
    return {"$ref": reference}


def build(resource: JsonObject, spec: JsonObject, parts: ToolParts) -> FunctionTool:
    """The tool for a `functionSpec` (v3beta1 `Tool.FunctionTool`, JSON form); raises `InvalidTool`."""
    return FunctionTool(
        str(resource.get("name", "")),
        str(resource.get("displayName", "")),
        str(resource.get("description", "")),
        spec,
    )


def _toolbox_form(message: JsonObject, document: JsonObject) -> JsonObject:
    schemas = {ours: as_object(message[theirs]) for ours, theirs in _APP_FIELDS.items() if theirs in message}
    return {"functionSpec": {field: _object(json_schema(schema)) for field, schema in schemas.items()}}


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
    keywords: set[str] = set()
    for key, value in schema.items():
        keywords.add(key)
        if key in ("properties", "$defs", "definitions", "patternProperties"):
            inner = [as_object(each) for each in as_object(value).values()]
        elif key in ("default", "enum", "const", "example", "examples", "required"):
            inner = []
        else:
            inner = [as_object(each) for each in (as_list(value) if isinstance(value, list) else [value])]
        for each in inner:
            keywords |= _keywords(each)
    return keywords


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
