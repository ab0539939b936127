"""Input schemas as the model sees them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.tools.openapi.schemas.definitions import Definitions
from openplaybook.tools.openapi.schemas.filler import Filler
from openplaybook.tools.openapi.schemas.surveys import schemas_in
from openplaybook.tools.schema.dialect import INJECTION, SESSION_ID, is_context_path, map_children

_ALTERNATIVES = frozenset({"oneOf", "anyOf"})


@dataclass(frozen=True, slots=True)
class SeenSchema:
    """What the model sees of a schema that operations share."""

    schema: JsonObject
    """The schema itself, so that it keeps its identity."""
    shown: JsonObject | None
    """Its visible form; None where it is hidden."""
    has_own_value: bool
    """Whether a value may come from elsewhere than the model."""


class VisibleSchemas:
    """Hides what the model does not set, and makes optional what has a value without it.

    Beneath alternatives (`oneOf`, `anyOf`) nothing is filled in, since which of them holds is not known before: there,
    in the strict form, the model gives all that is required.
    """

    def __init__(
        self, definitions: Definitions, filler: Filler, hidden: frozenset[str] = frozenset({SESSION_ID})
    ) -> None:
        """`hidden`: the sources whose values the model neither sees nor sets."""
        self._definitions = definitions
        self._filler = filler
        self._hidden = hidden
        self._known: dict[tuple[str, bool], JsonObject] = {}
        self._seen: dict[int, SeenSchema] = {}
        self._beneath: dict[int, tuple[JsonObject, tuple[str, ...]]] = {}
        """Both by identity: a schema, so that it keeps its identity, and what was made of it."""

    def definition(self, name: str, *, strict: bool = False) -> JsonObject:
        """The visible form of a definition; made once."""
        if (name, strict) not in self._known:
            self._known[name, strict] = self.visible(self._definitions.definition(name), strict=strict)
        return self._known[name, strict]

    def beneath_alternatives(self, names: Sequence[str], schemas: Iterable[JsonObject]) -> frozenset[str]:
        """Those of the definitions `names` that stand beneath alternatives of `schemas` or of each other."""
        if not names:
            return frozenset()
        beneath: dict[str, None] = {}
        for schema in (*schemas, *map(self._definitions.definition, names)):
            known = self._beneath.get(id(schema))
            if known is None:
                known = self._beneath[id(schema)] = (schema, tuple(_beneath_alternatives(schema)))
            beneath.update(dict.fromkeys(known[1]))
        return frozenset(self._definitions.closure(tuple(beneath))) if beneath else frozenset()

    def seen(self, schema: JsonObject) -> SeenSchema:
        """What the model sees of a schema that operations share, found out once."""
        known = self._seen.get(id(schema))
        if known is None:
            visible = None if self.is_hidden(schema) else self.visible(schema)
            known = self._seen[id(schema)] = SeenSchema(schema, visible, self.has_own_value(schema))
        return known

    def visible(self, schema: JsonObject, *, strict: bool = False) -> JsonObject:
        """A schema without hidden properties, without sources, and with nothing required that has a value anyway."""
        result = map_children(schema, lambda child: self.visible(child, strict=strict))
        result.pop(INJECTION, None)
        result.pop("xml", None)
        if not strict:
            for key in _ALTERNATIVES & schema.keys():
                result[key] = [self.visible(as_object(child), strict=True) for child in as_list(schema[key])]
        properties = as_object(schema.get("properties"))
        if not properties:
            return result
        hidden = {name for name, child in properties.items() if self.is_hidden(as_object(child))}
        if hidden:
            result["properties"] = {name: child for name, child in result["properties"].items() if name not in hidden}
        if "required" in schema:
            result["required"] = [
                name
                for name in as_list(schema["required"])
                if not (name in hidden if strict else self.has_own_value(as_object(properties.get(name))))
            ]
        return result

    def is_hidden(self, schema: JsonObject) -> bool:
        """Whether a value comes from a source that has one for certain, such as the session's id, or that is never the
        model's to know."""
        source = self._definitions.look_through(schema).get(INJECTION)
        return source is not None and (source in self._hidden or is_context_path(source))

    def has_own_value(self, schema: JsonObject) -> bool:
        """Whether a value may come from elsewhere than the model, so that it is never required of it."""
        resolved = self._definitions.look_through(schema)
        return INJECTION in resolved or self._filler.has_usable_default(schema, resolved)


def _beneath_alternatives(schema: JsonObject) -> list[str]:
    """Names of the definitions that a schema refers to beneath alternatives."""
    alternatives = (
        as_object(child)
        for members in schemas_in(schema)
        for key in _ALTERNATIVES & members.keys()
        for child in as_list(members[key])
    )
    referring = (inner.get("$ref") for child in alternatives for inner in schemas_in(child))
    return [reference.removeprefix("#/$defs/") for reference in referring if isinstance(reference, str)]
