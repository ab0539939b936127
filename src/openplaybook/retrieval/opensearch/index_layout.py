"""How a store stands in a cluster: one index, whose entries are whole documents, with their passages nested.

An entry is written and replaced at once, so that a document is there with all its passages or not at all. Texts stand
below the language that they are analysed in (`passages.de.text`), as each document may be of another one. The index
has the number of its layout at the end of its name; stores are reached by its alias, which has none: so a write never
makes an index of another mapping.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Final

from openplaybook.jsonvalues import JsonObject
from openplaybook.retrieval.base import StoreDocument
from openplaybook.retrieval.index.passage_entry import language_of

LAYOUT: Final = 1
"""Grows whenever entries or the mapping change."""

OURS: Final = "openplaybook"
"""The member of the mapping's `_meta` that says the layout and the store."""

ANALYZERS: Final[Mapping[str, str]] = {
    "ar": "arabic", "bg": "bulgarian", "bn": "bengali", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german",
    "el": "greek", "en": "english", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian",
    "fi": "finnish", "fr": "french", "ga": "irish", "gl": "galician", "hi": "hindi", "hu": "hungarian",
    "hy": "armenian", "id": "indonesian", "it": "italian", "ja": "cjk", "ko": "cjk", "lt": "lithuanian",
    "lv": "latvian", "nl": "dutch", "no": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian",
    "sv": "swedish", "th": "thai", "tr": "turkish", "zh": "cjk", "und": "standard",
}  # fmt: skip
"""Analysers that both engines have built in, by primary subtag; `und` is for all other languages."""

MOST_NESTED: Final = 100_000
"""Passages, numbers and places of one document together."""

_REFRESH: Final = "500ms"
"""Until what was written is found."""
_KEYWORD: Final[JsonObject] = {"type": "keyword"}
_TEXT: Final[JsonObject] = {"type": "text"}
_KEPT: Final[JsonObject] = {"type": "object", "enabled": False}
"""Given back as it came, and not looked into."""


def alias_of(prefix: str, store: str) -> str:
    """What a store is reached by: a name of any length and case is none for an index."""
    return f"{prefix}-{sha256(store.encode()).hexdigest()[:32]}"


def index_of(alias: str) -> str:
    """The index that the alias of a store leads to."""
    return f"{alias}-{LAYOUT}"


def analysis_language(document: StoreDocument) -> str:
    """The key of `ANALYZERS` that a document's texts stand below."""
    language = language_of(document)
    return language if language in ANALYZERS else "und"


def new_index(store: str, alias: str) -> JsonObject:
    """What makes the index of a store (`PUT /{index}`)."""
    return {
        "aliases": {alias: {}},
        "settings": {
            "index": {"refresh_interval": _REFRESH, "mapping": {"nested_objects": {"limit": MOST_NESTED}}},
        },
        "mappings": {
            "dynamic": "strict",
            "_meta": {OURS: {"layout": LAYOUT, "store": store}},
            "properties": _properties(),
        },
    }


def _properties() -> JsonObject:
    passages: JsonObject = {"at": {"type": "integer"}, "page": {"type": "integer", "index": False}}
    return {
        "form": {"type": "integer", "index": False},
        "id": _KEYWORD,
        "uri": _KEPT,
        "address": _KEYWORD,
        "language": _KEYWORD,
        "analysis": _KEYWORD,
        "digest": _KEPT,
        "media_type": _KEPT,
        "passage_count": {"type": "integer"},
        "bytes": {"type": "long"},
        "data": _KEPT,
        "source": _KEPT,
        "terms": _KEYWORD,
        "numbers": _nested({"path": _KEYWORD, "value": {"type": "double"}}),
        "places": _nested({"path": _KEYWORD, "point": {"type": "geo_point"}}),
        "heads": {"properties": _by_language(("title", "question"))},
        "passages": _nested({**passages, **_by_language(("text", "headings"))}),
    }


def _nested(properties: JsonObject) -> JsonObject:
    return {"type": "nested", "properties": properties}


def _by_language(names: Sequence[str]) -> JsonObject:
    return {
        language: {"properties": {name: {**_TEXT, "analyzer": analyzer} for name in names}}
        for language, analyzer in ANALYZERS.items()
    }
