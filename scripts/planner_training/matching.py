"""Whether a value, or a call, is one that a case's answer allows, by the rules of the leaderboard."""

import re
from collections.abc import Sequence
from typing import cast

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.models.offline.slots.slot_schema import Path

_LEFT_OUT = re.compile(r"[ ,./\-_*^]")
_TYPES: dict[str, type] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "array": list,
    "object": dict,
}


def plain(value: JsonValue) -> JsonValue:
    """A text as it is compared; anything else unchanged."""
    return _LEFT_OUT.sub("", value).lower().replace("'", '"') if isinstance(value, str) else value


def is_allowed(value: JsonValue, kind: str, item_kind: str, allowed: Sequence[JsonValue]) -> bool:
    """Whether a value of a parameter of type `kind` is among those that are allowed."""
    wanted = _TYPES.get(kind, str)
    if wanted is float and type(value) is int:
        value = float(value)
    answer = next((type(cast("object", one)) for one in allowed if one != ""), None)
    if type(value) is not wanted:
        return type(value) is answer and value in allowed
    if answer is not None and answer is not wanted:
        return value in allowed
    if wanted is dict:
        return any(_is_same_object(as_object(value), as_object(one)) for one in allowed if one != "")
    if wanted is list:
        lists = [as_list(one) for one in allowed if isinstance(one, list)]
        if item_kind == "object":
            return any(_are_same_objects(as_list(value), one) for one in lists)
        return [plain(item) for item in as_list(value)] in [[plain(item) for item in one] for one in lists]
    if wanted is str:
        return plain(value) in [plain(one) for one in allowed if isinstance(one, str)]
    return value in allowed


def _are_same_objects(value: Sequence[JsonValue], allowed: Sequence[JsonValue]) -> bool:
    return len(value) == len(allowed) and all(
        isinstance(one, dict) and _is_same_object(as_object(one), as_object(other))
        for one, other in zip(value, allowed, strict=True)
    )


def _is_same_object(value: JsonObject, allowed: JsonObject) -> bool:
    for name, member in value.items():
        if name not in allowed or plain(member) not in [plain(one) for one in as_list(allowed[name])]:
            return False
    return all(name in value or "" in as_list(options) for name, options in allowed.items())


def allowed_at(answer: JsonObject, path: Path) -> list[JsonValue]:
    """What an answer allows at a path; [""], which is to be left out, where it has nothing."""
    values = as_list(answer.get(path[0], [""]))
    for name in path[1:]:
        members = [as_object(value) for value in values if isinstance(value, dict)]
        values = [value for member in members for value in as_list(member.get(name, [""]))] or [""]
    return values


def is_exact(arguments: JsonObject, answer: JsonObject, schema: JsonObject) -> bool:
    """Whether arguments are just what an answer allows."""
    properties, required = as_object(schema.get("properties")), as_list(schema.get("required"))
    for name, value in arguments.items():
        member = as_object(properties.get(name))
        kind, item_kind = str(member.get("type", "string")), str(as_object(member.get("items")).get("type", ""))
        if name not in answer or not is_allowed(value, kind, item_kind, as_list(answer[name])):
            return False
    return all(
        name in arguments or ("" in as_list(allowed) and name not in required) for name, allowed in answer.items()
    )
