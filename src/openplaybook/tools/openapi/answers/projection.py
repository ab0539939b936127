"""Of an answer, only the fields that were asked for."""

from collections.abc import Sequence
from typing import cast

from openplaybook.jsonvalues import JsonValue

ANY_MEMBER = "*"

_MAX_STEPS = 20
_MAX_NESTING = 100
"""Arrays and objects within each other that are looked through; what is deeper is left out."""


def check_path(path: str) -> str:
    """What is wrong with a path such as `items.owner.id` or `*.name`; empty when it can be used."""
    steps = path.split(".")
    if path.startswith("$"):
        return "starts at the answer's body: write items.name, not $.items.name"
    if "[" in path or "]" in path:
        return "arrays are looked through: write items.name, not items[].name"
    if any(not step or step != step.strip() for step in steps):
        return "must be names of members joined by dots, such as items.name; * means every member"
    if len(steps) > _MAX_STEPS:
        return f"has {len(steps)} steps; allowed are {_MAX_STEPS}"
    return ""


def project(value: JsonValue, paths: tuple[str, ...]) -> JsonValue:
    """What `paths` lead to in `value`, each member where it stood; arrays are looked through.

    A value that is no object or array has no fields and stays as it is.
    """
    if not _has_members(value):
        return value
    projection = _Projection([tuple(path.split(".")) for path in paths])
    return projection.kept(value, tuple(range(len(paths))), 0, _MAX_NESTING)


def _has_members(value: JsonValue) -> bool:
    return isinstance(value, dict | list)


class _Projection:
    """Follows several paths at once. A set of paths is the tuple of their positions."""

    def __init__(self, paths: Sequence[tuple[str, ...]]) -> None:
        self._paths = paths
        self._known: dict[tuple[tuple[int, ...], int, str], tuple[int, ...]] = {}

    def kept(self, value: JsonValue, followed: tuple[int, ...], step: int, levels: int) -> JsonValue:
        """What is left of a value to which the followed paths have led with their first `step` names."""
        if self._ends(followed, step):
            return value
        if isinstance(value, list):
            if not levels:
                return []
            items = cast(list[JsonValue], value)
            return [self.kept(item, followed, step, levels - 1) for item in items if _has_members(item)]
        selected: dict[str, JsonValue] = {}
        for name, member in cast(dict[str, JsonValue], value).items():
            inner = self._through(followed, step, name)
            # A path that goes on where there are no members leads to nothing.
            if inner and ((levels and _has_members(member)) or self._ends(inner, step + 1)):
                selected[name] = self.kept(member, inner, step + 1, levels - 1)
        return selected

    def _ends(self, followed: tuple[int, ...], step: int) -> bool:
        return any(len(self._paths[path]) == step for path in followed)

    def _through(self, followed: tuple[int, ...], step: int, name: str) -> tuple[int, ...]:
        """Those of the followed paths that go on through a member."""
        key = (followed, step, name)
        if key not in self._known:
            self._known[key] = tuple(path for path in followed if self._paths[path][step] in (name, ANY_MEMBER))
        return self._known[key]
