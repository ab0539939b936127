"""Claims in sixteen languages: what a fact says is supported, what it says of other things and numbers is not."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from openplaybook.retrieval.answers.groundedness import CITATION_THRESHOLD, grounded

ROWS = [line.split("\t") for line in (Path(__file__).parent / "claims.tsv").read_text(encoding="utf-8").splitlines()]
"""Of a table: `F`, `S`, `W` and `N` with a language are a fact, what it supports, what it does not for another number
or date, and nonsense; `A` with a language and what is changed are a fact, a claim that it supports, and one that it
does not."""
FACTS = {row[1]: row[2] for row in ROWS if row[0] == "F"}
NONSENSE = {row[1]: row[2] for row in ROWS if row[0] == "N"}
ATTACKS = [row[1:] for row in ROWS if row[0] == "A"]


def claims(mark: str, language: str) -> list[str]:
    return [row[2] for row in ROWS if row[:2] == [mark, language]]


def score(claim: str, fact: str, language: str) -> float:
    return grounded(claim, (fact,), language).score


@pytest.mark.parametrize("language", FACTS)
def test_what_a_fact_says_is_supported_and_nonsense_is_not(language: str) -> None:
    fact = FACTS[language]
    assert [each for each in claims("S", language) if score(each, fact, language) < CITATION_THRESHOLD] == []
    assert [each for each in claims("W", language) if score(each, fact, language) >= CITATION_THRESHOLD] == []
    assert score(NONSENSE[language], fact, language) < 0.4


@given(some.sampled_from(sorted(FACTS)), some.integers(2, 9_999), some.integers(2, 9_999))
def test_a_number_is_supported_where_the_fact_has_it_and_only_there(language: str, said: int, other: int) -> None:
    fact, claim = FACTS[language].replace("330", str(said)), claims("S", language)[0]
    assert score(claim.replace("330", str(said)), fact, language) >= CITATION_THRESHOLD
    if other != said:
        assert score(claim.replace("330", str(other)), fact, language) < CITATION_THRESHOLD


@given(some.sampled_from(sorted(FACTS)), some.sampled_from(sorted(FACTS)))
def test_nonsense_is_not_supported_by_facts_in_any_language(language: str, other: str) -> None:
    facts = (FACTS[language], FACTS[other])
    assert grounded(NONSENSE[language], facts, language).score < 0.4


@pytest.mark.parametrize(("language", "kind", "fact", "supported", "wrong"), ATTACKS)
def test_a_small_change_that_makes_a_claim_false_is_seen(
    language: str, kind: str, fact: str, supported: str, wrong: str
) -> None:
    assert score(supported, fact, language) >= CITATION_THRESHOLD, kind
    assert score(wrong, fact, language) < CITATION_THRESHOLD, kind
