"""All documents of the corpus: every operation listed, and every error we report a true one."""

from collections import Counter
from collections.abc import Collection

import pytest

from tests.kit.explained import explained
from tests.kit.openapi_agreement import Agreement, Refusal, agreement
from tests.kit.openapi_corpus import CORPUS, LEFT_OUT, described


@pytest.mark.proof
@pytest.mark.skipif(not CORPUS, reason=LEFT_OUT)
@pytest.mark.proves("O11")
@pytest.mark.timeout(1200)
def test_every_operation_of_every_document_is_listed_and_each_error_is_a_true_one() -> None:
    documents = described()
    found = {each.id: agreement(each) for each in documents}
    refusals = [refusal for each in found.values() for refusal in each.refusals]
    known = explained("refusals")
    unexplained = [
        refusal
        for refusal in refusals
        if not refusal.is_shared
        and not any(each.covers(refusal.document, refusal.operation, refusal.message) for each in known)
    ]
    _print_table(found.values(), refusals)
    assert unexplained == []
    assert {name: each.illegal_names for name, each in found.items() if each.illegal_names} == {}
    assert {each.id: found[each.id].operations for each in documents} == {
        each.id: each.operations for each in documents
    }


def _print_table(found: Collection[Agreement], refusals: list[Refusal]) -> None:
    verdicts = Counter((_word(each.is_valid), "refuse some" if each.refusals else "refuse none") for each in found)
    print("\nthe validator says | we | documents")
    for (theirs, ours), count in sorted(verdicts.items()):
        print(f"{theirs:18} | {ours:11} | {count}")
    operations, callable_ = sum(each.operations for each in found), sum(each.callable_operations for each in found)
    print(f"{operations} operations listed, {callable_} callable")
    for refusal in refusals:
        print(f"refused: {refusal}")


def _word(is_valid: bool | None) -> str:
    return {True: "valid", False: "not valid", None: "nothing"}[is_valid]
