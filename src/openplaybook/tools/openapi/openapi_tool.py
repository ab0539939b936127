"""`OpenApiTool`: the operations of one description as actions."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from openplaybook.credentials.combined_credentials import UnconfiguredAuthenticator
from openplaybook.documents.garbage_collection import without_collection
from openplaybook.egress.base import HttpRequest
from openplaybook.egress.errors import EgressError
from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.base import Action, Call, Failure, Outcome, Problem, Tool, ToolContext
from openplaybook.tools.client_results import result_problems
from openplaybook.tools.openapi.answers.exchanges import SentRequest
from openplaybook.tools.openapi.description.operation_index import OperationEntry, index
from openplaybook.tools.openapi.description.source_text import Document
from openplaybook.tools.openapi.oddities.description_oddities import oddities
from openplaybook.tools.openapi.operation import Operation
from openplaybook.tools.openapi.operation_compiler import BrokenOperation, Owner, action_of, compile_operation
from openplaybook.tools.openapi.operation_remarks import remarks_on
from openplaybook.tools.openapi.operation_security import covered
from openplaybook.tools.openapi.operation_selection import select, unknown_names
from openplaybook.tools.openapi.requests.prepared_request import (
    InvalidArguments,
    checked_arguments,
    prepare,
    without_secrets,
)
from openplaybook.tools.openapi.schemas.document_schemas import DocumentSchemas
from openplaybook.tools.openapi.service_connection import ServiceConnection
from openplaybook.tools.openapi.tool_settings import ToolSettings
from openplaybook.tools.schema.errors import InvalidSchema

_DEFAULTS = ToolSettings()

_MAX_DEFINITIONS = 1_000_000
"""Schemas that all operations of a description refer to, counted for each of them. Microsoft Graph's 11,000 have
400,000; a few thousand that all need all of many schemas would fill the memory."""

_MANY = 500
"""Operations of a description that counts as large."""

_TOO_MANY_DEFINITIONS = (
    f"this operation and those after it are not offered: the operations refer to more than {_MAX_DEFINITIONS:,} schemas"
)


@dataclass(frozen=True, slots=True)
class _Described:
    """The selected operations, looked into."""

    actions: list[Action]
    callable: list[OperationEntry]
    """Where each action is in the document."""
    problems: list[Problem]
    """Why the others are none."""


class OpenApiTool(Tool):
    """Reads the document at once and each operation when it is first needed."""

    def __init__(
        self, owner: Owner, document: Document, connection: ServiceConnection, settings: ToolSettings = _DEFAULTS
    ) -> None:
        self._owner = owner
        self._connection = connection
        self._settings = settings
        self._schemas = DocumentSchemas(document.root)
        with without_collection():
            self._entries, self._index_problems = index(document.root)
        self._by_name = {entry.name: entry for entry in self._entries}
        self._by_operation_id = {entry.operation_id: entry for entry in reversed(self._entries)}
        self._compiled: dict[str, Operation] = {}

    @property
    def entries(self) -> Sequence[OperationEntry]:
        """Every operation the document has, callable or not, in its order."""
        return self._entries

    @property
    def root(self) -> JsonObject:
        """The description, as it was read."""
        return self._schemas.root

    def actions(self) -> Sequence[Action]:
        """The callable operations among those that are selected, in document order."""
        return self._described.actions

    def problems(self) -> Sequence[Problem]:
        """What is wrong with the document, and with settings that do not fit it.

        Operations that are broken are not among the actions.
        """
        described = [
            problem
            for entry in self._described.callable
            for problem in (*remarks_on(self._operation(entry), self._covered(entry)), *self._unmet(entry))
        ]
        general = [*self._index_problems, *unknown_names(self._entries, self._settings)]
        # What concerns the whole document, such as its servers, is found at every operation and told once.
        return list(dict.fromkeys([*general, *self._described.problems, *described]))

    def fault(self) -> str:
        """Why none of its operations can be sent anywhere; empty where one can, or there is none."""
        fault = ""
        for entry in self._described.callable:
            fault = self._operation(entry).open_server
            if not fault:
                break
        return fault

    def oddities(self) -> Sequence[Problem]:
        """What is odd about the selected operations and what they share, though they can be called."""
        selected = select(self._entries, self._settings.selection)
        return oddities(self._schemas.root, selected, is_whole=len(selected) == len(self._entries))

    async def invoke(self, call: Call, context: ToolContext) -> Outcome:
        """Check the arguments, send the request, read the answer."""
        operation = self._called(call)
        if isinstance(operation, Failure):
            return operation
        request = await _request(operation, call, context)
        return request if isinstance(request, Failure) else await self._connection.send(operation, request, context)

    async def rehearse(self, call: Call, context: ToolContext) -> Failure | None:
        """Why `invoke` would send nothing; else its request goes on record, as it is before authentication."""
        operation = self._called(call)
        request = operation if isinstance(operation, Failure) else await _request(operation, call, context)
        if isinstance(request, Failure):
            return request
        context.exchanged.append(SentRequest(request, context.secrets, _NotSent("not sent")))
        return None

    async def client_arguments(self, call: Call, context: ToolContext) -> JsonObject | Failure:
        """Checked and completed as for a request of ours, without what a secret parameter of the session gave."""
        operation = self._called(call)
        if isinstance(operation, Failure):
            return operation
        try:
            complete = await checked_arguments(operation, call.arguments, context)
            return await without_secrets(operation, call.arguments, complete, context)
        except InvalidSchema as error:
            return _broken_schema(operation.entry.operation_id, error)
        except InvalidArguments as error:
            return Failure("INVALID_ARGUMENTS", str(error))

    async def check_result(self, action: Action, output: JsonObject) -> Sequence[str]:
        """What is wrong with an answer the client got for us, `{"200": body}` or the body itself."""
        try:
            return await result_problems(action.output_schema, output)
        except InvalidSchema:
            # The description's own fault: reported when it was saved, and no reason to refuse an answer.
            return ()

    def _called(self, call: Call) -> Operation | Failure:
        entry = self._by_name.get(call.action.name) or self._by_operation_id.get(call.action.action)
        if entry is None:
            return Failure("NO_SUCH_ACTION", f"{self._owner.display_name} has no operation {call.action.action}")
        try:
            return self._operation(entry)
        except BrokenOperation as error:
            return Failure("BROKEN_OPERATION", f"{entry.operation_id} cannot be called: {error}")

    def _operation(self, entry: OperationEntry) -> Operation:
        if entry.name not in self._compiled:
            operation = compile_operation(entry, self._schemas, self._settings, self._covered(entry))
            self._compiled[entry.name] = operation
        return self._compiled[entry.name]

    def _unmet(self, entry: OperationEntry) -> list[Problem]:
        """Why no call of an operation has the credentials it needs."""
        authenticator = self._connection.security.of(entry)
        if not isinstance(authenticator, UnconfiguredAuthenticator):
            return []
        return [Problem(entry.pointer, authenticator.message, is_error=False)]

    def _covered(self, entry: OperationEntry) -> frozenset[tuple[str, str]]:
        return covered(self._connection.security.of(entry))

    @cached_property
    def _described(self) -> _Described:
        described = _Described([], [], [])
        definitions = 0
        # Of many operations too: a search through all that was made of them finds nothing, and takes a while.
        with without_collection(of_a_large_document=len(self._entries) > _MANY):
            for entry in select(self._entries, self._settings.selection):
                if definitions > _MAX_DEFINITIONS:
                    described.problems.append(Problem(entry.pointer, _TOO_MANY_DEFINITIONS, is_error=False))
                    break
                try:
                    operation = self._operation(entry)
                    action = action_of(operation, self._owner)
                    definitions += len(self._schemas.inputs.closure(operation.references()))
                except BrokenOperation as error:
                    described.problems.append(error.problem)
                    continue
                described.actions.append(action)
                described.callable.append(entry)
        return described


async def _request(operation: Operation, call: Call, context: ToolContext) -> HttpRequest | Failure:
    name = operation.entry.operation_id
    if operation.open_server:
        return Failure("BROKEN_OPERATION", f"{name} cannot be called: {operation.open_server}")
    try:
        return await prepare(operation, call.arguments, context)
    except InvalidSchema as error:
        return _broken_schema(name, error)
    except InvalidArguments as error:
        return Failure("INVALID_ARGUMENTS", str(error))


def _broken_schema(operation: str, error: InvalidSchema) -> Failure:
    return Failure("BROKEN_OPERATION", f"{operation} cannot be called: its input schema {error}")


class _NotSent(EgressError):
    """In place of an answer."""
