"""What is wrong with a value, fault by fault, found as far as somebody asks.

The validator collects every fault, those of every alternative for every item included, before it tells of the first:
of a list under a megabyte that takes gigabytes. So it is asked for parts of a large value that are known not to fit.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeAlias, cast

import jsonschema_rs

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.tools.schema.compilation import Compiled
from openplaybook.tools.schema.effort import TOLD_AT_ONCE, checks, measure
from openplaybook.tools.schema.expansion import ValidationCost, cost_of

Path: TypeAlias = tuple[str | int, ...]

_GAVE_UP = (
    jsonschema_rs.ValidationErrorKind.BacktrackLimitExceeded,
    jsonschema_rs.ValidationErrorKind.RegexEngineFailure,
)
_MOST_OF_ALTERNATIVE = 20
_ALTERNATIVES = ("anyOf", "oneOf")
_PARTS = frozenset({"$ref", "$defs", "allOf", "properties", "items", "prefixItems", "additionalProperties"})
_DESCENDED = _PARTS.union(_ALTERNATIVES)
_NEEDS_OTHERS = frozenset({"unevaluatedProperties", "unevaluatedItems", "patternProperties"})
_JUDGES_PARTS = frozenset({"then", "else", "dependentSchemas", "propertyNames"})


@dataclass(frozen=True, slots=True)
class ValueFault:
    """One thing that is wrong with a value."""

    keyword: str
    """What it does not keep to, as the validator calls it: mostly a keyword."""
    details: JsonObject
    instance: JsonValue
    """The part that is wrong."""
    where: Path
    """Where that part is in the value."""
    place: Path
    """Where the keyword is in the schema; references are steps of it."""
    message: Callable[[], str]
    context: Sequence[Sequence["ValueFault"]] = field(default=())
    """What is wrong by each alternative."""
    gave_up: bool = False
    """Whether a pattern was given up, so that nobody knows."""

    @property
    def is_in_doubt(self) -> bool:
        """Whether a pattern was given up, here or in an alternative."""
        return self.gave_up or any(each.is_in_doubt for faults in self.context for each in faults)


def at_once(compiled: Compiled, value: JsonValue, where: Path = (), place: Path = ()) -> list[ValueFault]:
    """Every fault of a small value."""
    return [_fault(error, where, place) for error in compiled.iter_errors(value)]


def _fault(error: jsonschema_rs.ValidationError, where: Path, place: Path) -> ValueFault:
    kind = error.kind
    details = as_object(kind.as_dict())
    within = cast(list[list[jsonschema_rs.ValidationError]], as_list(details.get("context")))
    return ValueFault(
        keyword=kind.name,
        details=details,
        instance=error.instance,
        where=(*where, *error.instance_path),
        place=_placed(place, tuple(error.schema_path)),
        message=lambda: error.message,
        context=[[_fault(each, where, place) for each in errors] for errors in within],
        gave_up=isinstance(kind, _GAVE_UP) or isinstance(getattr(details.get("error"), "kind", None), _GAVE_UP),
    )


def _placed(place: Path, within: Path) -> Path:
    """The place of a keyword; those of definitions are told from the top."""
    return within if within[:1] == ("$defs",) else (*place, *within)


@dataclass(frozen=True, slots=True)
class _Node:
    """A schema, taken apart."""

    schema: JsonValue
    """Kept, so that its identity stays its own."""
    judge: Compiled
    cost: ValidationCost
    alternatives: Sequence[tuple[str, Sequence[JsonValue], Compiled]]
    """Keywords of alternatives, what they say, and what judges by them alone."""
    rest: tuple[JsonObject, Compiled] | None
    """What is left when parts and alternatives are taken away, and what judges by it."""


class FaultSearch:
    """Looks for the faults of large values, part by part, until a time."""

    def __init__(self, schema: JsonObject, compile_part: Callable[[JsonObject], Compiled], until: float) -> None:
        """`compile_part` compiles schemas that may refer to the definitions of `schema`; `until`: on the clock."""
        self._schema = schema
        self._compile = compile_part
        self._until = until
        self._definitions: JsonObject = as_object(schema.get("$defs"))
        self._nodes: dict[int, _Node] = {}
        """By the identity of the schema."""
        self._targets: dict[str, JsonValue] = {}

    def faults(self, value: JsonValue) -> Iterator[ValueFault]:
        """The faults of a value, each found when it is asked for; those that take too long to be found are left out."""
        try:
            yield from self._of({key: item for key, item in self._schema.items() if key != "$defs"}, value, (), ())
        except TimeoutError:
            return

    def _of(self, schema: JsonValue, value: JsonValue, where: Path, place: Path) -> Iterator[ValueFault]:
        if time.monotonic() > self._until:
            raise TimeoutError
        node = self._node(schema)
        if node.judge.is_valid(value):
            return
        if not isinstance(schema, dict) or not _NEEDS_OTHERS.isdisjoint(as_object(schema)) or _is_small(node, value):
            yield from _faults_of_part(node, value, where, place)
            return
        for child, part, step, name in self._parts(as_object(schema), value):
            yield from self._of(child, part, where if name is None else (*where, name), _stepped(place, step))
        for key, each, judge in node.alternatives:
            if not judge.is_valid(value):
                yield self._of_alternatives(key, each, value, where, place)
        if node.rest is not None and not node.rest[1].is_valid(value):
            rest, judge = node.rest
            # Where nothing judges parts, there are no more faults than the schema has words.
            if _JUDGES_PARTS.isdisjoint(rest):
                yield from at_once(judge, value, where, place)
            else:
                yield _unknown(value, where, place)

    def _of_alternatives(
        self, key: str, alternatives: Sequence[JsonValue], value: JsonValue, where: Path, place: Path
    ) -> ValueFault:
        context = [
            tuple(islice(self._of(each, value, where, (*place, key, index)), _MOST_OF_ALTERNATIVE))
            for index, each in enumerate(alternatives)
        ]
        return ValueFault(key, {}, value, where, (*place, key), lambda: "fits none of the allowed forms", context)

    def _node(self, schema: JsonValue) -> _Node:
        known = self._nodes.get(id(schema))
        if known is None:
            known = self._nodes[id(schema)] = self._taken_apart(schema)
        return known

    def _taken_apart(self, schema: JsonValue) -> _Node:
        members = as_object(schema)
        left = {key: item for key, item in members.items() if key not in _DESCENDED}
        if members.get("additionalProperties") is False:
            known: JsonObject = {name: {} for name in as_object(members.get("properties"))}
            left |= {"additionalProperties": False, "properties": known}
        whole = members if isinstance(schema, dict) else {"allOf": [schema]}
        return _Node(
            schema,
            self._compile({**whole, "$defs": self._definitions}),
            cost_of({**whole, "$defs": self._definitions}),
            [
                (key, as_list(members[key]), self._compile({key: members[key], "$defs": self._definitions}))
                for key in _ALTERNATIVES
                if key in members
            ],
            (left, self._compile({**left, "$defs": self._definitions})) if left else None,
        )

    def _parts(
        self, schema: JsonObject, value: JsonValue
    ) -> Iterator[tuple[JsonValue, JsonValue, Path, str | int | None]]:
        """Schemas within a schema with the parts they judge, the steps to them, and the part's name if it has one."""
        reference = schema.get("$ref")
        if isinstance(reference, str):
            yield self._target(reference), value, ("$ref", reference), None
        for index, each in enumerate(as_list(schema.get("allOf"))):
            yield each, value, ("allOf", index), None
        properties = as_object(schema.get("properties"))
        other = schema.get("additionalProperties")
        for name, member in as_object(value).items():
            if name in properties:
                yield properties[name], member, ("properties", name), name
            elif isinstance(other, dict):
                yield other, member, ("additionalProperties",), name
        first = as_list(schema.get("prefixItems"))
        for index, item in enumerate(as_list(value)):
            if index < len(first):
                yield first[index], item, ("prefixItems", index), index
            elif "items" in schema:
                yield schema["items"], item, ("items",), index

    def _target(self, reference: str) -> JsonValue:
        definition = self._definitions.get(reference.removeprefix("#/$defs/"))
        return self._targets.setdefault(
            reference, definition if definition is not None else {"$ref": reference, "title": ""}
        )


def _faults_of_part(node: _Node, value: JsonValue, where: Path, place: Path) -> Iterator[ValueFault]:
    """The faults of a part that is looked into no further."""
    if not isinstance(node.schema, dict) or _is_small(node, value):
        yield from at_once(node.judge, value, where, place)
    else:
        yield _unknown(value, where, place)


def _unknown(value: JsonValue, where: Path, place: Path) -> ValueFault:
    return ValueFault("schema", {}, value, where, place, lambda: "does not fit its schema")


def _stepped(place: Path, step: Path) -> Path:
    """The place behind a step; what is referred to is told by its own place, as the validator does."""
    if step[0] != "$ref":
        return (*place, *step)
    return tuple(str(step[1]).removeprefix("#/").split("/"))


def _is_small(node: _Node, value: JsonValue) -> bool:
    size = measure(value)
    return size is not None and checks(node.cost, size) <= TOLD_AT_ONCE
