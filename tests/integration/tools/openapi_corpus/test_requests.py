"""Requests for operations of real documents are what their documents allow, says openapi-core."""

import pytest

from tests.kit.explained import explained
from tests.kit.openapi_corpus import CORPUS, LEFT_OUT, Described, stratified
from tests.kit.openapi_requests import verdicts

DOCUMENTS, MOST_OPERATIONS, EXAMPLES = 24, 20, 2

EXPLAINED = explained("requests")


@pytest.mark.skipif(not CORPUS, reason=LEFT_OUT)
@pytest.mark.proves("O11")
@pytest.mark.parametrize(
    "document", [each for each in stratified(DOCUMENTS, 300) if each.size < 1_000_000], ids=lambda document: document.id
)
async def test_requests_of_a_real_document_are_accepted_by_another_authors_validator(document: Described) -> None:
    found = await verdicts(document, EXAMPLES, MOST_OPERATIONS)
    assert found != []
    unexplained = [
        each
        for each in found
        if each.objection
        and not any(known.covers(each.document, each.operation, each.objection) for known in EXPLAINED)
    ]
    assert unexplained == []
