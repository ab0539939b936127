"""Every document of the corpus with random faults: inspected without a failure, each in a time that is bounded."""

import random

import pytest

from openplaybook.documents.errors import UnreadableDocument
from openplaybook.jsonvalues import dumps
from openplaybook.tools.openapi.description_report import inspect
from tests.kit.odd_documents import mutated
from tests.kit.openapi_corpus import CORPUS, LEFT_OUT, described

_LARGEST = 1_500_000
"""Bytes of a document: larger ones have the same faults, and take their time."""
_EACH = 20
"""Mutations of a document."""


@pytest.mark.proof
@pytest.mark.skipif(not CORPUS, reason=LEFT_OUT)
@pytest.mark.timeout(3600)
def test_documents_with_random_faults_are_inspected_without_a_failure() -> None:
    random_ = random.Random(20261122)
    inspected = refused = 0
    for each in described():
        if each.size > _LARGEST:
            continue
        root = each.root()
        for _ in range(_EACH):
            odd = mutated(root, random_, random_.randrange(1, 60))
            try:
                report = inspect(dumps(odd).decode(), each.id)
            except UnreadableDocument:
                refused += 1
                continue
            inspected += 1
            assert list(report)[:3] == ["document", "actions", "problems"], each.id
    print(f"\n{inspected} inspected, {refused} refused")
    assert inspected > refused
