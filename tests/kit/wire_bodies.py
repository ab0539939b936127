"""What request bodies look like on the wire: the cases that tests send, and that docs/openapi-support.md shows.

Those called the specification's are copied from OpenAPI 3.1.1 §4.8.15.
"""

from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonObject, JsonValue
from tests.kit.wire_table import XML_DECLARATION


@dataclass(frozen=True)
class BodyCase:
    """A request body."""

    title: str
    content: JsonObject
    """`content` of the request body."""
    value: JsonValue
    media_type: str
    """As sent; `BOUNDARY` stands for the boundary."""
    written: bytes
    components: JsonObject = field(default_factory=dict[str, JsonValue])


_FORM, _FORM_DATA = "application/x-www-form-urlencoded", "multipart/form-data"
_STRING: JsonObject = {"type": "string"}
_FILE: JsonObject = {"type": "string", "format": "binary"}
_NUMBERS: JsonObject = {"type": "array", "items": {"type": "integer"}}
PNG = b"\x89PNG\r\n\x1a\n"
PNG_BASE64 = "iVBORw0KGgo="
HANDLE = "projects/p/locations/l/agents/a/sessions/s/files/f1"
"""Of a file `cat.png` (image/png) that holds `PNG`."""


def _object(**properties: JsonValue) -> JsonObject:
    return {"type": "object", "properties": properties}


def _media(media_type: str, schema: JsonObject, encoding: JsonObject | None = None) -> JsonObject:
    return {media_type: {"schema": schema, **({"encoding": encoding} if encoding else {})}}


def _parts(*parts: tuple[str, bytes]) -> bytes:
    """A multipart body of parts: their header lines, and their contents."""
    written = b"".join(b"--BOUNDARY\r\n" + head.encode() + b"\r\n\r\n" + data + b"\r\n" for head, data in parts)
    return written + b"--BOUNDARY--\r\n"


def _named(name: str, content_type: str, filename: str = "") -> str:
    file = f'; filename="{filename}"' if filename else ""
    return f'Content-Disposition: form-data; name="{name}"{file}\r\nContent-Type: {content_type}'


_DECLARATION = XML_DECLARATION.encode()
_ADDRESS: JsonObject = {"streetAddress": "123 Example Dr.", "city": "Somewhere", "state": "CA", "zip": "99999+1234"}
_TAGS: JsonObject = {"type": "array", "items": {"type": "string", "xml": {"name": "tag"}}}
_PET = _object(
    id={"type": "integer", "xml": {"attribute": True}},
    name={"type": "string", "xml": {"namespace": "http://example.com/schema/sample", "prefix": "sample"}},
    tags={**_TAGS, "xml": {"wrapped": True}},
    photoUrls={"type": "array", "items": _STRING},
)
BODIES = (
    BodyCase(
        "JSON",
        _media("application/json", {}),
        {"a": [1.0, "ü", None]},
        "application/json",
        '{"a":[1,"ü",null]}'.encode(),
    ),
    BodyCase(
        "integers of any size",
        _media("application/json", {}),
        {"a": 2**70},
        "application/json",
        b'{"a":1180591620717411303424}',
    ),
    BodyCase(
        "+json",
        _media("application/merge-patch+json", {}),
        {"a": None},
        "application/merge-patch+json",
        b'{"a":null}',
    ),
    BodyCase("a range", _media("*/*", _object()), {"a": 1}, "application/json", b'{"a":1}'),
    BodyCase(
        "lines of JSON",
        _media("application/x-ndjson", {}),
        [{"a": 1}, {"a": 2}],
        "application/x-ndjson",
        b'{"a":1}\n{"a":2}\n',
    ),
    BodyCase(
        "a form (the specification's example)",
        _media(_FORM, _object(id={"type": "string", "format": "uuid"}, address={"type": "object"})),
        {"id": "f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "address": _ADDRESS},
        _FORM,
        b"id=f81d4fae-7dec-11d0-a765-00a0c91e6bf6&address=%7B%22streetAddress%22:%22123+Example+Dr.%22,"
        b"%22city%22:%22Somewhere%22,%22state%22:%22CA%22,%22zip%22:%2299999%2B1234%22%7D",
    ),
    BodyCase(
        "a form's value as JSON (the specification's example)",
        _media(_FORM, _object(id=_STRING), {"id": {"contentType": "application/json"}}),
        {"id": "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"},
        _FORM,
        b"id=%22f81d4fae-7dec-11d0-a765-00a0c91e6bf6%22",
    ),
    BodyCase(
        "a form with arrays, nulls and empty values",
        _media(_FORM, {}),
        {"a": [1, True, "x y"], "b": None, "c": "", "d": [], "e": {}, "ü": "ß&="},
        _FORM,
        b"a=1&a=true&a=x+y&c=&e=%7B%7D&%C3%BC=%C3%9F%26%3D",
    ),
    BodyCase(
        "a form with styles",
        _media(
            _FORM,
            _object(a=_NUMBERS, b=_NUMBERS, c={"type": "object"}, d={"type": "object"}, e=_STRING, f=_NUMBERS),
            {
                "a": {"explode": False},
                "b": {"style": "pipeDelimited"},
                "c": {"style": "deepObject", "explode": True},
                "d": {"style": "form"},
                "e": {"allowReserved": True},
                "f": {"style": "spaceDelimited"},
            },
        ),
        {"a": [1, 2], "b": [1, 2], "c": {"k": "v w"}, "d": {"R": 1, "G": 2}, "e": "a/b", "f": [1, 2]},
        _FORM,
        b"a=1,2&b=1%7C2&c%5Bk%5D=v%20w&R=1&G=2&e=a/b&f=1%202",
    ),
    BodyCase("a form as a text", _media(_FORM, _STRING), "a=1&b=x+y", _FORM, b"a=1&b=x+y"),
    BodyCase(
        "form-data by type",
        _media(_FORM_DATA, _object(id=_STRING, n={"type": "integer"}, address={"type": "object"}, tags=_NUMBERS)),
        {"id": "ü", "n": 3, "address": {"city": "X"}, "tags": [1, 2], "none": None},
        f"{_FORM_DATA}; boundary=BOUNDARY",
        _parts(
            (_named("id", "text/plain; charset=utf-8"), "ü".encode()),
            (_named("n", "text/plain"), b"3"),
            (_named("address", "application/json"), b'{"city":"X"}'),
            (_named("tags", "text/plain"), b"1"),
            (_named("tags", "text/plain"), b"2"),
        ),
    ),
    BodyCase(
        "form-data with a file in base64",
        _media(_FORM_DATA, _object(photo=_FILE)),
        {"photo": {"name": 'a"b.png', "contents": PNG_BASE64, "mimeType": "image/png"}},
        f"{_FORM_DATA}; boundary=BOUNDARY",
        _parts((_named("photo", "image/png", "a%22b.png"), PNG)),
    ),
    BodyCase(
        "form-data with a file of the conversation",
        _media(_FORM_DATA, _object(photo=_FILE, other=_FILE)),
        {"photo": HANDLE, "other": {"file": HANDLE}},
        f"{_FORM_DATA}; boundary=BOUNDARY",
        _parts((_named("photo", "image/png", "cat.png"), PNG), (_named("other", "image/png", "cat.png"), PNG)),
    ),
    BodyCase(
        "form-data with several files, one of them a text",
        _media(_FORM_DATA, _object(files={"type": "array", "items": _FILE})),
        {"files": [{"name": "a.bin", "contents": "AAEC"}, "some text"]},
        f"{_FORM_DATA}; boundary=BOUNDARY",
        _parts(
            (_named("files", "application/octet-stream", "a.bin"), b"\x00\x01\x02"),
            (_named("files", "application/octet-stream", "files"), b"some text"),
        ),
    ),
    BodyCase(
        "form-data, a file of OpenAPI 3.1",
        _media(_FORM_DATA, _object(photo={"contentMediaType": "image/png"})),
        {"photo": {"name": "a", "contents": PNG_BASE64}},
        f"{_FORM_DATA}; boundary=BOUNDARY",
        _parts((_named("photo", "application/octet-stream", "a"), PNG)),
    ),
    BodyCase(
        "form-data with bytes in base64",
        _media(_FORM_DATA, _object(icon={"type": "string", "contentEncoding": "base64"})),
        {"icon": PNG_BASE64},
        f"{_FORM_DATA}; boundary=BOUNDARY",
        _parts(
            (f"{_named('icon', 'application/octet-stream')}\r\nContent-Transfer-Encoding: base64", PNG_BASE64.encode())
        ),
    ),
    BodyCase(
        "form-data after its encoding",
        _media(
            _FORM_DATA,
            _object(history={"type": "object"}, photo=_FILE, tags=_NUMBERS, meta={"type": "object"}),
            {
                "history": {"contentType": "application/xml; charset=utf-8"},
                "photo": {
                    "contentType": "image/png, image/jpeg",
                    "headers": {"X-Kind": {"schema": {"type": "string", "default": "pet"}}},
                },
                "tags": {"style": "form", "explode": False},
                "meta": {"style": "deepObject"},
            },
        ),
        {"history": {"a": 1}, "photo": {"contents": PNG_BASE64}, "tags": [1, 2], "meta": {"k": "v w"}},
        f"{_FORM_DATA}; boundary=BOUNDARY",
        _parts(
            (_named("history", "application/xml; charset=utf-8"), _DECLARATION + b"<history><a>1</a></history>"),
            (f"{_named('photo', 'image/png', 'photo')}\r\nX-Kind: pet", PNG),
            (_named("tags", "text/plain"), b"1,2"),
            (_named("meta[k]", "text/plain"), b"v w"),
        ),
    ),
    BodyCase(
        "form-data with headers from the model",
        _media(
            _FORM_DATA,
            _object(photo=_FILE),
            {"photo": {"headers": {"X-Limit": {"required": True, "schema": {"type": "integer"}}}}},
        ),
        {"photo": {"name": "a.png", "contents": PNG_BASE64}, "partHeaders": {"photo": {"X-Limit": 5}}},
        f"{_FORM_DATA}; boundary=BOUNDARY",
        _parts((f"{_named('photo', 'application/octet-stream', 'a.png')}\r\nX-Limit: 5", PNG)),
    ),
    BodyCase(
        "multipart/related",
        _media("multipart/related", _object(metadata={"type": "object"}, media=_FILE)),
        {"metadata": {"title": "t"}, "media": {"name": "a.png", "contents": PNG_BASE64}},
        'multipart/related; boundary=BOUNDARY; type="application/json"',
        _parts(
            (_named("metadata", "application/json"), b'{"title":"t"}'),
            (_named("media", "application/octet-stream", "a.png"), PNG),
        ),
    ),
    BodyCase(
        "multipart/mixed, unnamed parts",
        _media("multipart/mixed", {"type": "array"}),
        [{"a": 1}, "text"],
        "multipart/mixed; boundary=BOUNDARY",
        _parts(("Content-Type: application/json", b'{"a":1}'), ("Content-Type: text/plain", b"text")),
    ),
    BodyCase("a text", _media("text/plain", _STRING), "grün\n", "text/plain", "grün\n".encode()),
    BodyCase(
        "a text in another charset",
        _media("text/csv; charset=iso-8859-1", _STRING),
        "grün",
        "text/csv; charset=iso-8859-1",
        b"gr\xfcn",
    ),
    BodyCase("XML as a text", _media("application/xml", _STRING), "<a/>", "application/xml", b"<a/>"),
    BodyCase(
        "XML of an object that nobody describes, as a text",
        _media("text/xml", {"type": "object"}),
        "<a/>",
        "text/xml",
        b"<a/>",
    ),
    BodyCase(
        "XML",
        _media("application/xml", {"$ref": "#/components/schemas/Pet"}),
        {"id": 3, "name": 'a<b>&"c', "tags": ["x", "y"], "photoUrls": ["u", "v"], "more": None},
        "application/xml",
        _DECLARATION
        + b'<Pet id="3"><sample:name xmlns:sample="http://example.com/schema/sample">a&lt;b&gt;&amp;"c</sample:name>'
        b"<tags><tag>x</tag><tag>y</tag></tags><photoUrls>u</photoUrls><photoUrls>v</photoUrls></Pet>",
        {"Pet": _PET},
    ),
    BodyCase(
        "bytes in base64",
        _media("application/octet-stream", _FILE),
        {"contents": "AAEC"},
        "application/octet-stream",
        b"\x00\x01\x02",
    ),
    BodyCase(
        "bytes without a schema",
        _media("application/pdf", {}),
        {"contents": "AAEC"},
        "application/pdf",
        b"\x00\x01\x02",
    ),
    BodyCase(
        "a text as bytes", _media("application/octet-stream", _FILE), "plain", "application/octet-stream", b"plain"
    ),
    BodyCase("an image of the conversation", _media("image/*", _FILE), HANDLE, "image/png", PNG),
)
