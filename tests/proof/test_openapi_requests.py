"""Requests for each operation of 60 documents, judged by openapi-core."""

from collections import Counter

import pytest

from tests.kit.explained import explained
from tests.kit.openapi_corpus import CORPUS, LEFT_OUT, stratified
from tests.kit.openapi_requests import NO_ARGUMENTS, Verdict, verdicts

DOCUMENTS, MOST_OPERATIONS, EXAMPLES = 60, 500, 3
LEAST_ACCEPTED = 0.995


@pytest.mark.proof
@pytest.mark.skipif(not CORPUS, reason=LEFT_OUT)
@pytest.mark.proves("O11")
@pytest.mark.timeout(1200)
async def test_requests_of_sixty_documents_are_accepted_by_another_authors_validator() -> None:
    found: list[Verdict] = []
    documents = stratified(DOCUMENTS, MOST_OPERATIONS)
    for each in documents:
        found.extend(await verdicts(each, EXAMPLES))
    known = explained("requests")
    refused = [each for each in found if each.objection]
    unexplained = [
        each for each in refused if not any(one.covers(each.document, each.operation, each.objection) for one in known)
    ]
    made = [each for each in found if each.objection != NO_ARGUMENTS]
    accepted = sum(not each.objection for each in made) / len(made)
    reasons = Counter(
        next((one.reason for one in known if one.covers(each.document, each.operation, each.objection)), "unexplained")
        for each in refused
    )
    print(f"\n{len(documents)} documents, {len(made)} requests, {accepted:.2%} accepted")
    for reason, count in reasons.most_common():
        print(f"{count:5} {reason}")
    assert unexplained == []
    assert accepted >= LEAST_ACCEPTED
