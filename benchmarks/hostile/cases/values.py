"""Values that are judged by schemas: arguments, results of clients, variables, answers."""

import json
import uuid
from collections.abc import Sequence
from typing import TypeAlias, cast

from benchmarks.hostile.cases.base import Cases
from benchmarks.hostile.cases.openapi import body, document, query
from benchmarks.hostile.prey import Prey
from openplaybook.jsonvalues import JsonObject, JsonValue

case = Cases()

_QUADRATIC = "(?=a)a*a*c"
"""Takes the square of a text's length: it is tried from every character on, no try being long by itself."""
_BACKTRACKING = r"^(a*)*\1b$"
"""Takes the power of a text's length."""


async def _client_result(prey: Prey, schema: JsonValue, result: JsonValue) -> None:
    """A client's result, to a function whose answers have this schema."""
    agent: JsonObject = {"displayName": "asks", "defaultLanguageCode": "en", "timeZone": "Etc/UTC"}
    name = (await prey.made(f"/v3/{prey.agent.rpartition('/')[0]}", agent))["name"]
    lookup: JsonObject = {"type": "object", "properties": {"zip_code": {"type": "string"}}, "required": ["zip_code"]}
    function: JsonObject = {"inputSchema": lookup, "outputSchema": schema}
    tool = {
        "displayName": "nearest_shelter",
        "description": "Finds the shelter nearest to a zip code.",
        "functionSpec": function,
    }
    made = await prey.made(f"/v3/{name}/tools", tool)
    playbook: JsonObject = {
        "displayName": "start",
        "goal": "Find shelters.",
        "referencedTools": [made["name"]],
        "instruction": {"steps": [{"text": "Use ${TOOL: nearest_shelter} to find the shelter near a zip code."}]},
    }
    start = await prey.made(f"/v3/{name}/playbooks", playbook)
    await prey.rest("PATCH", f"/v3/{name}?updateMask=startPlaybook", {"startPlaybook": start["name"]})
    session = f"/v3/{name}/sessions/{uuid.uuid4()}:detectIntent"
    said: JsonObject = {"text": {"text": "I need the nearest shelter near 94043"}, "languageCode": "en"}
    paused = await prey.rest("POST", session, {"queryInput": said})
    if "toolCall" not in paused.text:
        raise RuntimeError(f"the turn did not pause: {paused.status} {paused.text}")
    given: JsonObject = {"tool": made["name"], "action": "nearest_shelter", "outputParameters": result}
    await prey.rest("POST", session, {"queryInput": {"toolCallResult": given, "languageCode": "en"}})


def _pattern(pattern: str) -> JsonObject:
    return {"type": "object", "properties": {"a": {"type": "string", "pattern": pattern}}}


_Result: TypeAlias = tuple[str, str, JsonValue, JsonValue]

RESULTS: Sequence[_Result] = cast(
    Sequence[_Result],
    (
        (
            "result-pattern-9k",
            "a client's result of 9 kB against a pattern that backtracks",
            _pattern(_QUADRATIC),
            {"a": "a" * 9_000},
        ),
        ("result-pattern-30k", "one of 30 kB", _pattern(_QUADRATIC), {"a": "a" * 30_000}),
        (
            "result-pattern-power",
            "a pattern of the power of the length, over forty texts",
            {"type": "object", "properties": {"a": {"type": "array", "items": {"pattern": _BACKTRACKING}}}},
            {"a": ["a" * 300] * 40},
        ),
        (
            "result-patterns-everywhere",
            "200 patterns over 200 texts of 4 kB",
            {
                "type": "object",
                "properties": {
                    "a": {"type": "array", "items": {"anyOf": [{"pattern": f"(?=a)a*a*c{n}"} for n in range(200)]}}
                },
            },
            {"a": ["a" * 4_000] * 200},
        ),
        (
            "result-pattern-nested",
            "30 characters against `(a*)*b` and 40 like it",
            {
                "type": "object",
                "properties": {f"a{n}": {"type": "string", "pattern": f"^((a*)*)*b{n}$"} for n in range(40)},
            },
            {f"a{n}": "a" * 30 for n in range(40)},
        ),
        (
            "result-pattern-lookahead",
            "20 kB against a pattern that looks ahead and back",
            _pattern("^(?=(a+)+b)(?!c)(a|aa)+(?<=a)$"),
            {"a": "a" * 20_000},
        ),
        (
            "result-pattern-back-reference",
            "8 kB against a pattern that refers back",
            _pattern(r"^(a+)\1+$"),
            {"a": "a" * 7_919},
        ),
        (
            "result-pattern-many",
            "100,000 texts against a pattern that backtracks a little",
            {"type": "object", "properties": {"a": {"type": "array", "items": {"pattern": "^(a|a)*$"}}}},
            {"a": ["aaaaaaaa!"] * 90_000},
        ),
        (
            "result-any-of-300",
            "anyOf of 300 over a list just under 1 MiB",
            {
                "type": "object",
                "properties": {"a": {"type": "array", "items": {"anyOf": [{"const": f"c{n}"} for n in range(300)]}}},
            },
            {"a": list(range(140_000))},
        ),
        (
            "result-any-of-objects",
            "anyOf of 300 objects over 30,000 of them",
            {
                "type": "object",
                "properties": {
                    "a": {
                        "type": "array",
                        "items": {
                            "anyOf": [
                                {"type": "object", "required": [f"k{n}", "z"], "properties": {"z": {"const": n}}}
                                for n in range(300)
                            ]
                        },
                    }
                },
            },
            {"a": [{"z": -1}] * 90_000},
        ),
        (
            "result-any-of-nested",
            "anyOf within anyOf, six deep",
            {
                "type": "object",
                "properties": {"a": {"$ref": "#/$defs/s6"}},
                "$defs": {
                    "s0": {"const": 1},
                    **{f"s{n}": {"anyOf": [{"$ref": f"#/$defs/s{n - 1}"} for _ in range(8)]} for n in range(1, 7)},
                },
            },
            {"a": [0] * 100},
        ),
        (
            "result-one-of-many",
            "oneOf of 500 where all fit",
            {
                "type": "object",
                "properties": {"a": {"type": "array", "items": {"oneOf": [{"minimum": -n} for n in range(500)]}}},
            },
            {"a": list(range(20_000))},
        ),
        (
            "result-unique-30000",
            "uniqueItems over 30,000",
            {"type": "object", "properties": {"a": {"type": "array", "uniqueItems": True}}},
            {"a": list(range(30_000))},
        ),
        (
            "result-unique-objects",
            "uniqueItems over 20,000 objects that differ in the last member",
            {"type": "object", "properties": {"a": {"type": "array", "uniqueItems": True}}},
            {"a": [{"x": [1, 2, 3], "y": n} for n in range(20_000)]},
        ),
        (
            "result-contains",
            "contains over lists of lists",
            {"type": "object", "properties": {"a": {"type": "array", "contains": {"contains": {"const": 1}}}}},
            {"a": [[0] * 300] * 300},
        ),
        (
            "result-additional",
            "40,000 members that must not be there",
            {"type": "object", "additionalProperties": False},
            {f"k{n}": n for n in range(40_000)},
        ),
        (
            "result-pattern-properties",
            "500 patterns of names over 5,000 members",
            {"type": "object", "patternProperties": {f"(?=k)k*k*{n}$": {"type": "string"} for n in range(500)}},
            {"k" * 20 + str(n): n for n in range(5_000)},
        ),
        (
            "result-property-names",
            "names of 10,000 characters against a pattern",
            {"type": "object", "propertyNames": {"pattern": _QUADRATIC}},
            {"a" * 10_000 + str(n): 1 for n in range(20)},
        ),
        (
            "result-dependent",
            "2,000 members that depend on 2,000 others",
            {"type": "object", "dependentRequired": {f"k{n}": [f"z{m}" for m in range(200)] for n in range(500)}},
            {f"k{n}": 1 for n in range(500)},
        ),
        (
            "result-recursive",
            "a tree of 100,000 leaves against a schema that is its own item",
            {"type": "object", "properties": {"a": {"$ref": "#"}, "b": {"type": "array", "items": {"$ref": "#"}}}},
            {"b": [{"b": [{"a": {}}] * 300}] * 200},
        ),
        (
            "result-deep",
            "a result 90 deep against a schema that refers to itself",
            {"type": "object", "properties": {"a": {"anyOf": [{"$ref": "#"}, {"$ref": "#"}, {"type": "null"}]}}},
            json.loads('{"a":' * 90 + "1" + "}" * 90),
        ),
        (
            "result-formats",
            "50,000 texts that are to be dates",
            {
                "type": "object",
                "properties": {"a": {"type": "array", "items": {"type": "string", "format": "date-time"}}},
            },
            {"a": ["2024-02-30T99:00:00Z"] * 40_000},
        ),
        (
            "result-formats-idn",
            "20,000 names of hosts, e-mails and URIs",
            {
                "type": "object",
                "properties": {
                    "a": {
                        "type": "array",
                        "items": {
                            "anyOf": [
                                {"format": f}
                                for f in (
                                    "idn-hostname",
                                    "idn-email",
                                    "uri",
                                    "iri-reference",
                                    "uri-template",
                                    "regex",
                                    "json-pointer",
                                )
                            ]
                        },
                    }
                },
            },
            {"a": ["ü" * 60 + ".example"] * 5_000},
        ),
        (
            "result-multiple-of",
            "50,000 multiples of a small fraction",
            {"type": "object", "properties": {"a": {"type": "array", "items": {"multipleOf": 1e-300}}}},
            {"a": [1e300] * 50_000},
        ),
        (
            "result-errors-everywhere",
            "100,000 values that are all wrong",
            {
                "type": "object",
                "properties": {
                    "a": {
                        "type": "array",
                        "items": {"type": "object", "required": ["x"], "properties": {"x": {"type": "string"}}},
                    }
                },
            },
            {"a": [1] * 300_000},
        ),
        (
            "result-error-of-a-large-value",
            "a value of 900 kB that is not the constant",
            {"type": "object", "properties": {"a": {"enum": [f"e{n}" for n in range(2_000)]}}},
            {"a": "x" * 900_000},
        ),
        (
            "result-unevaluated",
            "unevaluatedProperties under 200 branches",
            {
                "type": "object",
                "anyOf": [{"properties": {f"k{n}": {"type": "integer"}}} for n in range(200)],
                "unevaluatedProperties": False,
            },
            {f"k{n}": n for n in range(10_000)},
        ),
        (
            "result-content",
            "a result of 900 kB of nothing in particular",
            {"type": "object"},
            {"a": [[["text", 1, None, True, {"k": "v"}]] * 100] * 300},
        ),
    ),
)
"""A schema, and a client's result that it judges."""


def _judged(name: str, sentence: str, schema: JsonValue, result: JsonValue) -> None:
    async def attack(prey: Prey) -> None:
        await _client_result(prey, schema, result)

    case.add(name, sentence, attack)


for _entry in RESULTS:
    _judged(*_entry)


@case
async def arguments_pattern_30k(prey: Prey) -> None:
    """An argument of 30 kB against a pattern that backtracks, by ExecuteTool."""
    await prey.executes(query({"type": "string", "pattern": _QUADRATIC}), "act", {"q": "a" * 30_000})


@case
async def arguments_any_of(prey: Prey) -> None:
    """A body of 140,000 items against anyOf of 300, by ExecuteTool."""
    schema: JsonObject = {"type": "array", "items": {"anyOf": [{"const": f"c{n}"} for n in range(300)]}}
    await prey.executes(body(schema), "act", {"requestBody": list(range(140_000))})


@case
async def arguments_unique(prey: Prey) -> None:
    """A body of 30,000 unique objects, by ExecuteTool."""
    schema: JsonObject = {"type": "array", "uniqueItems": True}
    await prey.executes(body(schema), "act", {"requestBody": [{"a": n} for n in range(30_000)]})


@case
async def arguments_wide(prey: Prey) -> None:
    """100,000 arguments that the operation does not have, by ExecuteTool."""
    await prey.executes(query({"type": "string"}), "act", {f"a{n}": n for n in range(100_000)})


@case
async def arguments_styled(prey: Prey) -> None:
    """A query parameter of 200,000 items, exploded, and one of an object 60 deep."""
    parameters = [
        {"name": "a", "in": "query", "explode": True, "schema": {"type": "array", "items": {"type": "integer"}}},
        {"name": "b", "in": "query", "style": "deepObject", "schema": {"type": "object"}},
    ]
    deep = json.loads('{"a":' * 60 + "1" + "}" * 60)
    arguments: JsonObject = {"a": list(range(200_000)), "b": deep}
    await prey.executes(document({"parameters": parameters}), "act", arguments)


@case
async def arguments_xml(prey: Prey) -> None:
    """A body of 50,000 items written as XML."""
    schema: JsonObject = {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}}}}
    await prey.executes(body(schema, "application/xml"), "act", {"requestBody": {"a": ["<&>" * 5] * 50_000}})


@case
async def arguments_multipart(prey: Prey) -> None:
    """A body of 5,000 parts and one of 4 MB that is to be a file."""
    schema: JsonObject = {"type": "object", "properties": {f"a{n}": {"type": "string"} for n in range(5_000)}}
    fields: JsonObject = {f"a{n}": "x" for n in range(5_000)}
    await prey.executes(body(schema, "multipart/form-data"), "act", {"requestBody": fields})


@case
async def variables_pattern(prey: Prey) -> None:
    """Variables of an app that are judged by a pattern that backtracks."""
    declared = {"name": "v", "description": "A variable.", "schema": {"type": "STRING", "pattern": _QUADRATIC}}
    await prey.rest(
        "PATCH", f"/v1beta/{prey.app}?updateMask=variableDeclarations", {"variableDeclarations": [declared]}
    )
    session = f"{prey.app}/sessions/{uuid.uuid4()}"
    inputs = [{"variables": {"v": "a" * 30_000}}, {"text": "Hello."}]
    await prey.rest("POST", f"/v1beta/{session}:runSession", {"config": {"session": session}, "inputs": inputs})


@case
async def parameters_of_a_playbook(prey: Prey) -> None:
    """A playbook whose 2,000 parameters have schemas of anyOf."""
    definitions = [
        {
            "name": f"p{n}",
            "typeSchema": {"inlineSchema": {"type": "ARRAY", "items": {"inlineSchema": {"type": "STRING"}}}},
        }
        for n in range(2_000)
    ]
    playbook = {"displayName": f"p{uuid.uuid4()}", "goal": "x", "inputParameterDefinitions": definitions}
    await prey.rest("POST", f"/v3/{prey.agent}/playbooks", playbook)
