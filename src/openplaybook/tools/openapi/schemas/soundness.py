"""Whether what operations take can be judged: each definition is compiled once, not for every operation anew."""

from collections.abc import Iterable

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.tools.openapi.operation import Operation
from openplaybook.tools.openapi.schemas.shared import DocumentSchemas
from openplaybook.tools.schema.formats import FORMATS
from openplaybook.tools.schema.validation import Validator

_MULTIPLYING = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"})
"""Keywords by which several schemas judge one value: with these, an operation is compiled with all it needs."""
_HOLDERS = frozenset({dict, list})


class Soundness:
    """Checks the operations of one document."""

    def __init__(self, schemas: DocumentSchemas) -> None:
        self._schemas = schemas
        self._sound: set[str] = set()
        """Names of definitions that were compiled."""

    def check(self, operation: Operation) -> None:
        """Raises `InvalidSchema`, and what converting a definition raises."""
        references = operation.references()
        names = self._schemas.inputs.closure(references)
        if not references or (self._sound.issuperset(names) and not _multiplies(operation)):
            # What is sound need not be looked into again; a definition that takes all stands in for it.
            own = operation.own_full_schema()
            schema = {**own, "$defs": {name: {} for name in references}} if references else own
            Validator(schema, formats=FORMATS).compile()
            return
        Validator(operation.full_schema(), formats=FORMATS).compile()
        self._sound.update(names)


def _multiplies(operation: Operation) -> bool:
    """Whether the schemas of an operation itself apply several definitions to one value."""
    return any(_has_multiplying(schema) for schema in as_object(operation.own_full_schema()["properties"]).values())


def _has_multiplying(schema: JsonValue) -> bool:
    waiting: list[JsonValue] = [schema]
    for value in waiting:
        members: JsonObject = as_object(value)
        if not _MULTIPLYING.isdisjoint(members):
            return True
        waiting.extend(_holders(members.values()))
        waiting.extend(_holders(as_list(value)))
    return False


def _holders(values: Iterable[JsonValue]) -> list[JsonValue]:
    return [value for value in values if type(value) in _HOLDERS]
