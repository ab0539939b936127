"""The text of an OpenAPI description: read at first glance, and searched for the lines where problems are."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from openplaybook.documents.encoded_text import EncodedText
from openplaybook.documents.errors import UnreadableDocument
from openplaybook.documents.json_text import looks_like_json
from openplaybook.documents.parser_process import ParserLimits, find_lines, read_text
from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools.base import Problem
from openplaybook.tools.openapi.description.document_bundle import DocumentBundle
from openplaybook.tools.openapi.tool_settings import ToolSettings

_DEFAULTS = ToolSettings()
_LIMITS = ParserLimits()
_SHOWN = 40
MAX_JSON = 60_000_000
MAX_YAML = 1_500_000
"""Characters of a text that is searched: a second or so."""


@dataclass(frozen=True, slots=True)
class Document:
    """A description, read but not judged."""

    root: JsonObject
    version: str
    """What its `openapi` or `swagger` member says, such as `3.0.3`."""


def load_document(
    text: str, settings: ToolSettings = _DEFAULTS, limits: ParserLimits = _LIMITS, known: EncodedText | None = None
) -> Document:
    """The description in `text`, which may refer to the documents in the settings, read here too; `known` as for
    `read_text`.

    Blocks: not for the event loop. Raises `UnreadableDocument`, and `WorkError` when too much waits to be read.
    """
    root = read_text(text, limits, known=known)
    if not isinstance(root, dict):
        raise UnreadableDocument(f"an OpenAPI description is an object with openapi, info and paths; {_what(root)}")
    description = cast(JsonObject, root)
    version = _version(description)
    bundle = DocumentBundle(description, settings.documents, settings.document_uri)
    bundle.read_all()
    return Document(bundle, version)


def _what(value: JsonValue) -> str:
    """What was given in place of a description."""
    if not isinstance(value, str):
        return "this is a list" if isinstance(value, list) else f"this is {value!r:.80}"
    if value.startswith(("http://", "https://")):
        return "this is an address: give the text that is there"
    return f"this is text that begins {value[:_SHOWN]!r}"


def _version(description: JsonObject) -> str:
    if "openapi" not in description and "swagger" in description:
        version = str(description["swagger"])
        if version not in ("2.0", "2"):
            raise UnreadableDocument(f"the member swagger says {version!r}; it must be 2.0")
        return "2.0"
    version = str(description.get("openapi", ""))
    if not version.startswith("3."):
        fault = f"says {version!r}" if version else "is missing"
        raise UnreadableDocument(
            f"the member openapi {fault}; it must be a version 3.x, such as 3.0.3 (or swagger, with 2.0)"
        )
    return version


def with_lines(problems: Sequence[Problem], text: str) -> list[Problem]:
    """The problems with the lines where they are, or where what holds them is; None for a text that is too large.

    Their paths are those of the document, such as `$.paths./pets.get`.
    """
    wanted = {problem.path for problem in problems if problem.line is None}
    if not wanted or len(text) > (MAX_JSON if looks_like_json(text) else MAX_YAML):
        return list(problems)
    lines = find_lines(text, wanted)
    return [replace(each, line=_nearest(each.path, lines)) if each.line is None else each for each in problems]


def _nearest(path: str, lines: dict[str, int]) -> int | None:
    """The line of a path, or of the longest beginning of it that has one."""
    while path and path not in lines:
        path = path[: max(path.rfind("."), path.rfind("["), 0)]
    return lines.get(path)
