"""Reading an OpenAPI description: its text, at first glance."""

from dataclasses import dataclass
from typing import cast

from openplaybook.documents.encoded_text import EncodedText
from openplaybook.documents.errors import UnreadableDocument
from openplaybook.documents.parser_process import ParserLimits, read_text
from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools.openapi.description.document_bundle import DocumentBundle
from openplaybook.tools.openapi.tool_settings import ToolSettings

_DEFAULTS = ToolSettings()
_LIMITS = ParserLimits()
_SHOWN = 40


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
        said = f"says {version!r}" if version else "is missing"
        raise UnreadableDocument(
            f"the member openapi {said}; it must be a version 3.x, such as 3.0.3 (or swagger, with 2.0)"
        )
    return version
