"""What a description yields: its actions, and every problem with its place."""

from dataclasses import dataclass, field, replace
from itertools import islice

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools.base import Problem
from openplaybook.tools.openapi.compiling import BrokenOperation, Owner, action_of, compile_operation
from openplaybook.tools.openapi.description.document import load_document
from openplaybook.tools.openapi.description.index import NO_OPERATIONS, Entry, index
from openplaybook.tools.openapi.description.lines import with_lines
from openplaybook.tools.openapi.description.unreadable import UnreadableDocument
from openplaybook.tools.openapi.remarks import remarks_on
from openplaybook.tools.openapi.schemas.shared import DocumentSchemas
from openplaybook.tools.openapi.settings import ToolSettings
from openplaybook.tools.schema.validation import InvalidSchema

_OWNER = Owner("", "")
_DEFAULTS = ToolSettings()


def inspect(text: str, path: str, settings: ToolSettings = _DEFAULTS) -> JsonObject:
    """The report on a description called `path`, as a tool with these settings would use it.

    `{document, actions: [{name, operationId, method, path, inputSchema, outputSchema, problems}], problems}` where a
    problem is `{path, line, message, severity}`, severity `error` or `warning`. An operation with an error cannot be
    called. Raises `UnreadableDocument` when nothing can be said of the text.
    """
    document = load_document(text, settings)
    entries, found = index(document.root)
    if not entries:
        is_wrong = not isinstance(document.root.get("paths", {} if document.version >= "3.1" else None), dict)
        found.append(Problem("$.paths", NO_OPERATIONS, is_error=is_wrong))
    schemas = DocumentSchemas(document.root)
    inspected = [_inspected(entry, schemas, settings) for entry in entries]
    placed = iter(with_lines([*found, *(problem for each in inspected for problem in each.problems)], text))
    problems = [_shown(problem) for problem in islice(placed, len(found))]
    actions = [each.report([_shown(problem) for problem in islice(placed, len(each.problems))]) for each in inspected]
    inner = [problem for action in actions for problem in action["problems"]]
    # What concerns the whole document, such as its servers, is told at every operation and here once.
    unique = {(each["path"], each["message"]): each for each in reversed([*problems, *inner])}
    return {"document": path, "actions": actions, "problems": list(reversed(unique.values()))}


@dataclass(slots=True)
class _Inspected:
    """An operation, and all that is to be said of it."""

    entry: Entry
    input_schema: JsonObject | None = None
    output_schema: JsonObject | None = None
    problems: list[Problem] = field(default_factory=list[Problem])

    def report(self, problems: list[JsonValue]) -> JsonObject:
        """Its part of the report."""
        return {
            "name": self.entry.name,
            "operationId": self.entry.operation_id,
            "method": self.entry.method,
            "path": self.entry.path,
            "inputSchema": self.input_schema,
            "outputSchema": self.output_schema,
            "problems": problems,
        }


def unreadable(error: UnreadableDocument, path: str) -> JsonObject:
    """The report on a text that is no description."""
    problem = {"path": "$", "line": error.line, "message": str(error), "severity": "error"}
    return {"document": path, "actions": [], "problems": [problem]}


def _inspected(entry: Entry, schemas: DocumentSchemas, settings: ToolSettings) -> _Inspected:
    result = _Inspected(entry)
    try:
        operation = compile_operation(entry, schemas, settings)
        action = action_of(operation, _OWNER)
        result.problems.extend(remarks_on(operation))
        operation.validator.compile()
        result.input_schema, result.output_schema = action.input_schema, action.output_schema
    except BrokenOperation as error:
        result.problems.append(replace(error.problem, is_error=True))
    except InvalidSchema as error:
        result.problems.append(Problem(entry.pointer, f"the schema of its inputs is not valid: {error}"))
    return result


def _shown(problem: Problem) -> JsonObject:
    severity = "error" if problem.is_error else "warning"
    return {"path": problem.path, "line": problem.line, "message": problem.message, "severity": severity}
