"""What a description yields: its actions, and every problem with its place."""

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools.base import Problem
from openplaybook.tools.openapi.compiling import BrokenOperation, Owner, action_of, compile_operation
from openplaybook.tools.openapi.document import UnreadableDocument, load_document
from openplaybook.tools.openapi.index import Entry, index
from openplaybook.tools.openapi.schemas import DocumentSchemas
from openplaybook.tools.schema.validation import InvalidSchema

_OWNER = Owner("", "")


def inspect(text: str, path: str) -> JsonObject:
    """The report on a description called `path`.

    `{document, actions: [{name, operationId, method, path, inputSchema, outputSchema, problems}], problems}` where a
    problem is `{path, line, message, severity}`, severity `error` or `warning`. An operation with an error cannot be
    called. Raises `UnreadableDocument` when nothing can be said of the text.
    """
    document = load_document(text)
    entries, found = index(document.root)
    schemas = DocumentSchemas(document.root)
    actions = [_action(entry, schemas) for entry in entries]
    problems = [_problem(each, is_error=each.is_error) for each in found]
    inner = [problem for action in actions for problem in action["problems"]]
    return {"document": path, "actions": actions, "problems": [*problems, *inner]}


def unreadable(error: UnreadableDocument, path: str) -> JsonObject:
    """The report on a text that is no description."""
    problem = {"path": "$", "line": error.line, "message": str(error), "severity": "error"}
    return {"document": path, "actions": [], "problems": [problem]}


def _action(entry: Entry, schemas: DocumentSchemas) -> JsonObject:
    problems: list[JsonValue] = []
    input_schema = output_schema = None
    try:
        operation, remarks = compile_operation(entry, schemas)
        problems = [_problem(remark, is_error=False) for remark in remarks]
        action = action_of(operation, _OWNER)
        operation.validator.compile()
        input_schema, output_schema = action.input_schema, action.output_schema
    except BrokenOperation as error:
        problems.append(_problem(error.problem, is_error=True))
    except InvalidSchema as error:
        problem = Problem(entry.pointer, f"the schema of its inputs is not valid: {error}")
        problems.append(_problem(problem, is_error=True))
    return {
        "name": entry.name,
        "operationId": entry.operation_id,
        "method": entry.method,
        "path": entry.path,
        "inputSchema": input_schema,
        "outputSchema": output_schema,
        "problems": problems,
    }


def _problem(problem: Problem, *, is_error: bool) -> JsonObject:
    severity = "error" if is_error else "warning"
    return {"path": problem.path, "line": problem.line, "message": problem.message, "severity": severity}
