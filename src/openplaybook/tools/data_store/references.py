"""`$session.params.NAME` and `$request.end-user-metadata.KEY` in the filters that a tool is configured with."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonValue, as_list, as_object, dumps, is_number
from openplaybook.retrieval.filters.tokens import MAX_CHARACTERS

_REFERENCE = re.compile(r"\$(session\.params|request\.end-user-metadata)\.([\w-]+(?:\.[\w-]+)*)")
_LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_LONGEST = 1_000
_MOST_ITEMS = 100
"""Characters of a value, and items of a list, that a filter takes."""


class UnresolvedReference(ValueError):
    """A filter refers to what has no value, or none that can stand in a filter; the message says which."""


@dataclass(frozen=True, slots=True)
class ReferencedValues:
    """What filters may refer to."""

    parameters: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue], repr=False)
    metadata: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue], repr=False)

    def resolve(self, text: str) -> str:
        """The filter with values in the place of references, quoted so that no value can end its literal.

        Within a literal a value is part of that; elsewhere a number stands as it is, a list as its literals, anything
        else as a literal. Raises `UnresolvedReference`.
        """
        if len(text) > MAX_CHARACTERS:
            raise UnresolvedReference(f"it has {len(text):,} characters; a filter takes {MAX_CHARACTERS:,}")
        parts: list[str] = []
        at = 0
        for literal in _LITERAL.finditer(text):
            parts.append(_REFERENCE.sub(lambda found: _bare(self._value(found)), text[at : literal.start()]))
            parts.append(_REFERENCE.sub(lambda found: _escaped(self._value(found), found[0]), literal[0]))
            at = literal.end()
        return "".join((*parts, _REFERENCE.sub(lambda found: _bare(self._value(found)), text[at:])))

    def _value(self, found: re.Match[str]) -> JsonValue:
        held = self.parameters if found[1] == "session.params" else self.metadata
        keys = found[2].split(".")
        # A name may itself have points in it.
        value = held[found[2]] if found[2] in held else _below(held, keys)
        if value is None:
            raise UnresolvedReference(f"{found[0]} has no value")
        return value


def _below(held: Mapping[str, JsonValue], keys: Sequence[str]) -> JsonValue:
    value: JsonValue = dict(held)
    for key in keys:
        value = as_object(value).get(key)
    return value


def _bare(value: JsonValue) -> str:
    if is_number(value):
        return repr(value)
    if isinstance(value, list):
        items = as_list(value)
        if not items or len(items) > _MOST_ITEMS:
            raise UnresolvedReference(f"a list in a filter must have 1 to {_MOST_ITEMS} items, not {len(items)}")
        joined = ", ".join(_quoted(item) for item in items)
        if len(joined) > MAX_CHARACTERS:
            raise UnresolvedReference(f"a list has {len(joined):,} characters; a filter takes {MAX_CHARACTERS:,}")
        return joined
    return _quoted(value)


def _quoted(value: JsonValue) -> str:
    return f'"{_escaped(value, "an item")}"'


def _escaped(value: JsonValue, what: str) -> str:
    if isinstance(value, dict | list) or value is None:
        raise UnresolvedReference(f"{what} is no single value")
    text = value if isinstance(value, str) else dumps(value).decode()
    if len(text) > _LONGEST:
        raise UnresolvedReference(f"{what} has {len(text):,} characters; a filter takes {_LONGEST:,}")
    return text.replace("\\", "\\\\").replace('"', '\\"')
