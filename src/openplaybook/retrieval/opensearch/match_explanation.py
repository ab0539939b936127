"""Why an entry was found, from the engine's explanation of a score: a tree, in which each term of a field is a node.

Such a node reads `weight(passages.en.text:appl in 12) [PerFieldSimilarity], result of:`. What a term was in the request
is known from the engine's own analysis of it (`_analyze`).
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.retrieval.base import MatchedTerm

_TERM: Final = re.compile(r"weight\((heads|passages)\.(\w+)\.(\w+):(.+) in \d+\)", re.DOTALL)


class _Weight(NamedTuple):
    """What a term adds to a score."""

    part: str
    """`heads` or `passages`."""
    language: str
    field: str
    term: str
    weight: float


def matched_terms(
    heads: JsonObject, passage: JsonObject, written: Mapping[str, Mapping[str, str]]
) -> tuple[MatchedTerm, ...]:
    """Terms by which a passage was found, heaviest first.

    `heads` explains the entry, of which what is said of passages belongs to the best one; `passage` explains this one.
    `written`: by language and term, the word of the request.
    """
    weights: dict[tuple[str, str], float] = {}
    for part, explanation in (("heads", heads), ("passages", passage)):
        for each in _terms_in(explanation):
            if each.part == part:
                key = written.get(each.language, {}).get(each.term, each.term), each.field
                weights[key] = weights.get(key, 0.0) + each.weight
    found = [MatchedTerm(word, field, weight) for (word, field), weight in weights.items()]
    return tuple(sorted(found, key=lambda each: (-each.weight, each.term, each.field)))


def words_by_term(text: str, analysis: JsonObject) -> dict[str, str]:
    """By term, the word of a text that became it, from the answer of `_analyze`."""
    # The engine counts units of UTF-16.
    units = text.encode("utf-16-le")
    words: dict[str, str] = {}
    for token in map(as_object, as_list(analysis.get("tokens"))):
        start, end = int(token["start_offset"]), int(token["end_offset"])
        words.setdefault(str(token["token"]), units[2 * start : 2 * end].decode("utf-16-le", errors="replace"))
    return words


def _terms_in(explanation: JsonObject) -> Iterator[_Weight]:
    left = [explanation]
    while left:
        node = left.pop()
        found = _TERM.match(str(node.get("description", "")))
        if found is None:
            left.extend(map(as_object, as_list(node.get("details"))))
        elif weight := float(node.get("value") or 0.0):
            yield _Weight(found[1], found[2], found[3], found[4], weight)
