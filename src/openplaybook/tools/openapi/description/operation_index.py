"""The operations of a description, found without looking into them."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.tools.action_names import legal_name, legal_names
from openplaybook.tools.base import Problem
from openplaybook.tools.openapi.description.json_references import UnresolvableReference, resolve

NO_OPERATIONS = "the description has no operations"

MAX_OPERATIONS = 30_000
"""Of one description. Microsoft Graph has 11,000 in its stable version."""

_TOO_MANY = f"the description has more than {MAX_OPERATIONS:,} operations; those after them are left out"
_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")


@dataclass(frozen=True, slots=True)
class OperationEntry:
    """One operation, as it stands in the document."""

    name: str
    """Model-facing, unique in the document."""
    operation_id: str
    """As written; `method_path` where the document gives none."""
    method: str
    """Upper case."""
    path: str
    """Template, such as `/pets/{petId}`."""
    pointer: str
    """JSON path, such as `$.paths./pets/{petId}.get`."""
    path_item: JsonObject
    operation: JsonObject


@dataclass(frozen=True, slots=True)
class _Found:
    method: str
    path: str
    path_item: JsonObject
    operation: JsonObject

    @property
    def pointer(self) -> str:
        return f"$.paths.{self.path}.{self.method}"

    @property
    def operation_id(self) -> str:
        written = self.operation.get("operationId")
        if isinstance(written, str) and written.strip():
            return written
        return legal_name(f"{self.method}_{self.path.strip('/')}")


def index(root: JsonObject) -> tuple[list[OperationEntry], list[Problem]]:
    """Every operation in document order, and what could not be read as one."""
    problems: list[Problem] = []
    operations = list(islice(_operations(root, problems), MAX_OPERATIONS + 1))
    if len(operations) > MAX_OPERATIONS:
        problems.append(Problem("$.paths", _TOO_MANY, is_error=False))
        operations.pop()
    names = legal_names(
        [each.operation_id for each in operations], [f"{each.method}{each.path}" for each in operations]
    )
    entries = [
        OperationEntry(
            name, each.operation_id, each.method.upper(), each.path, each.pointer, each.path_item, each.operation
        )
        for name, each in zip(names, operations, strict=True)
    ]
    if root.get("webhooks"):
        problems.append(Problem("$.webhooks", "webhooks are calls that the service makes", is_error=False))
    return entries, problems


def _operations(root: JsonObject, problems: list[Problem]) -> Iterator[_Found]:
    for path, item in as_object(root.get("paths")).items():
        if path.startswith("x-") or item is None:
            continue
        where = f"$.paths.{path}"
        try:
            path_item = resolve(root, item)
        except UnresolvableReference as error:
            problems.append(Problem(where, str(error), is_error=False))
            continue
        if not path.startswith("/"):
            problems.append(Problem(where, "a path starts with /; it is used as if it did", is_error=False))
        for method in _METHODS:
            operation = path_item.get(method)
            if isinstance(operation, dict):
                yield _Found(method, path, path_item, as_object(operation))
            elif method in path_item and operation is not None:
                problems.append(Problem(f"{where}.{method}", "an operation is an object", is_error=False))
