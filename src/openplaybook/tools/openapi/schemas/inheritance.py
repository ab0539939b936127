"""Schemas that stand for all that are made of them: a discriminator with `allOf` (OAS 3.1.1 §4.8.24.3.2, 2.0 too)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.tools.openapi.description.json_references import pointer

_MAX_CHILDREN = 10
"""Of one schema. What has more is taken as it is itself: a class of half an API, whose operations would all need it."""


@dataclass(frozen=True, slots=True)
class Child:
    """A schema that another is a part of, directly or not."""

    reference: str
    values: tuple[str, ...]
    """What the discriminator says for it."""


class Inheritance:
    """Which schemas of a description are made of which."""

    def __init__(self, root: JsonObject) -> None:
        self._root = root

    def children(self, reference: str, schema: JsonValue) -> tuple[str, Sequence[Child]]:
        """The discriminating property of `schema`, at `reference`, and what is made of it; nothing where none is.

        Alternatives that a schema lists itself are its own, and are not looked for; nor is what is too much.
        """
        members = as_object(schema)
        discriminator = members.get("discriminator")
        # In 2.0 it is the name of the property, and its values are the names of the schemas.
        name = as_object(discriminator).get("propertyName") if isinstance(discriminator, dict) else discriminator
        if not isinstance(name, str) or not name or "oneOf" in members or "anyOf" in members:
            return "", ()
        mapping = as_object(as_object(discriminator).get("mapping"))
        descendants = self._descendants(reference)
        if len(descendants) > _MAX_CHILDREN:
            return "", ()
        return name, [Child(each, _values(each, mapping)) for each in descendants]

    def _descendants(self, reference: str) -> list[str]:
        """What is made of a schema, directly or not; a few more than may be, where they are too many."""
        descendants: dict[str, None] = {}
        waiting = [reference]
        while waiting and len(descendants) <= _MAX_CHILDREN:
            users = self._made_of.get(pointer(waiting.pop()), ())
            fresh = [each for each in users if each not in descendants]
            descendants.update(dict.fromkeys(fresh))
            waiting.extend(fresh)
        return list(descendants)

    @cached_property
    def _made_of(self) -> dict[tuple[str, ...], list[str]]:
        """References of the schemas that have another as a part, by the pointer of that other."""
        users: dict[tuple[str, ...], list[str]] = {}
        homes = {
            "#/components/schemas/": as_object(as_object(self._root.get("components")).get("schemas")),
            "#/definitions/": as_object(self._root.get("definitions")),
        }
        for home, schemas in homes.items():
            for name, schema in schemas.items():
                for part in as_list(as_object(schema).get("allOf")):
                    reference = as_object(part).get("$ref")
                    if isinstance(reference, str) and "/" not in name:
                        users.setdefault(pointer(reference), []).append(home + name)
        return users


def _values(reference: str, mapping: JsonObject) -> tuple[str, ...]:
    name = reference.rpartition("/")[2]
    return tuple(value for value, target in mapping.items() if target in (reference, name)) or (name,)
