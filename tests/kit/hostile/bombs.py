"""Documents that are to fill the memory or take all the time."""

from collections.abc import Callable

from tests.kit.hostile.documents import Hostile, Text, body, in_yaml, later, of, query


def _laughs(unit: str, tenfold: Callable[[int], str]) -> Text:
    return in_yaml("x-0: &a0 " + unit + "\n" + "".join(f"x-{n}: &a{n} {tenfold(n - 1)}\n" for n in range(1, 12)))


BOMBS = [
    Hostile("JSON nested 100,000 deep", lambda _: '{"openapi":"3.0.0","x":' + "[" * 100_000 + "]" * 100_000 + "}"),
    Hostile("JSON objects nested 20,000 deep", lambda _: '{"openapi":' * 20_000 + "1" + "}" * 20_000),
    Hostile("60 MB of brackets", lambda _: "[" * 60_000_000, is_large=True),
    Hostile("30 MB of empty objects", lambda _: "[" + "{}," * 10_000_000 + "{}]", is_large=True),
    Hostile("YAML flow nested 100,000 deep", in_yaml("x-a: " + "[" * 100_000 + "]" * 100_000)),
    Hostile("YAML blocks nested 1,000 deep", in_yaml("x-a:\n" + "".join(f"{' ' * n}a:\n" for n in range(1, 1000)))),
    Hostile("YAML indicators 500,000 times", in_yaml("x-a: " + "- " * 500_000)),
    Hostile("billion laughs of strings", _laughs("lol", lambda n: f"[{', '.join([f'*a{n}'] * 10)}]")),
    Hostile(
        "billion laughs of objects", _laughs("{a: b}", lambda n: f"{{{', '.join(f'k{i}: *a{n}' for i in range(10))}}}")
    ),
    Hostile("billion laughs by merge keys", _laughs("{a: b}", lambda n: f"{{<<: [*a{n}, *a{n}], k{n}: *a{n}}}")),
    Hostile("YAML alias within its own anchor", in_yaml("x-a: &a [*a, *a]\n")),
    Hostile("YAML key that is its own alias", in_yaml("x-a: &a {? *a : 1}\n")),
    Hostile("100,000 aliases of a large node", in_yaml(f"x-a: &a {list(range(1000))}\nx-b: [{'*a, ' * 100_000}*a]\n")),
    Hostile("50 MB string in JSON", later(lambda: of({"description": "x" * 50_000_000})), is_large=True),
    Hostile("30 MB string in YAML", later(lambda: in_yaml(f"x-a: {'x' * 30_000_000}\n")), is_large=True),
    Hostile("enum of a million", later(lambda: query({"enum": list(range(1_000_000))})), is_large=True),
    Hostile(
        "required list of 300,000", later(lambda: body({"required": [f"p{n}" for n in range(300_000)]})), is_large=True
    ),
    Hostile(
        "100,000 operations",
        later(
            lambda: of({}, paths={f"/p{n}": {"get": {"operationId": f"o{n}", "responses": {}}} for n in range(100_000)})
        ),
        is_large=True,
    ),
    Hostile(
        "100,000 parameters",
        later(
            lambda: of(
                {"parameters": [{"name": f"q{n}", "in": "query", "schema": {"type": "string"}} for n in range(100_000)]}
            )
        ),
        is_large=True,
    ),
    Hostile(
        "100,000 properties",
        later(lambda: body({"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(100_000)}})),
        {"requestBody": {}},
        is_large=True,
    ),
    Hostile("100,000 servers", of({}, servers=[{"url": "@ORIGIN/api"}] * 100_000), is_large=True),
    Hostile("100,000 tags", later(lambda: of({"tags": [f"t{n}" for n in range(100_000)]})), is_large=True),
    Hostile("operationId of a megabyte", of({"operationId": "o" * 1_000_000})),
    Hostile("path of a megabyte", of({}, path="/" + "p" * 1_000_000)),
    Hostile("path of 200,000 braces", of({}, path="/" + "{" * 200_000)),
    Hostile("path of 20,000 parameters", of({}, path="/" + "/".join(f"{{p{n}}}" for n in range(20_000)))),
    Hostile("default of half a megabyte", query({"type": "string", "default": "x" * 500_000})),
]
