"""`FunctionTool`: one action, named like the tool, that the client takes."""

from collections.abc import Sequence

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
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
from openplaybook.tools.schema.validator import InvalidSchema, Validator

READ_ONLY = "x-readOnlyHint"
"""Member of a function's input schema: true says that calling it changes nothing. MCP has the hint, and its name."""


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
