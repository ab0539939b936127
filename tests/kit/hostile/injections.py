"""Documents and arguments that are to smuggle something into a request."""

from openplaybook.jsonvalues import JsonValue
from tests.kit.hostile.documents import Hostile, Text, body, of


def _header(name: str, **schema: JsonValue) -> Text:
    return of({"parameters": [{"name": name, "in": "header", "schema": {"type": "string", **schema}}]})


INJECTIONS = [
    Hostile("header name with a line break", _header("X-A: 1\r\nX-Injected"), {"X-A: 1\r\nX-Injected": "1"}),
    Hostile("header default with a line break", _header("X-A", default="1\r\nX-Injected: 1")),
    Hostile("header value with a line break", _header("X-A"), {"X-A": "1\r\nX-Injected: 1"}),
    Hostile("header value with a bare line feed", _header("X-A"), {"X-A": "1\nX-Injected: 1"}),
    Hostile("Host as a parameter", _header("Host", default="169.254.169.254")),
    Hostile("Content-Length as a parameter", _header("Content-Length", default="500")),
    Hostile("Transfer-Encoding as a parameter", _header("Transfer-Encoding", default="chunked")),
    Hostile(
        "cookie with a line break",
        of({"parameters": [{"name": "a", "in": "cookie", "schema": {"type": "string"}}]}),
        {"a": "1\r\nX-Injected: 1"},
    ),
    *(
        Hostile(
            f"path argument {value!r}",
            of(
                {"parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}]},
                path="/a/{id}",
            ),
            {"id": value},
        )
        for value in (
            "..",
            "../../forbidden",
            "..%2f..%2fforbidden",
            "%2e%2e",
            "..\\..\\forbidden",
            "a/../../../forbidden",
            "x?y#z",
        )
    ),
    Hostile(
        "matrix path argument that escapes",
        of(
            {
                "parameters": [
                    {"name": "id", "in": "path", "style": "label", "required": True, "schema": {"type": "string"}}
                ]
            },
            path="/a/{id}",
        ),
        {"id": "./../../forbidden"},
    ),
    Hostile(
        "content type with a line break",
        body({"type": "object"}, "application/json\r\nX-Injected: 1"),
        {"requestBody": {}},
    ),
    Hostile(
        "boundary of the author's choice",
        body({"type": "object", "properties": {"a": {"type": "string"}}}, "multipart/form-data; boundary=x"),
        {"requestBody": {"a": '1\r\n--x\r\nContent-Disposition: form-data; name="b"\r\n\r\n2\r\n--x--'}},
    ),
    Hostile(
        "file name that breaks out of its header",
        body({"type": "object", "properties": {"a": {"type": "string", "format": "binary"}}}, "multipart/form-data"),
        {"requestBody": {"a": {"name": 'a"\r\nX-Injected: 1\r\n\r\nb', "contents": "eA=="}}},
    ),
    Hostile(
        "part header with a line break",
        of(
            {
                "requestBody": {
                    "content": {
                        "multipart/form-data": {
                            "schema": {"type": "object", "properties": {"a": {"type": "string"}}},
                            "encoding": {
                                "a": {
                                    "contentType": "text/plain\r\nX-Injected: 1",
                                    "headers": {"X-A\r\nX-B": {"schema": {"default": "1\r\nX-C: 1"}}},
                                }
                            },
                        }
                    }
                }
            },
            "post",
        ),
        {"requestBody": {"a": "x"}},
    ),
    Hostile(
        "XML entity in a value",
        body({"type": "object", "properties": {"a": {"type": "string"}}}, "application/xml"),
        {"requestBody": {"a": '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>'}},
    ),
    Hostile(
        "XML name that breaks out of its tag",
        body({"type": "object", "xml": {"name": "a><!ENTITY e SYSTEM 'file:///etc/passwd'><b"}}, "application/xml"),
        {"requestBody": {"x><y": "1"}},
    ),
]
