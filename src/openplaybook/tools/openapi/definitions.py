"""The schemas of one document as shared, lazily converted `$defs`."""

import re
from hashlib import sha256

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools.openapi.references import pointer, target
from openplaybook.tools.schema.dialect import Direction, to_2020_12

_PREFIX = "#/$defs/"
_ILLEGAL = re.compile(r"[^A-Za-z0-9._-]+")


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
        self._used: dict[str, None] = {}
        """Names met in the conversion under way, in order."""

    def convert(self, schema: JsonValue) -> tuple[JsonObject, tuple[str, ...]]:
        """A schema as 2020-12 with references of the form `#/$defs/NAME`, and the names it uses directly.

        Raises `UnresolvableReference` and `SchemaTooDeep`. The same object, such as a parameter many operations
        share, is converted once.
        """
        known = self._by_identity.get(id(schema))
        if known is not None:
            return known[1:]
        outer, self._used = self._used, {}
        try:
            converted = to_2020_12(schema, self._on_reference, self._direction)
            used = tuple(self._used)
        finally:
            self._used = outer
        self._by_identity[id(schema)] = (schema, converted, used)
        return converted, used

    def definition(self, name: str) -> JsonObject:
        """The converted schema called `name`; raises what `convert` raises."""
        if name not in self._converted:
            self._converted[name], self._references[name] = self.convert(target(self._root, self._pointers[name]))
        return self._converted[name]

    def closure(self, names: tuple[str, ...]) -> list[str]:
        """`names` and all they need, directly or not; raises what `convert` raises."""
        found = dict.fromkeys(names)
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            self.definition(name)
            for needed in self._references[name]:
                if needed not in found:
                    found[needed] = None
                    waiting.append(needed)
        return list(found)

    def look_through(self, schema: JsonObject) -> JsonObject:
        """`schema` with what its reference stands for beneath its own members; references in a circle give nothing."""
        result = schema
        for _ in range(16):
            reference = result.get("$ref")
            if not isinstance(reference, str):
                return result
            beside = {key: value for key, value in result.items() if key != "$ref"}
            result = {**self.definition(reference.removeprefix(_PREFIX)), **beside}
        return {}

    def _on_reference(self, reference: str) -> JsonObject:
        parts = pointer(reference)
        name = self._names.get(parts)
        if name is None:
            target(self._root, reference)
            name = self._new_name(parts)
            self._names[parts] = name
            self._pointers[name] = reference
        self._used[name] = None
        return {"$ref": _PREFIX + name}

    def _new_name(self, parts: tuple[str, ...]) -> str:
        last = _ILLEGAL.sub("_", parts[-1]) if parts else "document"
        if last and last not in self._pointers and parts[:-1] == ("components", "schemas") and last == parts[-1]:
            return last
        return f"{last}_{sha256(chr(0).join(parts).encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
