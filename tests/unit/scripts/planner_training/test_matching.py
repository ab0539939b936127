"""What counts as right, by the rules of the leaderboard."""

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from scripts.planner_training.matching import allowed_at, is_allowed, is_exact

SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        "city": {"type": "string"},
        "days": {"type": "integer"},
        "units": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["city"],
}


@pytest.mark.parametrize(
    ("value", "kind", "allowed", "right"),
    [
        ("New York, NY", "string", ["new york ny"], True),
        ("it's", "string", ['it"s'], True),
        (3, "number", [3.0], True),
        (3.0, "integer", [3], False),
        (True, "integer", [1], False),
        (["a", "B"], "array", [["A", "b"]], True),
        (["a"], "array", [["a", "b"]], False),
        ({"x": 1}, "object", [{"x": [1, 2]}], True),
        ({"x": 1, "y": 2}, "object", [{"x": [1]}], False),
        ("variable", "integer", ["variable"], True),
    ],
)
def test_values(value: JsonValue, kind: str, allowed: list[JsonValue], right: bool) -> None:
    assert is_allowed(value, kind, "", allowed) is right


@pytest.mark.parametrize(
    ("arguments", "right"),
    [
        ({"city": "Oslo"}, True),
        ({"city": "Oslo", "days": 3}, True),
        ({"city": "Oslo", "days": 4}, False),
        ({"days": 3}, False),
        ({"city": "Oslo", "more": 1}, False),
    ],
)
def test_calls(arguments: JsonObject, right: bool) -> None:
    assert is_exact(arguments, {"city": ["Oslo"], "days": [3, ""]}, SCHEMA) is right


def test_members_of_objects_are_found() -> None:
    answer = {"place": [{"city": ["Oslo", "Bergen"]}]}
    assert allowed_at(answer, ("place", "city")) == ["Oslo", "Bergen"]
    assert allowed_at(answer, ("day",)) == [""]
