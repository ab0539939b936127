"""Small documents whose schemas grow with the power of their depth."""

from collections.abc import Callable

from openplaybook.jsonvalues import JsonObject
from tests.kit.hostile.documents import Hostile, Text, body, ref, schemas


def _doubling(levels: int, step: Callable[[JsonObject], JsonObject]) -> Text:
    """Schemas of which each holds the next one twice."""
    levelled = {f"S{level}": step(ref(f"S{level + 1}")) for level in range(levels)}
    levelled[f"S{levels}"] = {"type": "string", "default": "x"}
    return body(ref("S0"), components=schemas(levelled))


DOUBLINGS = [
    Hostile("schemas doubled 40 times by allOf", _doubling(40, lambda next_: {"allOf": [next_, next_]})),
    Hostile("schemas doubled 40 times by oneOf", _doubling(40, lambda next_: {"oneOf": [next_, next_]})),
    Hostile("schemas doubled 40 times by anyOf", _doubling(40, lambda next_: {"anyOf": [next_, next_]})),
    Hostile(
        "schemas doubled 40 times by properties",
        _doubling(40, lambda next_: {"type": "object", "required": ["a", "b"], "properties": {"a": next_, "b": next_}}),
        {"requestBody": {}},
    ),
    Hostile(
        "schemas doubled 40 times by items",
        _doubling(40, lambda next_: {"type": "array", "items": {"allOf": [next_, next_]}}),
    ),
    Hostile("schemas doubled 40 times by not", _doubling(40, lambda next_: {"not": {"anyOf": [next_, next_]}})),
    Hostile(
        "schemas doubled 40 times in $defs",
        body(
            {
                "$ref": "#/$defs/S0",
                "$defs": {
                    **{f"S{n}": {"allOf": [{"$ref": f"#/$defs/S{n + 1}"}] * 2} for n in range(40)},
                    "S40": {"type": "string"},
                },
            },
            openapi="3.1.0",
        ),
    ),
    Hostile(
        "chain of 20,000 references",
        body(ref("S0"), components=schemas({**{f"S{n}": ref(f"S{n + 1}") for n in range(20_000)}, "S20000": {}})),
    ),
]
