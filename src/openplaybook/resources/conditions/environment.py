"""What the references of an expression lead to."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object


def _utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Environment:
    """Values by name, and what functions need of the world."""

    values: JsonObject = field(default_factory=dict[str, JsonValue])
    """By the first name of references: `{"session": {"params": {…}}, "playbook": {"input": {…}}, …}`."""
    now: Callable[[], datetime] = _utc_now
    random: Callable[[], float] = random.random

    def find(self, path: tuple[str | int, ...]) -> JsonValue:
        """What a path leads to; None where it leads nowhere. Names differ in more than their case."""
        return _find(self.values, path)


def _find(value: JsonValue, path: tuple[str | int, ...]) -> JsonValue:
    if not path:
        return value
    step = path[0]
    if isinstance(step, int):
        items = as_list(value)
        return _find(items[step], path[1:]) if step < len(items) else None
    members = as_object(value)
    name, used = step, 1
    while True:
        key = name if name in members else _folded(members, name)
        if key is not None:
            return _find(members[key], path[used:])
        # The name of a parameter may have dots in it.
        if used == len(path) or isinstance(path[used], int):
            return None
        name, used = f"{name}.{path[used]}", used + 1


def _folded(members: JsonObject, name: str) -> str | None:
    folded = name.casefold()
    return next((key for key in members if key.casefold() == folded), None)
