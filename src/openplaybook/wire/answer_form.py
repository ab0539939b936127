"""How an answer over REST is to look, by the parameters that every Google API takes beside its own.

As documented (https://cloud.google.com/apis/docs/system-parameters): `alt`, `fields` and `prettyPrint`, each also with
`$` before it, and the header `X-Goog-FieldMask`, which is `fields`; and `Accept-Encoding: gzip` (RFC 9110 §12.5.3).
"""

import gzip
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from google.protobuf.descriptor import Descriptor

from openplaybook.jsonvalues import JsonObject, dumps, dumps_indented
from openplaybook.wire.codec import JsonError
from openplaybook.wire.field_selection import FieldSelection

_FIELDS_HEADER = "x-goog-fieldmask"
_WORTH = 1_400
"""Bytes above which an answer is compressed: fewer fit into one packet as they are."""
_LEVEL = 5


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """What a client asked for."""

    enums_as_ints: bool = False
    is_indented: bool = False
    as_events: bool = False
    """A stream as server-sent events rather than as a JSON array."""
    may_be_gzip: bool = False
    selection: FieldSelection | None = None
    """The fields that it wants; None: all."""

    def whole(self, value: JsonObject) -> tuple[bytes, Mapping[str, str]]:
        """An answer as it is sent, and the headers that say how."""
        written = self.item(value)
        if not self.may_be_gzip or len(written) < _WORTH:
            return written, _VARIES
        return gzip.compress(written, _LEVEL, mtime=0), _COMPRESSED

    def item(self, value: JsonObject) -> bytes:
        """One of a stream's answers."""
        if self.selection is not None:
            value = self.selection.of(value)
        return dumps_indented(value).encode() if self.is_indented and not self.as_events else dumps(value)


_VARIES = {"Vary": "Accept-Encoding"}
_COMPRESSED = {"Content-Encoding": "gzip", **_VARIES}


def answer_form(
    parameters: Sequence[tuple[str, str]], headers: Mapping[str, str], answer: Descriptor, *, is_stream: bool
) -> AnswerForm:
    """What the parameters of a request, and its headers, whose names are in lower case, ask of its `answer`.

    Raises `JsonError` for what is not served, or not understood.
    """
    given = {name.removeprefix("$"): value for name, value in parameters if name.removeprefix("$") in _OURS}
    kind, *options = given.get("alt", "json").split(";")
    if kind not in ("json", "sse") or (kind == "sse" and not is_stream):
        raise JsonError(f"alt: {kind[:100]!r} is not served; it takes json, and sse for an RPC that streams")
    for option in options:
        if option not in _ENCODINGS:
            raise JsonError(f"alt: {option[:100]!r} is not known; it takes {' or '.join(_ENCODINGS)}")
    fields = given.get("fields", headers.get(_FIELDS_HEADER, ""))
    return AnswerForm(
        enums_as_ints=_AS_INTS in options,
        is_indented=_truth("prettyPrint", given.get("prettyPrint", "false")),
        as_events=kind == "sse",
        may_be_gzip=_takes_gzip(headers.get("accept-encoding", "")),
        selection=FieldSelection.read(fields, answer) if fields else None,
    )


_OURS = ("alt", "fields", "prettyPrint")
_AS_INTS = "enum-encoding=int"
_ENCODINGS = (_AS_INTS, "enum-encoding=string")


def _truth(name: str, text: str) -> bool:
    if text not in ("true", "false", "1", "0"):
        raise JsonError(f"{name}: true or false is expected, not {text[:100]!r}")
    return text in ("true", "1")


def _takes_gzip(accepted: str) -> bool:
    for each in accepted.lower().split(","):
        coding, _, weight = each.partition(";")
        if coding.strip() in ("gzip", "x-gzip"):
            return weight.replace(" ", "").rstrip("0").rstrip(".") not in ("q=", "q=0")
    return False
