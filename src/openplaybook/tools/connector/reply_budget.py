"""Answers of systems within a budget of bytes: fewer rows first, then shorter texts, always valid JSON that says so."""

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass

from openplaybook.connectors.errors import InvalidValue
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps

REPLY_BYTES = 32_000
"""Of one answer to a model (a page of 25 rows of ordinary width has a tenth)."""
_SHORT = 200
"""Characters that stay of a long text in a row that is too large alone."""
_MOST_ITEMS = 20
"""Items and members that stay of a large list or object in such a row."""
_DEEPEST = 6
_MARK = "rows."


@dataclass(frozen=True, slots=True)
class FittedRows:
    """Rows within the budget."""

    rows: Sequence[JsonObject]
    dropped: int
    """How many were left out, from the end."""
    is_shortened: bool
    """Whether texts or lists of the one row that is left were shortened."""


def fitted(rows: Sequence[JsonObject], most_bytes: int = REPLY_BYTES) -> FittedRows:
    """As many of the rows, from the first on, as fit; at least one."""
    size, kept = 0, 0
    for row in rows:
        size += len(dumps(row)) + 1
        if size > most_bytes and kept:
            break
        kept += 1
    if kept == 1 and size > most_bytes and len(dumps(rows[0])) > most_bytes:
        return FittedRows([as_object(_shortened(rows[0], 0))], len(rows) - 1, is_shortened=True)
    return FittedRows(rows[:kept], len(rows) - kept, is_shortened=False)


def _shortened(value: JsonValue, depth: int) -> JsonValue:
    if isinstance(value, str) and len(value) > _SHORT:
        return f"{value[:_SHORT]}… ({len(value):,} characters)"
    if isinstance(value, dict):
        members = as_object(value)
        if depth >= _DEEPEST:
            return f"… (an object of {len(members):,} members)"
        most = len(members) if depth == 0 else _MOST_ITEMS
        return {key: _shortened(each, depth + 1) for key, each in list(members.items())[:most]}
    if isinstance(value, list):
        items = as_list(value)
        if depth >= _DEEPEST:
            return f"… (a list of {len(items):,})"
        return [_shortened(each, depth + 1) for each in items[:_MOST_ITEMS]]
    return value


def resumed_token(page_token: str, skipped: int) -> str:
    """A token for the same page of the system, from the row behind the skipped ones on."""
    return base64.urlsafe_b64encode(f"{_MARK}{skipped}.{page_token}".encode()).decode().rstrip("=")


def read_token(token: str) -> tuple[str, int]:
    """The system's own token in one of ours, and how many of its rows were given before. Raises `InvalidValue`."""
    if not token:
        return "", 0
    try:
        text = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True).decode()
        mark, skipped, page_token = text.split(".", 2)
        if f"{mark}." != _MARK or not skipped.isdecimal() or len(skipped) > len("1000"):
            raise ValueError(skipped)
    except (binascii.Error, ValueError):
        raise InvalidValue("pageToken", "is not the nextPageToken of an earlier answer") from None
    return page_token, int(skipped)
