"""How good answers without a model are, and how honest their levels, on stored test sets."""

import os
from pathlib import Path

import pytest

from benchmarks.retrieval.answers import RetrievalSet, claim_scores, extract_figures
from openplaybook.retrieval.answers.base import GroundingLevel
from openplaybook.retrieval.answers.faq import matching_entry
from openplaybook.retrieval.answers.groundedness import CITATION_THRESHOLD, level_of
from openplaybook.retrieval.base import SearchHit

CORPUS = os.environ.get("OPENPLAYBOOK_CORPUS", "")
SETS = Path(CORPUS) / "retrieval"
pytestmark = pytest.mark.skipif(not CORPUS, reason="OPENPLAYBOOK_CORPUS names no folder of test sets")


@pytest.mark.proof
@pytest.mark.parametrize(("name", "least"), [("xquad-en", 0.77), ("xquad-de", 0.65)])
def test_the_best_sentence_has_the_answer_of_most_questions(name: str, least: float) -> None:
    test = RetrievalSet(SETS / name)
    assert extract_figures(test, test.queries).best >= least


@pytest.mark.proof
def test_high_levels_are_given_to_supported_claims() -> None:
    scores = claim_scores(SETS, ("xquad-en", "xquad-de", "xquad-es", "xquad-ru", "squad-pt"), passages=40)
    by_level = {
        level: [claim.is_supported for _, _, claim, score in scores if level_of(score) is level]
        for level in GroundingLevel
    }
    for level, least in ((GroundingLevel.VERY_HIGH, 0.95), (GroundingLevel.HIGH, 0.85)):
        assert sum(by_level[level]) / len(by_level[level]) >= least
    assert sum(by_level[GroundingLevel.VERY_LOW]) / len(by_level[GroundingLevel.VERY_LOW]) <= 0.05
    as_they_stand = [score for _, _, claim, score in scores if claim.kind == "as it stands"]
    assert sum(score >= CITATION_THRESHOLD for score in as_they_stand) / len(as_they_stand) >= 0.98


def test_an_faq_entry_overrides_only_for_its_question() -> None:
    test = RetrievalSet(SETS / "covidfaq-en")
    right: list[bool] = []
    for query in test.queries:
        hits = [
            SearchHit(each.id, 0, 1.0, each.title, "", each.text, question=each.title)
            for each in test.search(query.text, 10)
        ]
        match = matching_entry(query.text, hits, "en")
        if match is not None:
            right.append(hits[match.position].document in query.relevant)
    assert len(right) >= 15
    assert all(right)
