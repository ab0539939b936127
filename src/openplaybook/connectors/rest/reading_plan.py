"""How the fields of many objects of a system are read: found out once, and not for each value."""

import ast
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias, cast

from openplaybook.connectors.rest.manifest.model import RestField
from openplaybook.connectors.rest.reply_paths import is_member
from openplaybook.connectors.rest.values import is_plain, value_reader
from openplaybook.jsonvalues import JsonObject, JsonValue

Getter: TypeAlias = Callable[[str], JsonValue]
"""Gives a member of an object, None where it has none of the name."""


@dataclass(frozen=True, slots=True)
class ReadingPlan:
    """For some fields of one entity type."""

    pick: Callable[[Getter], JsonObject]
    """Makes a value for each field of the member with its path; those of `others` get only their place."""
    readers: Sequence[tuple[str, Callable[[JsonValue], JsonValue]]]
    """Name of each field that is a member, and what reads values of it other than None."""
    coded: Sequence[tuple[str, Callable[[JsonValue], JsonValue]]]
    """Those of them that have to be read also where no number is large."""
    others: Sequence[RestField]
    """Fields that lie deeper, or elsewhere."""
    key: str
    """Field whose value is the key; empty where none is."""


def reading_plan(
    fields: Sequence[RestField], keys: Sequence[RestField], scoped: Collection[str], *, is_flattened: bool
) -> ReadingPlan:
    """`scoped` are the names of what the address says; `is_flattened` where most fields are members of a member."""
    members: list[RestField] = []
    others: list[RestField] = []
    for each in fields:
        is_elsewhere = (each.is_scope and each.name in scoped) or (is_flattened and each.is_outside)
        (members if is_member(each.path) and not is_elsewhere else others).append(each)
    has_key = len(keys) == 1 and any(each.name == keys[0].name for each in fields)
    return ReadingPlan(
        _picker(tuple((each.name, each.path) for each in fields)),
        [(each.name, value_reader(each)) for each in members],
        [(each.name, value_reader(each)) for each in members if not is_plain(each)],
        others,
        keys[0].name if has_key else "",
    )


@lru_cache(maxsize=500)
def _picker(pairs: tuple[tuple[str, str], ...]) -> Callable[[Getter], JsonObject]:
    """`lambda get: {"NAME": get("PATH"), …}`, which takes less than half the time of a loop over the pairs. It is made
    as a syntax tree in which what systems chose are constants: no text of theirs is read as code."""
    get = ast.arg("get")
    values: list[ast.expr] = [
        ast.Call(ast.Name("get", ast.Load()), [ast.Constant(path)], keywords=[]) for _, path in pairs
    ]
    made = ast.Dict([ast.Constant(name) for name, _ in pairs], values)
    function = ast.Lambda(ast.arguments(posonlyargs=[], args=[get], kwonlyargs=[], kw_defaults=[], defaults=[]), made)
    tree = ast.fix_missing_locations(ast.Expression(function))
    return cast("Callable[[Getter], JsonObject]", eval(compile(tree, "<fields>", "eval"), {"__builtins__": {}}))
