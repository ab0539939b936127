"""What requests look like on the wire: the cases that tests send, and that docs/openapi-support.md shows.

Cells of OpenAPI 3.1.1 §4.8.12.4 ("Style Examples") are copied from there. What it leaves open follows RFC 6570 where
that says something, and is our reading else.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, JsonValue

REFUSED = None
"""The call is refused before anything is sent."""

NAME = "color"
ARRAY: JsonValue = ["blue", "black", "brown"]
OBJECT: JsonObject = {"R": 100, "G": 200, "B": 150}
TEXT = "a b/ü&=;,"
VALUES: Mapping[str, JsonValue] = {
    "empty": "",
    "string": "blue",
    "array": ARRAY,
    "object": OBJECT,
    "number": 3,
    "boolean": True,
    "empty array": [],
    "empty object": {},
    "null": None,
    "text": TEXT,
}
"""The columns of the table."""


@dataclass(frozen=True)
class Row:
    """A style in a place, exploded or not."""

    place: str
    style: str
    explode: bool
    written: tuple[str | None, ...]
    """What is written for each of `VALUES`; empty: the parameter is left out, or its value is empty in a header."""

    @property
    def cells(self) -> dict[str, str | None]:
        """By column."""
        return dict(zip(VALUES, self.written, strict=True))

    def is_open(self, column: str) -> bool:
        """Whether the specification leaves the cell open: it says "n/a", or has no such style."""
        if self.style == "tabDelimited":
            return True
        is_list = column in ("array", "object", "empty array", "empty object")
        if self.style in ("spaceDelimited", "pipeDelimited"):
            return self.explode or not is_list
        if self.style == "deepObject":
            return not self.explode or "object" not in column
        return self.place == "cookie" and is_list


_IN_PATH = "a%20b%2F%C3%BC%26%3D%3B%2C"
_LIST, _FLAT, _PAIRS = "blue,black,brown", "R,100,G,200,B,150", "R=100,G=200,B=150"
_SINGLE = ("color=3", "color=true", "", "", "", f"color={_IN_PATH}")
_REPEATED = "color=blue&color=black&color=brown"
_MEMBERS = "R=100&G=200&B=150"
_NUMBERED = "color%5B0%5D=blue&color%5B1%5D=black&color%5B2%5D=brown"
_DEEP = "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"
_NONE = (REFUSED, REFUSED, REFUSED)
ROWS = (
    Row("path", "simple", False, (REFUSED, "blue", _LIST, _FLAT, "3", "true", *_NONE, _IN_PATH)),
    Row("path", "simple", True, (REFUSED, "blue", _LIST, _PAIRS, "3", "true", *_NONE, _IN_PATH)),
    Row("path", "label", False, (REFUSED, ".blue", f".{_LIST}", f".{_FLAT}", ".3", ".true", *_NONE, f".{_IN_PATH}")),
    Row(
        "path",
        "label",
        True,
        (REFUSED, ".blue", ".blue.black.brown", ".R=100.G=200.B=150", ".3", ".true", *_NONE, f".{_IN_PATH}"),
    ),
    Row(
        "path",
        "matrix",
        False,
        (
            ";color",
            ";color=blue",
            f";color={_LIST}",
            f";color={_FLAT}",
            ";color=3",
            ";color=true",
            ";color",
            ";color",
            REFUSED,
            f";color={_IN_PATH}",
        ),
    ),
    Row(
        "path",
        "matrix",
        True,
        (
            ";color",
            ";color=blue",
            ";color=blue;color=black;color=brown",
            ";R=100;G=200;B=150",
            ";color=3",
            ";color=true",
            *_NONE,
            f";color={_IN_PATH}",
        ),
    ),
    Row("query", "form", False, ("color=", "color=blue", f"color={_LIST}", f"color={_FLAT}", *_SINGLE)),
    Row("query", "form", True, ("color=", "color=blue", _REPEATED, _MEMBERS, *_SINGLE)),
    Row(
        "query",
        "spaceDelimited",
        False,
        ("color=", "color=blue", "color=blue%20black%20brown", "color=R%20100%20G%20200%20B%20150", *_SINGLE),
    ),
    Row("query", "spaceDelimited", True, ("color=", "color=blue", _REPEATED, _MEMBERS, *_SINGLE)),
    Row(
        "query",
        "pipeDelimited",
        False,
        ("color=", "color=blue", "color=blue%7Cblack%7Cbrown", "color=R%7C100%7CG%7C200%7CB%7C150", *_SINGLE),
    ),
    Row("query", "pipeDelimited", True, ("color=", "color=blue", _REPEATED, _MEMBERS, *_SINGLE)),
    Row(
        "query",
        "tabDelimited",
        False,
        ("color=", "color=blue", "color=blue%09black%09brown", "color=R%09100%09G%09200%09B%09150", *_SINGLE),
    ),
    Row("query", "tabDelimited", True, ("color=", "color=blue", _REPEATED, _MEMBERS, *_SINGLE)),
    Row("query", "deepObject", False, ("color=", "color=blue", _NUMBERED, _DEEP, *_SINGLE)),
    Row("query", "deepObject", True, ("color=", "color=blue", _NUMBERED, _DEEP, *_SINGLE)),
    Row("header", "simple", False, ("", "blue", _LIST, _FLAT, "3", "true", "", "", "", TEXT)),
    Row("header", "simple", True, ("", "blue", _LIST, _PAIRS, "3", "true", "", "", "", TEXT)),
    Row(
        "cookie",
        "form",
        False,
        (
            "color=",
            "color=blue",
            f"color={_LIST}",
            f"color={_FLAT}",
            *_SINGLE[:-1],
            "color=a%20b/%C3%BC&=%3B%2C",
        ),
    ),
    Row(
        "cookie",
        "form",
        True,
        (
            "color=",
            "color=blue",
            "color=blue; color=black; color=brown",
            "R=100; G=200; B=150",
            *_SINGLE[:-1],
            "color=a%20b/%C3%BC&=%3B%2C",
        ),
    ),
)


@dataclass(frozen=True)
class Special:
    """A parameter beyond the table of styles."""

    title: str
    parameter: JsonObject
    value: JsonValue
    written: str
    """The request's target after the first slash, or the text of the header."""


_JSON_PARAMETER: JsonObject = {"application/json": {"schema": {"type": "object"}}}
_XML_PARAMETER: JsonObject = {"application/xml": {"schema": {"type": "object"}}}
XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'
_XML = f"{XML_DECLARATION}<p><a>1</a></p>"
_TEXT_PARAMETER: JsonObject = {"text/plain": {"schema": {"type": "string"}}}
SPECIALS = (
    Special("JSON in a query", {"in": "query", "content": _JSON_PARAMETER}, {"a": [1]}, "?p=%7B%22a%22%3A%5B1%5D%7D"),
    Special("JSON in a path", {"in": "path", "content": _JSON_PARAMETER}, {"a": 1}, "%7B%22a%22%3A1%7D"),
    Special("JSON in a header", {"in": "header", "content": _JSON_PARAMETER}, {"a": "ü"}, '{"a":"\\u00fc"}'),
    Special("JSON in a cookie", {"in": "cookie", "content": _JSON_PARAMETER}, {"a": 1}, "p={%22a%22:1}"),
    Special("XML in a header", {"in": "header", "content": _XML_PARAMETER}, {"a": 1}, _XML),
    Special("a text in a query", {"in": "query", "content": _TEXT_PARAMETER}, "a b", "?p=a%20b"),
    Special(
        "allowReserved",
        {"in": "query", "allowReserved": True},
        "a/b:c?d=e&f#g[h]%20",
        "?p=a/b:c?d%3De%26f%23g%5Bh%5D%20",
    ),
    Special("allowEmptyValue", {"in": "query", "allowEmptyValue": True, "schema": {"type": "integer"}}, "", "?p="),
    Special(
        "a nested deepObject",
        {"in": "query", "style": "deepObject"},
        {"a": {"b": 1}, "c": [1, 2], "d": [{"e": 3}], "f": None},
        "?p%5Ba%5D%5Bb%5D=1&p%5Bc%5D=1&p%5Bc%5D=2&p%5Bd%5D%5B0%5D%5Be%5D=3",
    ),
    Special("null among the items", {"in": "query"}, ["a", None, "b"], "?p=a&p=b"),
    Special("an object in an array", {"in": "query"}, [{"a": 1}], "?p=%7B%22a%22%3A1%7D"),
    Special("a whole number", {"in": "query", "schema": {"type": "integer"}}, 3.0, "?p=3"),
    Special("beyond 2^53", {"in": "query", "schema": {"type": "integer"}}, 2**53 + 1, "?p=9007199254740993"),
)
