"""`OpenApiTool`: the operations of one description as actions."""

from collections.abc import Sequence
from functools import cached_property

from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.tools.base import Action, Call, Failure, Outcome, Problem, ToolContext
from openplaybook.tools.openapi.compiling import BrokenOperation, Owner, action_of, compile_operation
from openplaybook.tools.openapi.connection import Connection
from openplaybook.tools.openapi.document import Document
from openplaybook.tools.openapi.index import Entry, index
from openplaybook.tools.openapi.operation import Operation
from openplaybook.tools.openapi.request import InvalidArguments, prepare
from openplaybook.tools.openapi.schemas import DocumentSchemas
from openplaybook.tools.openapi.settings import ToolSettings
from openplaybook.tools.schema.validation import InvalidSchema, Validator

_DEFAULTS = ToolSettings()

_MAX_DEFINITIONS = 1_000_000
"""Schemas that all operations of a description refer to, counted for each of them. Microsoft Graph's 11,000 have
400,000; a few thousand that all need all of many schemas would fill the memory."""

_TOO_MANY_DEFINITIONS = (
    f"this operation and those after it are not offered: the operations refer to more than {_MAX_DEFINITIONS:,} schemas"
)


class OpenApiTool:
    """Reads the document at once and each operation when it is first needed."""

    def __init__(
        self, owner: Owner, document: Document, connection: Connection, settings: ToolSettings = _DEFAULTS
    ) -> None:
        self._owner = owner
        self._connection = connection
        self._settings = settings
        self._schemas = DocumentSchemas(document.root)
        self._entries, self._index_problems = index(document.root)
        self._by_name = {entry.name: entry for entry in self._entries}
        self._by_operation_id = {entry.operation_id: entry for entry in reversed(self._entries)}
        self._compiled: dict[str, tuple[Operation, list[Problem]]] = {}

    @property
    def entries(self) -> Sequence[Entry]:
        """Every operation the document has, callable or not, in its order."""
        return self._entries

    def actions(self) -> Sequence[Action]:
        """The callable operations, in document order."""
        return self._described[0]

    def problems(self) -> Sequence[Problem]:
        """What is wrong with the document; operations that are broken are not among the actions."""
        return [*self._index_problems, *self._described[1]]

    async def invoke(self, call: Call, context: ToolContext) -> Outcome:
        """Check the arguments, send the request, read the answer."""
        entry = self._by_name.get(call.action.name) or self._by_operation_id.get(call.action.action)
        if entry is None:
            return Failure("NO_SUCH_ACTION", f"{self._owner.display_name} has no operation {call.action.action}")
        try:
            operation = self._operation(entry)[0]
            request = prepare(operation, call.arguments, context)
        except BrokenOperation as error:
            return Failure("BROKEN_OPERATION", f"{entry.operation_id} cannot be called: {error}")
        except InvalidSchema as error:
            return Failure("BROKEN_OPERATION", f"{entry.operation_id} cannot be called: its input schema {error}")
        except InvalidArguments as error:
            return Failure("INVALID_ARGUMENTS", str(error))
        return await self._connection.send(operation, request, context)

    def check_result(self, action: Action, output: JsonObject) -> Sequence[str]:
        """What is wrong with an answer the client got for us, `{"200": body}`; only declared answers are judged."""
        declared = action.output_schema
        if declared is None or output.keys().isdisjoint(declared["properties"]):
            return ()
        try:
            return Validator(declared).problems(output)
        except InvalidSchema:
            # The description's own fault: reported when it was saved, and no reason to refuse an answer.
            return ()

    def _operation(self, entry: Entry) -> tuple[Operation, list[Problem]]:
        if entry.name not in self._compiled:
            self._compiled[entry.name] = compile_operation(entry, self._schemas)
        return self._compiled[entry.name]

    @cached_property
    def _described(self) -> tuple[list[Action], list[Problem]]:
        actions: list[Action] = []
        problems: list[Problem] = []
        definitions = 0
        for entry in self._entries:
            if definitions > _MAX_DEFINITIONS:
                problems.append(Problem(entry.pointer, _TOO_MANY_DEFINITIONS, is_error=False))
                break
            try:
                operation, remarks = self._operation(entry)
                action = action_of(operation, self._owner)
                definitions += _definitions_of(action)
                actions.append(action)
                problems.extend(remarks)
            except BrokenOperation as error:
                problems.append(error.problem)
        return actions, problems


def _definitions_of(action: Action) -> int:
    schemas = (action.input_schema, action.output_schema or {})
    return sum(len(as_object(schema.get("$defs"))) for schema in schemas)
