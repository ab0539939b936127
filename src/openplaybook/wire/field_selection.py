"""Partial responses: the parameter `fields`, as Google's APIs take it.

`name,tools(displayName,open_api_spec/text_schema)`: names in camelCase or snake_case, `/` or `.` before a field within
another, brackets for several, `*` for all of a level.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.wire.codec import JsonError

_LONGEST = 8_000
"""Characters of a selection."""
_DEEPEST = 50
_TOKEN = re.compile(r"[^\s,()/.]+|[,()/.]")
_ALL = "*"
_OPEN = ("google.protobuf.Any", "google.protobuf.Struct", "google.protobuf.Value", "google.protobuf.ListValue")
"""Messages whose keys are data."""

_Tree: TypeAlias = "dict[str, _Tree]"
"""Selected names and what is selected within them; nothing there: all of it."""


@dataclass(frozen=True, slots=True)
class FieldSelection:
    """The fields of an answer that its client wants."""

    _tree: _Tree
    """By the names that JSON has for them."""

    @classmethod
    def read(cls, text: str, answer: Descriptor) -> "FieldSelection":
        """A selection of fields of `answer`; `JsonError` for one that is malformed or names what is not there."""
        if len(text) > _LONGEST:
            raise JsonError(f"fields: the selection is longer than {_LONGEST} characters")
        return cls(_named(_Reader(text).whole(), answer, ""))

    def of(self, value: JsonObject) -> JsonObject:
        """What of an answer is wanted."""
        return _selected(self._tree, value)


def _selected(tree: _Tree, value: JsonValue) -> JsonValue:
    if not tree:
        return value
    if isinstance(value, list):
        return [_selected(tree, each) for each in as_list(value)]
    if not isinstance(value, dict):
        return value
    every = tree.get(_ALL)
    kept: JsonObject = {}
    for name, each in as_object(value).items():
        within = tree.get(name, every)
        if within is not None:
            kept[name] = _selected(within, each)
    return kept


def _named(tree: _Tree, message: Descriptor | None, path: str) -> _Tree:
    """The same selection with the names of JSON; each is a field of the message, unless its keys are data."""
    if message is None or message.full_name in _OPEN:
        return tree
    named: _Tree = {}
    for name, within in tree.items():
        if name == _ALL:
            named[name] = within
            continue
        field = message.fields_by_camelcase_name.get(name) or message.fields_by_name.get(name)
        if field is None:
            where = f"{path} has" if path else "the answer has"
            known = ", ".join(sorted(each.json_name for each in message.fields)) or "(none)"
            raise JsonError(f"fields: {where} no field {name[:100]!r}; there are {known}")
        named[field.json_name] = _within(within, field, f"{path}.{name}" if path else name)
    return named


def _within(tree: _Tree, field: FieldDescriptor, path: str) -> _Tree:
    inner = field.message_type
    if not tree or inner is None:
        if tree:
            raise JsonError(f"fields: {path} has no fields to choose from")
        return tree
    if inner.GetOptions().map_entry:
        # Keys are data; what they lead to has fields again.
        value = inner.fields_by_name["value"]
        return {key: _within(each, value, f"{path}.{key}") for key, each in tree.items()}
    return _named(tree, inner, path)


class _Reader:
    """Reads a selection, token by token."""

    def __init__(self, text: str) -> None:
        self._tokens = _TOKEN.findall(text)
        self._at = 0

    def whole(self) -> _Tree:
        tree = self._list(0)
        if self._at < len(self._tokens):
            raise self._unexpected()
        return tree

    def _list(self, depth: int) -> _Tree:
        if depth > _DEEPEST:
            raise JsonError(f"fields: the selection is nested more than {_DEEPEST} levels deep")
        tree: _Tree = {}
        while True:
            self._item(tree, depth)
            if not self._is_next(","):
                return tree

    def _item(self, tree: _Tree, depth: int) -> None:
        steps = [self._name()]
        while self._is_next("/") or self._is_next("."):
            steps.append(self._name())
            if depth + len(steps) > _DEEPEST:
                raise JsonError(f"fields: the selection is nested more than {_DEEPEST} levels deep")
        within: _Tree = {}
        if self._is_next("("):
            within = self._list(depth + len(steps))
            if not self._is_next(")"):
                raise self._unexpected()
        for step in reversed(steps[1:]):
            within = {step: within}
        _join(tree, steps[0], within)

    def _name(self) -> str:
        if self._at == len(self._tokens) or self._tokens[self._at] in ",()/.":
            raise self._unexpected()
        self._at += 1
        return self._tokens[self._at - 1]

    def _is_next(self, mark: str) -> bool:
        found = self._at < len(self._tokens) and self._tokens[self._at] == mark
        self._at += found
        return found

    def _unexpected(self) -> JsonError:
        found = repr(self._tokens[self._at][:100]) if self._at < len(self._tokens) else "the end"
        return JsonError(f"fields: {found} was not expected as item {self._at + 1}; write a,b/c,d(e,f)")


def _join(tree: _Tree, name: str, within: Mapping[str, _Tree]) -> None:
    """Add one selection to others: what is wanted whole stays whole."""
    if name not in tree:
        tree[name] = dict(within)
    elif not tree[name] or not within:
        tree[name] = {}
    else:
        for each, inner in within.items():
            _join(tree[name], each, inner)
