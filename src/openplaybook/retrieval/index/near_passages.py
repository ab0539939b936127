"""Passages that are near a question, as somebody else has found them: looked up in the index, and fused with those that
its words have found."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from openplaybook.jsonvalues import JsonObject
from openplaybook.retrieval.index.hit_selection import FoundPassage, HitSelection
from openplaybook.retrieval.index.passage_entry import ID, PASSAGE
from openplaybook.retrieval.ranking.rank_fusion import FUSED, fused, score_at

if TYPE_CHECKING:
    from tantivy import Query, Schema, Searcher

PassageKey: TypeAlias = tuple[str, int]
"""Id of a document, and the position of a passage in it."""


def looked_up(
    keys: Sequence[PassageKey],
    schema: "Schema",
    searcher: "Searcher",
    narrowed: "Callable[[Query], Query]",
    test: Callable[[JsonObject, str], bool] | None,
) -> Sequence[FoundPassage]:
    """Those of some passages that the index has, in their order, and no more than are fused.

    `narrowed` makes a query one for what the filter lets through, and `test` says what the engine could not.
    """
    from tantivy import Occur, Query

    wanted = [
        (
            Occur.Should,
            Query.boolean_query(
                [
                    (Occur.Must, Query.term_query(schema, ID, document, "basic")),
                    (Occur.Must, Query.term_query(schema, PASSAGE, passage)),
                ]
            ),
        )
        for document, passage in keys
    ]
    found = HitSelection(searcher, most_per_document=0).best(narrowed(Query.boolean_query(wanted)), len(keys))
    by_key = {(each.hit.document, each.hit.passage): each for each in found}
    present = (by_key[key] for key in keys if key in by_key)
    return [each for each in present if test is None or test(each.hit.data, each.hit.uri)][:FUSED]


def fused_passages(
    by_words: Sequence[FoundPassage], near: Sequence[FoundPassage], most_per_document: int
) -> Sequence[FoundPassage]:
    """One order of both, with scores of its own; behind the first of them follows what words alone have found.

    Where one passage of each document is wanted, documents are fused, and each is shown by the passage with its words.
    """

    def key(found: FoundPassage) -> PassageKey:
        return (found.hit.document, -1 if most_per_document == 1 else found.hit.passage)

    scores = fused([key(each) for each in by_words[:FUSED]], [key(each) for each in near])
    places: dict[PassageKey, FoundPassage] = {}
    for each in (*by_words[:FUSED], *near):
        places.setdefault(key(each), each)
    scores |= {key(each): score_at(rank) for rank, each in enumerate(by_words) if key(each) not in scores}
    places |= {key(each): each for each in by_words[FUSED:] if key(each) not in places}
    order = [FoundPassage(replace(places[at].hit, score=score), places[at].address) for at, score in scores.items()]
    return _limited(order, most_per_document)


def _limited(order: Sequence[FoundPassage], most_per_document: int) -> Sequence[FoundPassage]:
    if not most_per_document:
        return order
    taken: Counter[str] = Counter()
    kept: list[FoundPassage] = []
    for each in order:
        taken[each.hit.document] += 1
        if taken[each.hit.document] <= most_per_document:
            kept.append(each)
    return kept
