"""What stands in a schema and in all that it needs: sources of injection, defaults, references."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.tools.openapi.schemas.definitions import Definitions
from openplaybook.tools.schema.dialect import DATA, INJECTION

_PREFIX = "#/$defs/"
_HOLDERS = frozenset({dict, list})
_NAMED = frozenset({"properties", "patternProperties", "dependentSchemas", "$defs"})
"""Keywords whose members are schemas, called as the description likes."""


@dataclass(frozen=True, slots=True)
class Survey:
    """What was found in a schema."""

    sources: tuple[str, ...]
    """Where injected values come from."""
    has_default: bool
    references: tuple[str, ...]
    """Names of definitions."""


def survey(schema: JsonObject) -> Survey:
    """What stands in a converted schema itself; what it refers to is not looked into."""
    sources: dict[str, None] = {}
    references: dict[str, None] = {}
    has_default = False
    for members in schemas_in(schema):
        if isinstance(reference := members.get("$ref"), str):
            references[reference.removeprefix(_PREFIX)] = None
        if isinstance(source := members.get(INJECTION), str):
            sources[source] = None
        has_default = has_default or "default" in members
    return Survey(tuple(sources), has_default, tuple(references))


def schemas_in(schema: JsonObject) -> Iterator[JsonObject]:
    """A converted schema and all that stand in it, and none of the values that it has for a default and the like."""
    waiting: list[tuple[JsonValue, bool]] = [(schema, False)]
    for value, is_named in waiting:
        if isinstance(value, list):
            waiting.extend((item, False) for item in as_list(value) if type(item) in _HOLDERS)
            continue
        members = as_object(value)
        if not is_named:
            yield members
        waiting.extend(
            (item, not is_named and key in _NAMED)
            for key, item in members.items()
            if type(item) in _HOLDERS and (is_named or key not in DATA)
        )


class Surveys:
    """Surveys of the schemas of one document, each made once."""

    def __init__(self, definitions: Definitions) -> None:
        self._definitions = definitions
        self._by_identity: dict[int, tuple[JsonObject, Survey]] = {}
        """The schema, so that it stays alive and keeps its identity, and the survey of it and all that it needs."""
        self._itself: dict[int, tuple[JsonObject, Survey]] = {}
        """The same of a schema without what it needs."""
        self._own: dict[str, Survey] = {}
        """Of a definition itself, by name."""
        self._whole: dict[str, Survey] = {}
        """Of a definition and all that it needs, by name."""
        self._filled: dict[str, bool] = {}
        """Whether anything is filled into a definition or into what it needs, by name, as far as that is known."""
        self._looked_at = 0
        """Converted definitions that were looked at for sources."""
        self._has_sources = False
        """Whether one of them has any."""

    def of(self, schema: JsonObject) -> Survey:
        """What stands in a schema and in all that it needs; raises what converting a definition raises."""
        known = self._by_identity.get(id(schema))
        if known is None:
            own = survey(schema)
            whole = _joined([own, *map(self._of_definition, own.references)]) if own.references else own
            known = self._by_identity[id(schema)] = (schema, whole)
        return known[1]

    def is_filled(self, schema: JsonObject) -> bool:
        """Whether there is a source or a default at any depth; raises what converting a definition raises."""
        own = self._of_itself(schema)
        return own.has_default or bool(own.sources) or any(map(self._is_filled, own.references))

    def sources(self, schema: JsonObject) -> tuple[str, ...]:
        """The sources at any depth; raises what converting a definition raises."""
        own = self._of_itself(schema)
        self._definitions.complete(own.references)
        return self.of(schema).sources if own.references and self._has_any_source() else own.sources

    def _of_itself(self, schema: JsonObject) -> Survey:
        known = self._itself.get(id(schema))
        if known is None:
            known = self._itself[id(schema)] = (schema, survey(schema))
        return known[1]

    def _has_any_source(self) -> bool:
        """Whether any definition that was converted has a source: few descriptions have one anywhere."""
        known = self._definitions.known
        if self._looked_at < len(known) and not self._has_sources:
            fresh = list(islice(known, self._looked_at, None))
            self._looked_at = len(known)
            self._has_sources = any(self._own_of(name).sources for name in fresh)
        return self._has_sources

    def _is_filled(self, name: str) -> bool:
        """Found by a search that ends at the first one: what it has passed is then known too."""
        came_from: dict[str, str] = {name: ""}
        waiting = [name]
        for current in waiting:
            own = self._own_of(current)
            if self._filled.get(current) or own.has_default or own.sources:
                while current:
                    self._filled[current] = True
                    current = came_from[current]
                return True
            if self._filled.get(current) is None:
                fresh = [each for each in own.references if each not in came_from]
                came_from.update(dict.fromkeys(fresh, current))
                waiting.extend(fresh)
        self._filled.update(dict.fromkeys(came_from, False))
        return False

    def _of_definition(self, name: str) -> Survey:
        if name not in self._whole:
            self._whole[name] = _joined([self._own_of(needed) for needed in self._definitions.closure((name,))])
        return self._whole[name]

    def _own_of(self, name: str) -> Survey:
        if name not in self._own:
            self._own[name] = survey(self._definitions.definition(name))
        return self._own[name]


def _joined(surveys: list[Survey]) -> Survey:
    sources = dict.fromkeys(source for each in surveys for source in each.sources)
    references = dict.fromkeys(name for each in surveys for name in each.references)
    return Survey(tuple(sources), any(each.has_default for each in surveys), tuple(references))
