"""Descriptions of APIs, YAML and JSON, through the doors at which they are saved, generated and executed."""

import functools
import json
from collections.abc import Callable

from benchmarks.hostile.cases.base import Cases
from benchmarks.hostile.cases.openapi import body, components, document, query, ref, yaml
from benchmarks.hostile.prey import Prey
from openplaybook.jsonvalues import JsonObject, JsonValue

case = Cases()


def _laughs(unit: str) -> str:
    lines = [f"x-0: &a0 {unit}", *(f"x-{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12))]
    return yaml("\n".join(lines))


def _merges() -> str:
    return yaml(
        "x-0: &a0 {a: b}\n"
        + "".join(f"x-{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}], k{n}: *a{n - 1}}}\n" for n in range(1, 12))
    )


def _doubled(levels: int, kind: str) -> str:
    named: JsonObject = {f"S{n}": {kind: [ref(f"S{n + 1}")] * 2} for n in range(levels)}
    return body(ref("S0"), components=components({**named, f"S{levels}": {"type": "string"}}))


def _nested(levels: int) -> JsonValue:
    inner: JsonValue = {"type": "string"}
    for _ in range(levels):
        inner = {"type": "object", "properties": {"a": inner}}
    return inner


@functools.cache
def _many_operations(count: int) -> str:
    paths: JsonObject = {
        f"/p{n}/{{id}}": {
            "get": {
                "operationId": f"o{n}",
                "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}],
                "responses": {"200": {"description": "d", "content": {"application/json": {"schema": ref("A")}}}},
            }
        }
        for n in range(count)
    }
    return document(
        paths=paths, components=components({"A": {"type": "object", "properties": {"id": {"type": "integer"}}}})
    )


@functools.cache
def _described(megabytes: float) -> str:
    words = "A sentence of the description that says little. "
    parameters = [
        {"name": f"p{n}", "in": "query", "description": words * 20, "schema": {"type": "string", "enum": ["a", "b"]}}
        for n in range(int(megabytes * 1000))
    ]
    return document({"parameters": parameters})


TEXTS = (
    ("yaml-colons-10k", "10 kB of `: ` as a tool's description", lambda: ": " * 5_000),
    ("yaml-colons-15k", "15 kB of `: `", lambda: ": " * 7_500),
    ("yaml-questions-10k", "10 kB of `? `", lambda: "? " * 5_000),
    ("yaml-questions-15k", "15 kB of `? `", lambda: "? " * 7_500),
    ("yaml-dashes-100k", "100 kB of `- `", lambda: "- " * 50_000),
    ("yaml-mixed-indicators", "30 kB of `- ? : ` in turn", lambda: "- ? : " * 5_000),
    (
        "yaml-questions-in-a-document",
        "`? ` 6,000 times as the value of one member",
        lambda: yaml("x-a:\n  " + "? " * 6_000),
    ),
    (
        "yaml-braces-in-a-key",
        "flow braces 5,000 deep in a key",
        lambda: yaml("? " + "{a: " * 5_000 + "1" + "}" * 5_000 + "\n: 1\n"),
    ),
    ("yaml-flow-keys", "flow maps 10,000 deep, each the key of the next", lambda: yaml("x-a: " + "{? " * 10_000)),
    ("yaml-flow-brackets", "200,000 `[` in a flow", lambda: yaml("x-a: " + "[" * 200_000)),
    ("yaml-tags", "100,000 tags", lambda: yaml("x-a: [" + "!!str a, " * 100_000 + "]")),
    ("yaml-python-tag", "a tag that would build an object", lambda: yaml("x-a: !!python/object/apply:time.sleep [60]")),
    ("yaml-anchors", "100,000 anchors", lambda: yaml("x-a: [" + ", ".join(f"&a{n} {n}" for n in range(100_000)) + "]")),
    (
        "yaml-aliases",
        "100,000 aliases of a node of 1,000",
        lambda: yaml(f"x-a: &a {list(range(1000))}\nx-b: [{'*a, ' * 100_000}*a]\n"),
    ),
    ("yaml-laughs", "a billion laughs of texts", lambda: _laughs("lol")),
    ("yaml-merges", "a billion laughs by merge keys", _merges),
    ("yaml-alias-of-itself", "an alias within its own anchor", lambda: yaml("x-a: &a [*a, *a]\n")),
    ("yaml-duplicate-keys", "100,000 times the same key", lambda: yaml("".join("x-a: 1\n" for _ in range(100_000)))),
    ("yaml-long-key", "a key of one megabyte", lambda: yaml("x-" + "k" * 1_000_000 + ": 1\n")),
    ("yaml-documents", "200,000 documents in one text", lambda: "---\na: 1\n" * 200_000),
    ("yaml-comments", "4 MB of comments", lambda: yaml("# c\n" * 1_000_000)),
    ("yaml-indented", "blocks 3,000 deep", lambda: yaml("x-a:\n" + "".join(f"{' ' * n}a:\n" for n in range(1, 3000)))),
    ("yaml-quoted", "3 MB of doubled quotes", lambda: yaml("x-a: '" + "''" * 1_500_000 + "'\n")),
    ("yaml-escapes", "3 MB of escapes in a text", lambda: yaml('x-a: "' + "\\u0041" * 500_000 + '"\n')),
    ("yaml-folded", "a folded text of 500,000 lines", lambda: yaml("x-a: >\n" + "  a\n" * 500_000)),
    ("yaml-plain-lines", "a plain text of 300,000 lines", lambda: yaml("x-a: a\n" + "  b\n" * 300_000)),
    ("yaml-long-number", "a number of 500,000 digits", lambda: yaml("x-a: " + "9" * 500_000)),
    ("yaml-sexagesimal", "numbers to the base sixty", lambda: yaml("x-a: " + "1:" * 200_000 + "1")),
    ("json-brackets", "5 MB of `[`", lambda: "[" * 5_000_000),
    ("json-nested-objects", "objects 100,000 deep", lambda: '{"a":' * 100_000),
    ("json-long-number", "a number of two million digits", lambda: '{"openapi":"3.0.3","x":' + "9" * 2_000_000 + "}"),
    (
        "json-exponents",
        "300,000 numbers as large as can be",
        lambda: '{"openapi":"3.0.3","x":[' + "1e308," * 300_000 + "1]}",
    ),
    ("json-empty-objects", "10 MB of empty objects", lambda: "[" + "{}," * 3_300_000 + "{}]"),
    ("json-escapes", "6 MB of escapes", lambda: '{"x":"' + "\\u0000" * 1_000_000 + '"}'),
    ("schema-5mb", "a schema of 4.9 MB", lambda: _described(4.9)),
    ("schema-nested-900", "a schema 900 deep", lambda: body(_nested(300))),
    ("schema-all-of-doubled", "schemas doubled 40 times by allOf", lambda: _doubled(40, "allOf")),
    ("schema-any-of-doubled", "schemas doubled 40 times by anyOf", lambda: _doubled(40, "anyOf")),
    ("schema-one-of-doubled", "schemas doubled 40 times by oneOf", lambda: _doubled(40, "oneOf")),
    (
        "schema-ring",
        "200 schemas of which each is all of the others",
        lambda: body(
            ref("S0"),
            components=components(
                {f"S{n}": {"allOf": [ref(f"S{m}") for m in range(200) if m != n]} for n in range(200)}
            ),
        ),
    ),
    (
        "schema-discriminators",
        "500 discriminators of 500 schemas",
        lambda: body(
            ref("S0"),
            components=components(
                {
                    f"S{n}": {
                        "oneOf": [ref(f"S{m}") for m in range(500)],
                        "discriminator": {
                            "propertyName": "k",
                            "mapping": {f"m{m}": f"#/components/schemas/S{m}" for m in range(500)},
                        },
                    }
                    for n in range(30)
                }
            ),
        ),
    ),
    (
        "schema-chain",
        "a chain of 20,000 references",
        lambda: body(
            ref("S0"), components=components({**{f"S{n}": ref(f"S{n + 1}") for n in range(20_000)}, "S20000": {}})
        ),
    ),
    ("schema-ref-of-escapes", "references of 100,000 escapes", lambda: body({"$ref": "#/" + "~1" * 100_000})),
    ("schema-large-enum", "an enum of 300,000", lambda: query({"enum": list(range(300_000))})),
    (
        "schema-many-enums",
        "3,000 enums of 100 texts",
        lambda: document(
            {
                "parameters": [
                    {"name": f"p{n}", "in": "query", "schema": {"enum": [f"v{m}" for m in range(100)]}}
                    for n in range(3_000)
                ]
            }
        ),
    ),
    (
        "schema-properties",
        "100,000 properties",
        lambda: body({"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(100_000)}}),
    ),
    ("schema-required", "a required list of 300,000", lambda: body({"required": [f"p{n}" for n in range(300_000)]})),
    (
        "schema-patterns",
        "2,000 patterns that backtrack",
        lambda: body(
            {
                "type": "object",
                "properties": {f"p{n}": {"type": "string", "pattern": f"^(a+)+{n}$"} for n in range(2_000)},
            }
        ),
    ),
    (
        "schema-counted-pattern",
        "a pattern that counts to a thousand thousand times",
        lambda: query({"type": "string", "pattern": "((a{1,1000}){1,1000}){1,1000}"}),
    ),
    (
        "schema-deep-pattern",
        "a pattern of 50,000 brackets",
        lambda: query({"type": "string", "pattern": "(" * 50_000 + ")" * 50_000}),
    ),
    ("operations-10000", "10,000 operations", lambda: _many_operations(10_000)),
    (
        "operations-deep-path",
        "a path of 20,000 parameters",
        lambda: document(
            paths={"/" + "/".join(f"{{p{n}}}" for n in range(20_000)): {"get": {"operationId": "act", "responses": {}}}}
        ),
    ),
    (
        "operations-braces",
        "a path of 200,000 braces",
        lambda: document(paths={"/" + "{" * 200_000: {"get": {"operationId": "act", "responses": {}}}}),
    ),
    (
        "servers-100000",
        "100,000 servers",
        lambda: document(servers=[{"url": f"http://127.0.0.1:9/{n}"} for n in range(100_000)]),
    ),
    (
        "server-variables",
        "10,000 variables in the URL of a server",
        lambda: document(
            servers=[
                {
                    "url": "http://127.0.0.1:9/" + "/".join(f"{{v{n}}}" for n in range(10_000)),
                    "variables": {f"v{n}": {"default": "a"} for n in range(10_000)},
                }
            ]
        ),
    ),
    (
        "security-schemes",
        "20,000 schemes of security, all asked for",
        lambda: document(
            security=[{f"s{n}": []} for n in range(20_000)],
            components={
                "securitySchemes": {
                    f"s{n}": {"type": "apiKey", "in": "header", "name": f"X-{n}"} for n in range(20_000)
                }
            },
        ),
    ),
    (
        "external-refs",
        "20,000 references to other places",
        lambda: document(paths={f"/p{n}": {"$ref": f"http://127.0.0.1:9/d{n}.yaml#/a"} for n in range(20_000)}),
    ),
    (
        "swagger-2-definitions",
        "OpenAPI 2.0 with 20,000 definitions in a ring",
        lambda: json.dumps(
            {
                "swagger": "2.0",
                "info": {"title": "t", "version": "1"},
                "host": "127.0.0.1:9",
                "paths": {
                    "/a": {
                        "get": {
                            "operationId": "act",
                            "responses": {"200": {"description": "d", "schema": {"$ref": "#/definitions/D0"}}},
                        }
                    }
                },
                "definitions": {
                    f"D{n}": {"type": "object", "properties": {"next": {"$ref": f"#/definitions/D{(n + 1) % 20_000}"}}}
                    for n in range(20_000)
                },
            }
        ),
    ),
)
"""A text that is saved as the description of an API, by both doors."""


def _saved(name: str, sentence: str, text: Callable[[], str]) -> None:
    async def attack(prey: Prey) -> None:
        await prey.saves(text())
        await prey.keeps(text())

    case.add(name, sentence, attack)


for _name, _sentence, _text in TEXTS:
    _saved(_name, _sentence, functools.cache(_text))


@case
async def yaml_eight_at_once(prey: Prey) -> None:
    """Eight tools of 15 kB of `: ` at once, and a tool call of somebody else after that."""
    await prey.together(8, lambda: prey.saves(": " * 7_500))
    await prey.executes(query({"type": "string"}), "act", {"q": "a"})


@case
async def yaml_by_grpc(prey: Prey) -> None:
    """15 kB of `? ` as the description of a tool, by gRPC."""
    tool: JsonObject = {"displayName": "t", "description": "h", "openApiSpec": {"textSchema": "? " * 7_500}}
    await prey.rpc("google.cloud.dialogflow.cx.v3.Tools.CreateTool", {"parent": prey.agent, "tool": tool})


@case
async def validated_and_retrieved(prey: Prey) -> None:
    """A description of 2,000 operations saved, its agent validated and all its tools retrieved."""
    toolset = await prey.keeps(_many_operations(2_000))
    await prey.rest("POST", f"/v3/{prey.agent}:validate", {})
    name = toolset.text.partition('"name":"')[2].partition('"')[0]
    await prey.rest("POST", f"/v1beta/{prey.app}:retrieveTools", {"toolset": name})


@case
async def generated_from_samples(prey: Prey) -> None:
    """A schema generated from 200 samples of 20 kB, each of another shape."""
    samples = [
        {
            "url": f"https://api.example.com/v1/a{n}/{n}",
            "responseBody": json.dumps({f"k{n}-{m}": {"a": [m, str(m), None, {"b": m}]} for m in range(400)}),
        }
        for n in range(200)
    ]
    await prey.rest("POST", f"/v3/{prey.agent}:generateOpenApiSchema", {"samples": samples})


@case
async def generated_from_depth(prey: Prey) -> None:
    """A schema generated from answers nested 50,000 deep, and from a schema that is YAML of `: `."""
    deep = {"url": "https://api.example.com/v1/a", "responseBody": "[" * 50_000 + "]" * 50_000}
    await prey.rest("POST", f"/v3/{prey.agent}:generateOpenApiSchema", {"samples": [deep]})
    plain = {"url": "https://api.example.com/v1/a", "responseBody": "{}"}
    colons: JsonObject = {"samples": [plain], "schema": ": " * 7_500}
    await prey.rest("POST", f"/v3/{prey.agent}:generateOpenApiSchema", colons)


@case
async def generated_from_urls(prey: Prey) -> None:
    """A schema generated from 3,000 samples whose URLs have 200 segments each."""
    samples = [{"url": "https://api.example.com/" + "/".join(f"{n}-{m}" for m in range(200))} for n in range(3_000)]
    await prey.rest("POST", f"/v3/{prey.agent}:generateOpenApiSchema", {"samples": samples})
