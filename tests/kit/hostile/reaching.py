"""Documents that reach for files, other hosts and code."""

from collections.abc import Sequence

from openplaybook.jsonvalues import JsonObject
from tests.kit.hostile.documents import Hostile, body, in_yaml, of, ref, schemas


def _reference_to(target: str) -> Sequence[Hostile]:
    """A reference to forbidden ground from every place that may hold one."""
    reference: JsonObject = {"$ref": target}
    return [
        Hostile(f"schema refers to {target}", body(reference), {"requestBody": {}}),
        Hostile(f"property refers to {target}", body({"type": "object", "properties": {"a": reference}})),
        Hostile(f"parameter refers to {target}", of({"parameters": [reference]})),
        Hostile(f"path item refers to {target}", of({}, paths={"/things": reference})),
    ]


REACHING = [
    *_reference_to("file://@SECRET"),
    *_reference_to("@SECRET"),
    *_reference_to("http://169.254.169.254/latest/meta-data/iam#/a"),
    *_reference_to("@ORIGIN/forbidden.json#/a"),
    Hostile("reference to a UNC path", body({"$ref": "\\\\127.0.0.1\\share\\a.yaml"})),
    Hostile("reference by steps upwards", body({"$ref": "../" * 30 + "etc/passwd"})),
    Hostile("reference by encoded steps upwards", body({"$ref": "..%2f" * 30 + "etc%2fpasswd"})),
    Hostile("reference with a NUL", body({"$ref": "@SECRET\x00.yaml"})),
    Hostile("reference without a scheme", body({"$ref": "//169.254.169.254/a.json"})),
    Hostile(
        "reference by other schemes",
        body({"anyOf": [{"$ref": f"{scheme}://a/b"} for scheme in ("ftp", "gopher", "jar", "data")]}),
    ),
    Hostile(
        "discriminator that maps to a file",
        body(
            {"oneOf": [ref("A")], "discriminator": {"propertyName": "t", "mapping": {"a": "file://@SECRET"}}},
            components=schemas({"A": {"type": "object"}}),
        ),
        {"requestBody": {"t": "a"}},
    ),
    Hostile(
        "meta-schema on forbidden ground",
        body({"$schema": "@ORIGIN/forbidden.json", "type": "object"}, openapi="3.1.0"),
        {"requestBody": {}},
    ),
    Hostile(
        "dialect on forbidden ground",
        body({"type": "object"}, openapi="3.1.0", jsonSchemaDialect="@ORIGIN/forbidden"),
        {"requestBody": {}},
    ),
    Hostile(
        "base URI on forbidden ground",
        body({"$id": "@ORIGIN/forbidden/", "properties": {"a": {"$ref": "other.json"}}}, openapi="3.1.0"),
        {"requestBody": {"a": 1}},
    ),
    Hostile(
        "YAML tag that runs a command", in_yaml("x-a: !!python/object/apply:os.system [cp @SECRET @SECRET.copied]\n")
    ),
    Hostile("YAML tag that makes an object", in_yaml("x-a: !!python/object/new:subprocess.Popen [[cat, '@SECRET']]\n")),
    Hostile("YAML tag that includes a file", in_yaml("x-a: !include '@SECRET'\nx-b: !!js/function 'function(){}'\n")),
    Hostile("server with a user name", of({}, servers=[{"url": "http://user:secret@127.0.0.1/api"}])),
    Hostile("server of another scheme", of({}, servers=[{"url": "file://@SECRET"}])),
    Hostile("server without a scheme", of({}, servers=[{"url": "//169.254.169.254/latest"}])),
    Hostile("server with a backslash", of({}, servers=[{"url": "@ORIGIN\\@169.254.169.254/api"}])),
    Hostile("server with a line break", of({}, servers=[{"url": "@ORIGIN/api HTTP/1.1\r\nX-Injected: 1\r\n\r\n"}])),
    Hostile(
        "server variable that is another host",
        of({}, servers=[{"url": "http://{host}/api", "variables": {"host": {"default": "169.254.169.254"}}}]),
    ),
    Hostile(
        "server variables that refer to each other",
        of({}, servers=[{"url": "{a}", "variables": {"a": {"default": "{b}{b}"}, "b": {"default": "{a}{a}"}}}]),
    ),
    Hostile("server of metadata in decimal", of({}, servers=[{"url": "http://2852039166/latest"}])),
]
