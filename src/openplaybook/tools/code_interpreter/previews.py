"""What a model is shown of a file: a few lines of a text, the first rows of a workbook. Data, never instructions."""

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE

from openplaybook.jsonvalues import JsonObject
from openplaybook.sandbox.base import CodeFile
from openplaybook.tools.code_interpreter.workbooks import UnreadableWorkbook, first_rows

_MAX_LINES = 5
_MAX_LINE_CHARS = 200
_LOOKED_AT = 4_000
"""Bytes of a text."""
_ENCODINGS = (
    ("utf-8-sig", ""),
    ("utf-16", "UTF-16"),
    ("cp1252", "not UTF-8; shown as if it were cp1252"),
)
_NO_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]")


def preview(file: CodeFile) -> JsonObject:
    """Name, size and a look into a file."""
    told: JsonObject = {"name": file.name, "bytes": len(file.data)}
    if file.name.lower().endswith((".xlsx", ".xlsm")):
        try:
            return {**told, "sheets": [{"name": name, "firstRow": list(row)} for name, row in first_rows(file.data)]}
        except UnreadableWorkbook:
            return told
    return {**told, **_text(file.data)}


def _text(data: bytes) -> JsonObject:
    """The first lines of a text, and of one that is not UTF-8 how it was read; nothing of what is no text."""
    read = _decoded(data[:_LOOKED_AT])
    if read is None:
        return {}
    text, encoding = read
    lines = text.splitlines()[:_MAX_LINES]
    begins = [line if len(line) <= _MAX_LINE_CHARS else f"{line[:_MAX_LINE_CHARS]}…" for line in lines]
    found: JsonObject = {"begins": begins} if begins else {}
    return {**found, "encoding": encoding} if begins and encoding else found


def _decoded(data: bytes) -> tuple[str, str] | None:
    """A text and what may be said of its encoding: spreadsheets write UTF-16, and on Windows that of the country."""
    for codec, told in _ENCODINGS:
        if codec == "utf-16" and not data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
            continue
        # An incomplete character at the end is no fault of the text's.
        text = data.decode(codec, "replace").removesuffix("\ufffd")
        if not _NO_TEXT.search(text):
            return text, told
    return None
