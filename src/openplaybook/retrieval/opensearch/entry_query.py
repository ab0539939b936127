"""From a request to the body of a search, and from its answer to hits.

Entries match by their heads or by a passage. Of each, the passages that have words of the request come back (`found`),
and the first one (`lead`), which is shown where only the title or the question has such words.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.retrieval.base import SearchHit, SearchRequest
from openplaybook.retrieval.language.analysis import analysis_of
from openplaybook.retrieval.opensearch.document_entry import SHOWN, hit_of
from openplaybook.retrieval.opensearch.match_explanation import matched_terms

FARTHEST: Final = 10_000
"""Entries that the engine counts through for one search (`index.max_result_window`)."""

_MOST_CLAUSES: Final = 800
"""Words of a request times fields that they are looked for in; the engine takes queries of 1,024 clauses."""
_MOST_CHARACTERS: Final = 4_000
_PAIR: Final = 2
_MOST_PASSAGES: Final = 100
"""Of one entry that come back (`index.max_inner_result_window`)."""
_COUNTED: Final = 10_000
"""Up to here, entries that match are counted."""
_HEADS: Final = {"title": "^2", "question": "^2"}
"""Fields, and how much a word in one counts."""
_BODIES: Final = ("text", "headings")


@dataclass(frozen=True, slots=True)
class EntryQuery:
    """What is asked of one store, whichever part of the hits is wanted."""

    request: SearchRequest
    languages: Sequence[str]
    """Of the store, those that have most documents."""
    clause: JsonObject | None
    """Of the filter."""
    written: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, dict[str, str]])
    """By language and term, the word of the request; empty unless the request asks why hits were found."""

    @property
    def text(self) -> str:
        """What is searched for, or as much of it as the engine takes."""
        text = self.request.text[:_MOST_CHARACTERS]
        words = [asked.written for asked in analysis_of("").asked(text)]
        left = _MOST_CLAUSES // (len(self.languages) * (len(_HEADS) + len(_BODIES)))
        for at, word in enumerate(words):
            # Analysers of languages with blanks make two terms of a pair of characters.
            left -= 1 if word.isascii() or len(word) > _PAIR else _PAIR
            if left < 0:
                return " ".join(words[:at])
        return text

    def body(self, start: int, size: int) -> JsonObject:
        """The body of a search for entries from `start` on."""
        by_words = bool(self.request.text.strip())
        asked: JsonObject = {"should": [self._lead()]}
        if by_words:
            asked["must"] = [self._words()]
        if self.clause is not None or not by_words:
            asked["filter"] = [self.clause or {"match_all": {}}]
        return {
            "query": {"bool": asked},
            "from": start,
            "size": size,
            "sort": [{"_score": {"order": "desc"}}, {"id": {"order": "asc"}}] if by_words else [{"id": "asc"}],
            "track_scores": by_words,
            "track_total_hits": _COUNTED,
            "explain": by_words and self.request.explain,
            "_source": {"includes": [*SHOWN]},
        }

    def hits(self, answer: JsonObject) -> Sequence[SearchHit]:
        """The hits of an answer: entries in its order, the best passage of each first."""
        return [hit for entry in entries_in(answer) for hit in self._hits_of(entry)]

    def _hits_of(self, entry: JsonObject) -> Iterator[SearchHit]:
        source, score = as_object(entry["_source"]), float(entry.get("_score") or 0.0)
        found, lead = _inner(entry, "found"), _inner(entry, "lead")
        if not found:
            hit = hit_of(source, as_object(lead[0]["_source"]) if lead else {}, score)
            yield self._explained(hit, entry, {})
            return
        # The score of an entry is that of its heads and of its best passage.
        heads = score - float(found[0]["_score"])
        for each in found:
            hit = hit_of(source, as_object(each["_source"]), heads + float(each["_score"]))
            yield self._explained(hit, entry, each)

    def _explained(self, hit: SearchHit, entry: JsonObject, passage: JsonObject) -> SearchHit:
        if not self.request.explain:
            return hit
        of_heads, of_passage = (as_object(each.get("_explanation")) for each in (entry, passage))
        return replace(hit, matched=matched_terms(of_heads, of_passage, self.written))

    def _words(self) -> JsonObject:
        text = self.text
        heads = [f"heads.{key}.{name}{boost}" for key in self.languages for name, boost in _HEADS.items()]
        bodies = [f"passages.{key}.{name}" for key in self.languages for name in _BODIES]
        most = self.request.most_per_document or self.request.offset + self.request.limit
        found: JsonObject = {
            "path": "passages",
            "query": _any_word(text, bodies),
            "score_mode": "max",
            "inner_hits": {"name": "found", "size": min(most, _MOST_PASSAGES), "explain": self.request.explain},
        }
        return {"bool": {"should": [_any_word(text, heads), {"nested": found}], "minimum_should_match": 1}}

    def _lead(self) -> JsonObject:
        lead: JsonObject = {
            "path": "passages",
            "query": {"term": {"passages.at": {"value": 0}}},
            "score_mode": "none",
            "inner_hits": {"name": "lead", "size": 1},
            "boost": 0.0,
        }
        return {"nested": lead}


def entries_in(answer: JsonObject) -> Sequence[JsonObject]:
    """What an answer to a search has, in its order."""
    return [as_object(each) for each in as_list(as_object(answer.get("hits")).get("hits"))]


def total_in(answer: JsonObject) -> int:
    """How many entries match; at least so many where there are many."""
    total: int = as_object(as_object(answer.get("hits")).get("total")).get("value", 0)
    return total


def _any_word(text: str, fields: Sequence[str]) -> JsonObject:
    return {"multi_match": {"query": text, "fields": [*fields], "type": "most_fields"}}


def _inner(entry: JsonObject, name: str) -> Sequence[JsonObject]:
    return entries_in(as_object(as_object(entry.get("inner_hits")).get(name)))
