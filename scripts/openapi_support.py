"""Writes docs/openapi-support.md from what tests send over a socket (tests/kit/wire_table.py, wire_bodies.py)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from openplaybook.jsonvalues import JsonValue, dumps
from tests.kit.wire_bodies import BODIES, BodyCase
from tests.kit.wire_table import REFUSED, ROWS, SPECIALS, VALUES

PAGE = Path("docs/openapi-support.md")

_INTRO = """# What we support of OpenAPI

Agents can call every operation of an OpenAPI 2.0, 3.0 or 3.1 description. This page shows what the server sends. It is
generated (`python -m scripts.openapi_support`) from the cases that `tests/integration/tools/test_wire.py` sends to a
socket and compares byte for byte.

## Parameters

The parameter is called `color`. The array is `["blue", "black", "brown"]`, the object `{"R": 100, "G": 200, "B": 150}`,
and the text `"a b/ü&=;,"`. "refused" means that nothing is sent and the model gets an error that says what to change.
Sources: OpenAPI 3.1.1 §4.8.12.4 and RFC 6570. ° marks what neither of them defines."""

_RULES = """\
* **Null** omits a parameter, an item or a member, as RFC 6570 does with undefined values. In a path, null is refused.
* **Empty path segments** are refused, because they lead to another path. So are `.` and `..`.
* **Several cookies** are separated by `; `, because an `&` belongs to a cookie's value (OpenAPI 3.1.1, appendix D).
* **Headers** are not percent-encoded. Line breaks and control characters in them are refused.
* **`tabDelimited`** is OpenAPI 2.0's `collectionFormat: tsv`; `csv`, `ssv`, `pipes` and `multi` become styles of 3.x.
* **`allowReserved`** keeps reserved characters that have no meaning in a query, and values that are already
  percent-encoded.
* **`{+name}` in a path** takes a value with slashes (RFC 6570 §3.2.3, as in Google's descriptions)."""

_BODIES = """## Bodies

The server sends the first media type of this list that the operation offers: `application/json`, other JSON types,
media type ranges, forms, `multipart/form-data`, XML, text, other multipart types, bytes. A form with files is sent as
`multipart/form-data` if that is offered. `BOUNDARY` stands for a random boundary that occurs in no part.

For a body or a part of raw bytes (`format: binary`, `contentMediaType` without `contentEncoding`, a media type such as
`image/png`), the model gives one of

* `{"name": "cat.png", "contents": "<base64>", "mimeType": "image/png"}` (`name` and `mimeType` are optional),
* the handle of a file of the conversation, or `{"file": "<handle>"}`,
* plain text, if the file can be text.

Examples of each kind of body:"""


def page() -> str:
    """The whole page."""
    main = ("empty", "string", "array", "object")
    more = [column for column in VALUES if column not in main]
    lines = [_INTRO, "", *_styles(main), "", "Other values:", "", *_styles(more), "", _RULES, ""]
    lines += ["### Beyond the styles", "", *_specials(), "", _BODIES, ""]
    for case in BODIES:
        lines += _body(case)
    return "\n".join(lines).rstrip() + "\n"


def _styles(columns: Sequence[str]) -> Iterator[str]:
    yield from _head(["in", "style", "explode", *columns])
    for row in ROWS:
        cells = (_cell(row.cells[column], row.is_open(column)) for column in columns)
        yield _line([row.place, row.style, "yes" if row.explode else "no", *cells])


def _cell(written: str | None, is_open: bool) -> str:
    if written is REFUSED:
        return "refused"
    return f"{_code(written) if written else 'nothing'}{'°' if is_open else ''}"


def _specials() -> Iterator[str]:
    yield from _head(["", "parameter", "value", "sent"])
    for case in SPECIALS:
        yield _line([case.title, _json(case.parameter), _json(case.value), _code(case.written)])


def _body(case: BodyCase) -> Iterator[str]:
    yield f"### {case.title[0].upper()}{case.title[1:]}"
    yield ""
    yield "Description and value:"
    yield ""
    yield "```json"
    yield _spelled(case.content)
    if case.components:
        yield _spelled({"components": {"schemas": case.components}})
    yield _spelled(case.value)
    yield "```"
    yield ""
    yield "Sent:"
    yield ""
    yield "```http"
    yield f"Content-Type: {case.media_type}"
    yield ""
    yield _shown(case.written)
    yield "```"
    yield ""


def _shown(data: bytes) -> str:
    """Bytes as they are read; those that are no text as `\\x89`."""
    text = data.decode("utf-8", "backslashreplace").replace("\r\n", "\n").rstrip("\n")
    return "".join(letter if letter.isprintable() or letter == "\n" else f"\\x{ord(letter):02x}" for letter in text)


def _head(columns: Sequence[str]) -> list[str]:
    return [_line(columns), "|" + "---|" * len(columns)]


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _json(value: JsonValue) -> str:
    return _code(_spelled(value))


def _code(text: str) -> str:
    return f"`{text.replace('|', chr(92) + '|')}`"


def _spelled(value: JsonValue) -> str:
    try:
        return dumps(value).decode()
    except TypeError:
        # An integer beyond 64 bits.
        members: Mapping[str, JsonValue] = value
        return "{" + ",".join(f'"{name}":{item}' for name, item in members.items()) + "}"


def main() -> None:
    """Rewrite the page in the working directory."""
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
