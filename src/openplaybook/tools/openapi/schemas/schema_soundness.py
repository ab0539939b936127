"""Whether what operations take can be judged: each definition is compiled once, not for every operation anew."""

from collections.abc import Iterable

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.tools.openapi.operation import Operation
from openplaybook.tools.openapi.schemas.document_schemas import DocumentSchemas
from openplaybook.tools.schema.checked_formats import FORMATS
from openplaybook.tools.schema.compilation import compile_schema
from openplaybook.tools.schema.expansion import cost_of
from openplaybook.tools.schema.validator import Validator

_MULTIPLYING = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"})
"""Keywords by which several schemas judge one value: with these, an operation is compiled with all it needs."""
_HOLDERS = frozenset({dict, list})


class SchemaSoundness:
    """Checks the operations of one document."""

    def __init__(self, schemas: DocumentSchemas) -> None:
        self._schemas = schemas
        self._sound: set[str] = set()
        """Names of definitions that were compiled."""
        self._own: dict[int, JsonObject] = {}
        """Schemas of parameters and bodies that were compiled, by their identity."""

    def check(self, operation: Operation) -> None:
        """Raises `InvalidSchema`, and what converting a definition raises."""
        own = as_object(operation.own_full_schema()["properties"])
        fresh = {name: schema for name, schema in own.items() if id(schema) not in self._own}
        references = operation.references()
        # What a sound definition needs is sound too.
        if not self._sound.issuperset(references) or (references and any(map(_has_multiplying, fresh.values()))):
            _compile(operation.full_schema())
            self._sound.update(self._schemas.inputs.closure(references))
        elif fresh:
            # What is sound need not be looked into again; a definition that takes all stands in for it.
            standing_in: JsonObject = {name: {} for name in references}
            _compile({"properties": fresh, "$defs": standing_in})
        self._own.update((id(schema), schema) for schema in fresh.values())


def _compile(schema: JsonObject) -> None:
    """Raises `InvalidSchema`."""
    cost = cost_of(schema)
    if cost.circles:
        # A compiler may not come back from schemas that apply themselves in place.
        Validator(schema, formats=FORMATS).compile()
    else:
        # Here, however large: who inspects a description waits for it, and a process of its own is for values.
        compile_schema(schema, FORMATS, cost)


def _has_multiplying(schema: JsonValue) -> bool:
    """Whether a schema that refers to definitions may apply several of them to one value."""
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
