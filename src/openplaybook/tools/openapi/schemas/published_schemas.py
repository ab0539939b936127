"""The schemas of all operations of a document as a report has them: each definition once, whoever uses it.

A definition has up to three forms: as it is sent (`NAME`), as it is sent beneath alternatives (`NAME.strict`: there
nothing is filled in), and as it is answered (`NAME.output`). Forms that are alike, with all that they need, are one.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from typing import TypeAlias

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.tools.openapi.description.json_references import UnresolvableReference
from openplaybook.tools.openapi.operation import Operation
from openplaybook.tools.openapi.schemas.document_schemas import DocumentSchemas
from openplaybook.tools.openapi.schemas.output_schemas import own_output_schema
from openplaybook.tools.schema.dialect import DATA, SchemaTooDeep

HOME = "#/definitions/"
"""Where the references of a report lead."""

_PREFIX = "#/$defs/"
_NAMED = frozenset({"properties", "patternProperties", "dependentSchemas", "$defs"})
"""Keywords whose members are schemas, called as the description likes."""
_ALTERNATIVES = frozenset({"oneOf", "anyOf"})


class DefinitionForm(Enum):
    """What becomes of a definition."""

    INPUT = ""
    STRICT = ".strict"
    OUTPUT = ".output"


_Key: TypeAlias = tuple[str, DefinitionForm]


class PublishedSchemas:
    """Gives the schemas of operations, and then the definitions that these have used."""

    def __init__(self, schemas: DocumentSchemas, operations: Iterable[Operation]) -> None:
        """`operations` are all whose schemas are asked for; their inputs have been looked into."""
        operations = list(operations)
        self._schemas = schemas
        visible = schemas.visible
        sent = schemas.inputs.closure(tuple(dict.fromkeys(name for each in operations for name in each.references())))
        self._sent = {name: schemas.inputs.known[name] for name in sent}
        """Names of what is sent, and what each of them uses; the next is the same for what is answered."""
        self._answered: dict[str, tuple[str, ...]] = {}
        self._answers = {each.entry.name: self._answer(each) for each in operations}
        self._strict = _reaching(
            self._sent, (name for name in sent if visible.definition(name, strict=True) != self._input(name))
        )
        both = self._sent.keys() & self._answered.keys()
        self._differing = _reaching(
            self._answered, (name for name in both if schemas.outputs.definition(name) != self._input(name))
        )
        self._names: dict[_Key, str] = {}
        self._taken: set[str] = set()
        self._waiting: list[_Key] = []

    def inputs(self, operation: Operation) -> JsonObject:
        """The arguments as the model sees them."""
        return self._published(operation.own_input_schema(), DefinitionForm.INPUT)

    def outputs(self, operation: Operation) -> JsonObject | None:
        """The answers by status; None where none is declared, or not in a way that can be read."""
        own = self._answers[operation.entry.name]
        return None if own is None else self._published(own, DefinitionForm.OUTPUT)

    def definitions(self) -> Iterator[tuple[str, JsonObject]]:
        """Name and schema of every definition that was used, directly or not."""
        while self._waiting:
            name, form = key = self._waiting.pop()
            yield self._names[key], self._published(self._form(name, form), form)

    def _answer(self, operation: Operation) -> JsonObject | None:
        outputs = self._schemas.outputs
        try:
            own, references = own_output_schema(self._schemas, operation.entry.operation)
            fresh = tuple(name for name in references if name not in self._answered)
            if fresh:
                self._answered.update({name: outputs.known[name] for name in outputs.closure(fresh, self._answered)})
        except (UnresolvableReference, SchemaTooDeep):
            # Answers are not judged, so a fault in their description keeps nobody from calling.
            return None
        return own

    def _input(self, name: str) -> JsonObject:
        return self._schemas.visible.definition(name)

    def _form(self, name: str, form: DefinitionForm) -> JsonObject:
        match form:
            case DefinitionForm.INPUT:
                return self._input(name)
            case DefinitionForm.STRICT:
                return self._schemas.visible.definition(name, strict=True)
            case DefinitionForm.OUTPUT:
                return self._schemas.outputs.definition(name)

    def _published(self, schema: JsonObject, form: DefinitionForm) -> JsonObject:
        """A schema whose references lead to the definitions of the report."""

        def refer(reference: str, is_beneath: bool) -> str:
            used = DefinitionForm.STRICT if form is DefinitionForm.INPUT and is_beneath else form
            return HOME + self._name(reference.removeprefix(_PREFIX), used)

        return _with_references(schema, refer, False)

    def _name(self, name: str, form: DefinitionForm) -> str:
        is_alone = form is DefinitionForm.OUTPUT and name not in self._sent
        own = {DefinitionForm.STRICT: self._strict, DefinitionForm.OUTPUT: self._differing}.get(form, ())
        key = name, form = (name, form if is_alone or name in own else DefinitionForm.INPUT)
        if key not in self._names:
            self._names[key] = self._free(name if is_alone else name + form.value)
            self._waiting.append(key)
        return self._names[key]

    def _free(self, wanted: str) -> str:
        """A name that no other definition has: a schema may be called `Pet.output` itself."""
        while wanted in self._taken:
            wanted += "_"
        self._taken.add(wanted)
        return wanted


def _reaching(references: Mapping[str, Iterable[str]], targets: Iterable[str]) -> set[str]:
    """The targets, and every name whose references lead to one of them."""
    users: dict[str, list[str]] = {}
    for name, used in references.items():
        for each in used:
            users.setdefault(each, []).append(name)
    reaching = set(targets)
    waiting = list(reaching)
    while waiting:
        fresh = [user for user in users.get(waiting.pop(), ()) if user not in reaching]
        reaching.update(fresh)
        waiting.extend(fresh)
    return reaching


def _with_references(schema: JsonObject, refer: Callable[[str, bool], str], is_beneath: bool) -> JsonObject:
    """A copy of a schema with other references; `is_beneath`: it stands beneath alternatives."""

    def changed(value: JsonValue, key: str) -> JsonValue:
        if isinstance(value, dict):
            return _with_references(as_object(value), refer, is_beneath or key in _ALTERNATIVES)
        return [changed(item, key) for item in as_list(value)] if isinstance(value, list) else value

    result: JsonObject = {}
    for key, value in schema.items():
        if key == "$ref" and isinstance(value, str):
            result[key] = refer(value, is_beneath)
        elif key in _NAMED:
            result[key] = {name: changed(child, key) for name, child in as_object(value).items()}
        else:
            result[key] = value if key in DATA else changed(value, key)
    return result
