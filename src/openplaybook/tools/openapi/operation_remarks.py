"""What is odd about an operation that can be called all the same, told when its description is judged."""

from collections.abc import Collection

from openplaybook.tools.base import Problem
from openplaybook.tools.openapi.operation import Operation
from openplaybook.tools.openapi.requests.parameter_places import BODY_ARGUMENT
from openplaybook.tools.openapi.requests.request_parameters import ignored_because, merged, style_remark
from openplaybook.tools.openapi.schemas.injection import is_known_source
from openplaybook.tools.schema.dialect import CONTEXT, CONTEXT_PATHS, INJECTION, SESSION_CONTEXT

_CONTEXT_PATHS = ", ".join(sorted(CONTEXT + path for path in {*CONTEXT_PATHS, "session_id", "variables.NAME"}))


def remarks_on(operation: Operation, covered: Collection[tuple[str, str]] = ()) -> list[Problem]:
    """Every remark on an operation; `covered` are places and names of what its authentication sends."""
    problems: list[Problem] = []
    if operation.open_server:
        # A setting has to say where the service is.
        problems.append(Problem("$.servers", operation.open_server, is_error=False))
    problems += _on_parameters(operation, covered)
    problems += _unknown_sources(operation)
    # Schemas that lead nowhere.
    faults = operation.schemas.inputs.faults_beneath(operation.references())
    return problems + [Problem(operation.entry.pointer, fault, is_error=False) for fault in faults]


def _on_parameters(operation: Operation, covered: Collection[tuple[str, str]]) -> list[Problem]:
    """Parameters that play no part, and those that are written in another way."""
    entry = operation.entry
    where = f"{entry.pointer}.parameters"
    return [
        Problem(where, f"{source.get('name')}: {reason}", is_error=False)
        for source in merged(operation.schemas.root, entry.path_item, entry.operation)
        if (reason := ignored_because(source, covered) or style_remark(source))
    ]


def _unknown_sources(operation: Operation) -> list[Problem]:
    """References that this server does not understand; the model's value is used in their place."""
    pointer = operation.entry.pointer
    schemas = [(f"{pointer}.parameters", each.name, each.schema) for each in operation.parameters]
    if operation.body is not None:
        schemas.append((f"{pointer}.requestBody", BODY_ARGUMENT, operation.body.schema))
    return [
        Problem(
            where,
            f"{name}: {_not_understood(source)}",
            is_error=False,
        )
        for where, name, schema in schemas
        for source in operation.schemas.filler.sources(schema)
        if not is_known_source(source)
    ]


def _not_understood(source: str) -> str:
    if source.startswith(CONTEXT):
        return f"{SESSION_CONTEXT} {source!r} is not understood; allowed are {_CONTEXT_PATHS}"
    allowed = "NAME, $session.params.NAME and $request.payload.NAME"
    return f"{INJECTION} {source!r} is not understood; allowed are {allowed}"
