"""Documents of odd names, odd numbers, odd types and odd patterns."""

from tests.kit.hostile.documents import Hostile, body, in_yaml, of, query, ref, schemas

_NAMES = ("__proto__", "constructor", "__class__", "__init__", "$ref", "", " ", "a\x00b", "\ud800", "\u202e", "a\r\nb")

ODDITIES = [
    Hostile(
        "properties named after what languages are made of",
        body({"type": "object", "properties": {name: {"type": "string", "default": "x"} for name in _NAMES}}),
        {"requestBody": {}},
    ),
    Hostile(
        "schemas named after what languages are made of",
        body(
            {"anyOf": [ref(name) for name in _NAMES if name.isascii()]},
            components=schemas({name: {"type": "string"} for name in _NAMES}),
        ),
        {"requestBody": "x"},
    ),
    Hostile(
        "parameters named after what languages are made of",
        of({"parameters": [{"name": name, "in": "query", "schema": {"default": "x"}} for name in _NAMES]}),
    ),
    Hostile("operationId of control characters", of({"operationId": "a\x00\r\n\x1b[31m\ud800"})),
    Hostile("JSON with keys twice", lambda near: of({})(near)[:-1] + ', "paths": {}, "openapi": "9"}'),
    Hostile("YAML with keys twice", in_yaml("paths: {}\nopenapi: 9\n")),
    *(
        Hostile(f"not a document: {text}", lambda _, text=text: text)
        for text in ("null", "[]", '""', "1e999", "- a", "%")
    ),
    Hostile("byte order marks", lambda near: "\ufeff" * 1000 + of({})(near)),
    Hostile("version that is a list", of({}, openapi=["3.0.0"] * 1000)),
    Hostile(
        "everything of another type",
        lambda _: '{"openapi":"3.0.0","info":1,"paths":{"/a":[{"get":7}],"/b":{"get":"x"},"c":{"get":{}}}}',
    ),
    Hostile(
        "operation whose parts are of other types",
        of({"parameters": {"a": 1}, "requestBody": [1], "responses": "x", "security": 7, "tags": {"a": 1}}),
    ),
    Hostile("multipleOf of almost nothing", query({"type": "number", "multipleOf": 1e-300}), {"q": 3.7}),
    Hostile("multipleOf zero", query({"type": "number", "multipleOf": 0}), {"q": 3.7}),
    Hostile("lengths beyond all measure", query({"type": "string", "maxLength": 1e308, "minLength": -1}), {"q": "x"}),
    Hostile(
        "bounds beyond all measure", query({"type": "number", "minimum": -(10**400), "maximum": 10**400}), {"q": 1}
    ),
    Hostile("number of 100,000 digits", lambda near: of({})(near)[:-1] + f', "x-n": {"9" * 100_000}}}'),
    Hostile("number of 100,000 digits in YAML", in_yaml(f"x-n: {'9' * 100_000}\n")),
    Hostile("pattern that backtracks", query({"type": "string", "pattern": "^(a+)+$"}), {"q": "a" * 60 + "!"}),
    Hostile(
        "pattern that backtracks behind a look-ahead",
        query({"type": "string", "pattern": r"^(?=(a+)+$)(.*)*\1x$"}),
        {"q": "a" * 60 + "!"},
    ),
    Hostile("pattern that grows when compiled", query({"pattern": "((a{1000}){1000}){1000}"}), {"q": "a"}),
    Hostile(
        "property pattern that backtracks",
        body({"patternProperties": {r"^(\w+\s?)*$": {}}}),
        {"requestBody": {"a" * 60 + "!": 1}},
    ),
]
