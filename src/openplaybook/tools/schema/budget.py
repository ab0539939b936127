"""Schemas as a model sees them within a budget: what is too large is named, described and left open.

Only what is shown is cut. Arguments are judged by the whole schema.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps
from openplaybook.tools.schema.dialect import map_children

MAX_BYTES = 16_384
"""Of the schema of one function, as JSON. Of 22,000 operations of real descriptions, one in 25 needs more."""

NOT_SHOWN = "(not shown in full)"

_OPENING, _BESIDE = 10, 4
"""Bytes of `"$defs":{},` and of what is written beside each name in it."""

_PREFIX = "#/$defs/"
_MAX_TEXT = 120
_MAX_OPTIONS = 20
_LEVELS = (8, 5, 3, 2, 1, 0)


@dataclass(frozen=True, slots=True)
class _Measured:
    """A shared definition and what is known of it."""

    definition: JsonObject
    """Kept, so that its identity stays its own."""
    shown: JsonObject
    size: int
    stub: JsonObject
    stub_size: int
    references: tuple[str, ...]
    """Names of the definitions that what is shown refers to."""


class Budget:
    """Cuts schemas whose definitions are shared, and remembers what each of these takes."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._known: dict[int, _Measured] = {}
        self._sizes: dict[int, tuple[JsonObject, int]] = {}
        """By identity: a definition, so that it keeps its identity, and its size."""

    def fitted(self, schema: JsonObject) -> JsonObject:
        """`schema` within the budget: the definitions nearest to its top are shown, those further away are named.

        Itself where it fits. What is named stays a definition, so no reference is changed.
        """
        definitions: dict[str, JsonObject] = as_object(schema.get("$defs"))
        whole = {key: value for key, value in schema.items() if key != "$defs"} if definitions else schema
        left = self._max_bytes - _size(whole) - _OPENING
        for name, definition in definitions.items():
            left -= self._whole_size(definition) + len(name) + _BESIDE
            if left < 0:
                break
        return schema if left >= 0 else self._cut(whole, definitions)

    def _cut(self, whole: JsonObject, definitions: Mapping[str, JsonObject]) -> JsonObject:
        top = shortened(whole, self._max_bytes)
        within: dict[str, JsonObject] = {}
        waiting: deque[str] = deque()
        left = self._max_bytes - _size(top) - _OPENING

        def named(names: Iterable[str]) -> int:
            """Name definitions that are not yet; the answer is what that takes."""
            fresh = [name for name in names if name in definitions and name not in within]
            within.update((name, self._measured(definitions[name]).stub) for name in fresh)
            waiting.extend(fresh)
            return sum(self._measured(definitions[name]).stub_size + len(name) + _BESIDE for name in fresh)

        left -= named(dict.fromkeys(_names(top)))
        while waiting:
            name = waiting.popleft()
            measured = self._measured(definitions[name])
            needed = [each for each in measured.references if each in definitions and each not in within]
            more = sum(self._measured(definitions[each]).stub_size + len(each) + _BESIDE for each in needed)
            if measured.size - measured.stub_size + more <= left:
                left -= measured.size - measured.stub_size + named(needed)
                within[name] = measured.shown
        return {**top, "$defs": within} if within else top

    def _whole_size(self, definition: JsonObject) -> int:
        known = self._sizes.get(id(definition))
        if known is None:
            known = self._sizes[id(definition)] = (definition, _size(definition))
        return known[1]

    def _measured(self, definition: JsonObject) -> _Measured:
        known = self._known.get(id(definition))
        if known is None:
            short = shortened(definition, self._max_bytes // 2)
            named = stub(definition)
            references = tuple(dict.fromkeys(_names(short)))
            known = _Measured(definition, short, _size(short), named, _size(named), references)
            self._known[id(definition)] = known
        return known


def shortened(schema: JsonObject, max_bytes: int) -> JsonObject:
    """`schema` with its deepest levels left open until it takes no more than `max_bytes`; itself where it fits.

    A schema that takes more without anything within it stays as large as that.
    """
    if _size(schema) <= max_bytes:
        return schema
    result = schema
    for levels in _LEVELS:
        result = _down_to(schema, levels)
        if _size(result) <= max_bytes:
            break
    return result


def stub(schema: JsonObject) -> JsonObject:
    """What stands in place of a schema that is not shown: its type, and the beginning of its description."""
    text = str(schema.get("description") or schema.get("title") or "")
    text_and_note = f"{text[:_MAX_TEXT]}… {NOT_SHOWN}" if text else NOT_SHOWN
    kind: JsonObject = {"type": schema["type"]} if "type" in schema else {}
    return {**kind, "description": text_and_note}


def _down_to(schema: JsonObject, levels: int) -> JsonObject:
    """`schema` with so many levels of schemas within it, and with short texts and lists of options."""
    if levels < 0:
        has_children = any(isinstance(value, dict | list) for value in schema.values())
        return stub(schema) if has_children or _size(schema) > _MAX_TEXT else schema
    result = map_children(schema, lambda child: _down_to(child, levels - 1))
    text = result.get("description")
    if isinstance(text, str) and len(text) > _MAX_TEXT:
        result["description"] = f"{text[:_MAX_TEXT]}…"
    options = as_list(result.get("enum"))
    if len(options) > _MAX_OPTIONS:
        del result["enum"]
        listed = ", ".join(str(option) for option in options[:_MAX_OPTIONS])
        result["description"] = f"{result.get('description', '')} One of {listed[:_MAX_TEXT]}, … {NOT_SHOWN}".strip()
    return result


def _names(value: JsonValue) -> Iterator[str]:
    """Names of the definitions that a schema refers to directly."""
    waiting: list[JsonValue] = [value]
    while waiting:
        current = waiting.pop()
        members = as_object(current)
        reference = members.get("$ref")
        if isinstance(reference, str):
            yield reference.removeprefix(_PREFIX)
        waiting.extend((*members.values(), *as_list(current)))


def _size(value: JsonValue) -> int:
    return len(dumps(value))
