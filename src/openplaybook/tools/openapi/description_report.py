"""What a description yields: its actions, and every problem with its place."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice

from openplaybook.documents.errors import UnreadableDocument
from openplaybook.documents.garbage_collection import without_collection
from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools.base import Problem
from openplaybook.tools.openapi.description.json_references import UnresolvableReference
from openplaybook.tools.openapi.description.operation_index import NO_OPERATIONS, OperationEntry, index
from openplaybook.tools.openapi.description.source_text import load_document, with_lines
from openplaybook.tools.openapi.oddities.description_oddities import oddities
from openplaybook.tools.openapi.operation import Operation
from openplaybook.tools.openapi.operation_compiler import BrokenOperation, compile_operation
from openplaybook.tools.openapi.operation_remarks import remarks_on
from openplaybook.tools.openapi.schemas.document_schemas import DocumentSchemas
from openplaybook.tools.openapi.schemas.published_schemas import PublishedSchemas
from openplaybook.tools.openapi.schemas.schema_soundness import SchemaSoundness
from openplaybook.tools.openapi.tool_settings import ToolSettings
from openplaybook.tools.schema.dialect import SchemaTooDeep
from openplaybook.tools.schema.errors import InvalidSchema

_DEFAULTS = ToolSettings()


def _untold(done: int, of: int) -> None:
    """Nobody waits."""


@dataclass(slots=True)
class Inspected:
    """An operation, and all that is to be said of it."""

    entry: OperationEntry
    operation: Operation | None = None
    """None where it cannot be called."""
    problems: list[Problem] = field(default_factory=list[Problem])

    @property
    def is_callable(self) -> bool:
        """Whether a model can call it."""
        return not any(problem.is_error for problem in self.problems)


class Inspection:
    """A description, looked into. Its problems are known at once; what is large is made while it is read."""

    def __init__(
        self,
        text: str,
        path: str,
        settings: ToolSettings = _DEFAULTS,
        progress: Callable[[int, int], None] = _untold,
    ) -> None:
        """`progress` is told how many operations are done, of how many.

        Raises `UnreadableDocument` when nothing can be said of the text.
        """
        document = load_document(text, settings)
        self.document = path
        """What the description is called."""
        with without_collection():
            entries, general = index(document.root)
            if not entries:
                is_wrong = not isinstance(document.root.get("paths", {} if document.version >= "3.1" else None), dict)
                general.append(Problem("$.paths", NO_OPERATIONS, is_error=is_wrong))
            self._schemas = DocumentSchemas(document.root)
            self._soundness = SchemaSoundness(self._schemas)
            self.operations: Sequence[Inspected] = [
                self._inspected(entry, settings, progress, (done, len(entries))) for done, entry in enumerate(entries)
            ]
            """Every operation, in document order."""
            general.extend(oddities(document.root, entries))
            self.problems = self._placed(general, text)
            """All problems, each once."""

    def _inspected(
        self, entry: OperationEntry, settings: ToolSettings, progress: Callable[[int, int], None], done: tuple[int, int]
    ) -> Inspected:
        progress(*done)
        result = Inspected(entry)
        try:
            operation = compile_operation(entry, self._schemas, settings)
            result.problems.extend(remarks_on(operation))
            self._soundness.check(operation)
            result.operation = operation
        except BrokenOperation as error:
            result.problems.append(replace(error.problem, is_error=True))
        except (UnresolvableReference, SchemaTooDeep) as error:
            result.problems.append(Problem(entry.pointer, str(error)))
        except InvalidSchema as error:
            result.problems.append(Problem(entry.pointer, f"the schema of its inputs is not valid: {error}"))
        return result

    def _placed(self, general: list[Problem], text: str) -> Sequence[Problem]:
        """Put lines to the problems of operations; the answer is all problems, with lines."""
        of_operations = [problem for each in self.operations for problem in each.problems]
        placed = iter(with_lines([*general, *of_operations], text))
        placed_problems = list(islice(placed, len(general)))
        for each in self.operations:
            each.problems = list(islice(placed, len(each.problems)))
            placed_problems.extend(each.problems)
        # What concerns the whole document, such as its servers, is told at every operation and here once.
        unique = {(each.path, each.message): each for each in reversed(placed_problems)}
        return list(reversed(unique.values()))

    @cached_property
    def _published(self) -> PublishedSchemas:
        return PublishedSchemas(self._schemas, [each.operation for each in self.operations if each.operation])

    def actions(self) -> Iterator[JsonObject]:
        """What is reported of each operation."""
        for each in self.operations:
            operation = each.operation
            yield {
                "name": each.entry.name,
                "operationId": each.entry.operation_id,
                "method": each.entry.method,
                "path": each.entry.path,
                "inputSchema": None if operation is None else self._published.inputs(operation),
                "outputSchema": None if operation is None else self._published.outputs(operation),
                "problems": [shown(problem) for problem in each.problems],
            }

    def definitions(self) -> Iterator[tuple[str, JsonObject]]:
        """Name and schema of what the actions refer to; to be read after them."""
        return self._published.definitions()


def inspect(text: str, path: str, settings: ToolSettings = _DEFAULTS) -> JsonObject:
    """The report on a description called `path`, as a tool with these settings would use it.

    `{document, actions: [{name, operationId, method, path, inputSchema, outputSchema, problems}], problems,
    definitions}` where a problem is `{path, line, message, severity}`, severity `error` or `warning`, and
    `definitions` (left out where there are none) has what the schemas refer to as `#/definitions/NAME`. An operation
    with an error cannot be called. Raises `UnreadableDocument` when nothing can be said of the text.
    """
    inspection = Inspection(text, path, settings)
    report: JsonObject = {
        "document": path,
        "actions": list(inspection.actions()),
        "problems": [shown(problem) for problem in inspection.problems],
    }
    definitions: Mapping[str, JsonValue] = dict(inspection.definitions())
    return {**report, "definitions": definitions} if definitions else report


def unreadable(error: UnreadableDocument, path: str) -> JsonObject:
    """The report on a text that is no description."""
    return {"document": path, "actions": [], "problems": [shown(Problem("$", str(error), error.line))]}


def shown(problem: Problem) -> JsonObject:
    """A problem as a report has it."""
    severity = "error" if problem.is_error else "warning"
    return {"path": problem.path, "line": problem.line, "message": problem.message, "severity": severity}
