"""Documents whose references go in circles."""

from tests.kit.hostile.documents import Hostile, body, of, ref, schemas

CIRCLES = [
    Hostile("schema that refers to itself", body(ref("A"), components=schemas({"A": ref("A")})), {"requestBody": 1}),
    Hostile(
        "two schemas that refer to each other",
        body(ref("A"), components=schemas({"A": ref("B"), "B": ref("A")})),
        {"requestBody": 1},
    ),
    Hostile(
        "schema composed of itself",
        body(ref("A"), components=schemas({"A": {"allOf": [ref("A"), {"type": "object"}]}})),
        {"requestBody": {}},
    ),
    Hostile(
        "schema that is one of itself",
        body(ref("A"), components=schemas({"A": {"oneOf": [ref("A"), ref("A")]}})),
        {"requestBody": {}},
    ),
    Hostile(
        "object that requires itself for ever",
        body(ref("A"), components=schemas({"A": {"type": "object", "required": ["a"], "properties": {"a": ref("A")}}})),
        {"requestBody": {"a": {"a": {}}}},
    ),
    Hostile(
        "dynamic reference to itself",
        body({"$dynamicAnchor": "m", "$dynamicRef": "#m"}, openapi="3.1.0"),
        {"requestBody": 1},
    ),
    Hostile("path item that refers to itself", of({}, paths={"/a": {"$ref": "#/paths/~1a"}})),
    Hostile(
        "path items that refer to each other",
        of({}, paths={"/a": {"$ref": "#/paths/~1b"}, "/b": {"$ref": "#/paths/~1a"}}),
    ),
    Hostile(
        "parameters that refer to each other",
        of(
            {"parameters": [{"$ref": "#/components/parameters/a"}]},
            components={
                "parameters": {"a": {"$ref": "#/components/parameters/b"}, "b": {"$ref": "#/components/parameters/a"}}
            },
        ),
    ),
    Hostile(
        "bodies that refer to each other",
        of(
            {"requestBody": {"$ref": "#/components/requestBodies/a"}},
            "post",
            components={"requestBodies": {"a": {"$ref": "#/components/requestBodies/a"}}},
        ),
    ),
    Hostile(
        "answers that refer to each other",
        of(
            {"responses": {"200": {"$ref": "#/components/responses/a"}}},
            components={"responses": {"a": {"$ref": "#/components/responses/a"}}},
        ),
    ),
    Hostile("reference to the whole document", body({"$ref": "#"}), {"requestBody": {}}),
    Hostile("reference to all paths", body({"$ref": "#/paths"}), {"requestBody": {}}),
]
