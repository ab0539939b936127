"""Real documents are read in full, and what we refuse is refused by another author's validator too."""

import pytest

from tests.kit.explained import explained
from tests.kit.openapi_agreement import agreement
from tests.kit.openapi_corpus import CORPUS, LEFT_OUT, Described, described

LARGEST = 150_000
"""Bytes; `make proof` reads the larger ones as well."""

EXPLAINED = explained("refusals")


@pytest.mark.skipif(not CORPUS, reason=LEFT_OUT)
@pytest.mark.proves("O11")
@pytest.mark.parametrize(
    "document", [each for each in described() if each.size <= LARGEST], ids=lambda document: document.id
)
def test_every_operation_of_a_real_document_is_listed_and_none_is_refused_without_reason(document: Described) -> None:
    found = agreement(document)
    unexplained = [
        refusal
        for refusal in found.refusals
        if not refusal.is_shared
        and not any(each.covers(document.id, refusal.operation, refusal.message) for each in EXPLAINED)
    ]
    assert unexplained == []
    assert found.illegal_names == []
    assert found.operations == document.operations
