"""The schemas of one document as shared, lazily converted `$defs`."""

import re
from collections.abc import Collection, Iterable, Mapping
from hashlib import sha256

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from openplaybook.tools.openapi.description.json_references import UnresolvableReference, pointer, resolve, target
from openplaybook.tools.openapi.schemas.inheritance import Inheritance
from openplaybook.tools.schema.dialect import Direction, to_2020_12

_PREFIX = "#/$defs/"
_HOMES = (("", "components", "schemas"), ("", "definitions"))
"""Where a description keeps its schemas: there they have names of their own. In OpenAPI 3, and in 2.0."""

_ILLEGAL = re.compile(r"[^A-Za-z0-9._-]+")


_PART = "part"
"""Stands behind the pointer of a schema as it is where others are made of it."""


class Definitions:
    """Converts each referenced schema once; what refers to it shares the result, and recursion stays a reference."""

    def __init__(self, root: JsonObject, direction: Direction) -> None:
        self._root = root
        self._direction = direction
        self._pointers: dict[str, str] = {}
        """The reference each name stands for."""
        self._names: dict[tuple[str, ...], str] = {}
        self._converted: dict[str, JsonObject] = {}
        self._references: dict[str, tuple[str, ...]] = {}
        self._by_identity: dict[int, tuple[JsonValue, JsonObject, tuple[str, ...]]] = {}
        """What was converted, so that it stays alive and keeps its identity, and the result."""
        self._as_described: dict[str, JsonObject] = {}
        """By reference."""
        self._faults: dict[str, str] = {}
        """Why a name stands for nothing."""
        self._parts: set[str] = set()
        """Names of schemas as they are where others are made of them."""
        self._inheritance = Inheritance(root)
        self._used: dict[str, None] = {}
        """Names met in the conversion under way, in order."""
        self._complete: set[str] = set()
        """Names that were converted with all they need."""

    def convert(self, schema: JsonValue) -> tuple[JsonObject, tuple[str, ...]]:
        """A schema as 2020-12 with references of the form `#/$defs/NAME`, and the names it uses directly.

        A reference that leads nowhere becomes a definition that takes any value: see `faults`. Raises `SchemaTooDeep`.
        The same object, such as a parameter many operations share, is converted once.
        """
        known = self._by_identity.get(id(schema))
        if known is not None:
            return known[1:]
        outer, self._used = self._used, {}
        try:
            converted = to_2020_12(
                schema, self._on_reference, self._direction, on_part=self._on_part, described=self._described
            )
            used = tuple(self._used)
        finally:
            self._used = outer
        self._by_identity[id(schema)] = (schema, converted, used)
        return converted, used

    def definition(self, name: str) -> JsonObject:
        """The converted schema called `name`; raises what `convert` raises."""
        if name not in self._converted:
            whole = self._family(name)
            if whole is None:
                self._converted[name], self._references[name] = self.convert(self._target(name))
                self._converted[name] = self._as_part(name)
            else:
                self._converted[name] = whole
        return self._converted[name]

    @property
    def known(self) -> Mapping[str, tuple[str, ...]]:
        """Names of the schemas that were converted, each with the names it uses directly."""
        return self._references

    def faults(self, names: Iterable[str]) -> list[str]:
        """What is wrong with the references that these definitions stand for."""
        return [self._faults[name] for name in names if name in self._faults] if self._faults else []

    def faults_beneath(self, names: tuple[str, ...]) -> list[str]:
        """The same of these definitions and of all they need; raises what `convert` raises."""
        self.complete(names)
        return self.faults(self.closure(names)) if self._faults else []

    def complete(self, names: Iterable[str]) -> None:
        """Convert these and all they need, each once however often it is asked for; raises what `convert` raises."""
        fresh = tuple(name for name in names if name not in self._complete)
        if fresh:
            self._complete.update(self.closure(fresh, self._complete))

    def _target(self, name: str) -> JsonValue:
        try:
            return target(self._root, self._pointers[name])
        except UnresolvableReference as error:
            self._faults[name] = f"{error}; any value is taken in its place"
            return {}

    def closure(self, names: tuple[str, ...], known: Collection[str] = ()) -> list[str]:
        """`names` and all they need, directly or not, without what is `known`; raises what `convert` raises."""
        needed_names = dict.fromkeys(names)
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            self.definition(name)
            for needed in self._references[name]:
                if needed not in needed_names and needed not in known:
                    needed_names[needed] = None
                    waiting.append(needed)
        return list(needed_names)

    def look_through(self, schema: JsonObject) -> JsonObject:
        """`schema` with what its reference stands for beneath its own members; references in a circle give nothing."""
        if "$ref" not in schema:
            return schema
        result = schema
        for _ in range(16):
            reference = result.get("$ref")
            if not isinstance(reference, str):
                return result
            definition = self.definition(reference.removeprefix(_PREFIX))
            # A reference seldom has anything beside it, and definitions are large.
            beside = {key: value for key, value in result.items() if key != "$ref"} if len(result) > 1 else None
            result = {**definition, **beside} if beside else definition
        return {}

    def _on_reference(self, reference: str) -> JsonObject:
        return self._named(reference, pointer(reference))

    def _described(self, reference: str) -> JsonObject:
        """What the description has there; nothing where the reference leads nowhere."""
        if reference not in self._as_described:
            try:
                self._as_described[reference] = as_object(resolve(self._root, {"$ref": reference}))
            except UnresolvableReference:
                self._as_described[reference] = {}
        return self._as_described[reference]

    def _on_part(self, reference: str) -> JsonObject:
        """A reference to one of several parts of a whole: to the schema itself, open to what the others describe."""
        try:
            schema = as_object(target(self._root, reference))
        except UnresolvableReference:
            return self._on_reference(reference)
        if schema.get("additionalProperties") is not False and "discriminator" not in schema:
            return self._on_reference(reference)
        parts = (*pointer(reference), _PART)
        named = self._named(reference, parts)
        self._parts.add(self._names[parts])
        return named

    def _named(self, reference: str, parts: tuple[str, ...]) -> JsonObject:
        name = self._names.get(parts)
        if name is None:
            name = self._new_name(parts)
            self._names[parts] = name
            self._pointers[name] = reference
        self._used[name] = None
        return {"$ref": _PREFIX + name}

    def _as_part(self, name: str) -> JsonObject:
        """A converted definition, open where it is one that others add to."""
        converted = self._converted[name]
        if name not in self._parts or converted.get("additionalProperties") is not False:
            return converted
        return {key: value for key, value in converted.items() if key != "additionalProperties"}

    def _family(self, name: str) -> JsonObject | None:
        """All that is made of a schema with a discriminator, or it alone; None for one that stands for nothing else."""
        if self._direction is not Direction.INPUT or name in self._parts:
            return None
        reference = self._pointers[name]
        described = as_object(self._target(name))
        member, children = (
            self._inheritance.children(reference, described) if "discriminator" in described else ("", ())
        )
        if not children:
            return None
        outer, self._used = self._used, {}
        branches = [
            _where(self._on_reference(child.reference), member, {"enum": list(child.values)}) for child in children
        ]
        known = [value for child in children for value in child.values]
        branches.append(_where(self._on_part(reference), member, {"not": {"enum": known}}))
        self._references[name] = tuple(self._used)
        self._used = outer
        text = described.get("description")
        return {**({"description": text} if isinstance(text, str) else {}), "anyOf": branches}

    def _new_name(self, parts: tuple[str, ...]) -> str:
        last = _ILLEGAL.sub("_", parts[-1]) or "document"
        if last == parts[-1] and parts[:-1] in _HOMES and last not in self._pointers:
            return last
        return f"{last}_{sha256(chr(0).join(parts).encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def _where(schema: JsonObject, member: str, value: JsonObject) -> JsonObject:
    return {"allOf": [schema, {"properties": {member: value}, "required": [member]}]}
