"""Many phrases, held against long texts in a process of their own."""

import pytest

from openplaybook.resources import phrases as judged
from openplaybook.resources.guardrails import Verdict
from openplaybook.resources.phrases import Matching, Phrases
from openplaybook.workers.children import Children
from openplaybook.workers.errors import WorkersBusy

LONG = "lorem ipsum dolor phrase numb " * 30_000
MANY = [f"phrase number {at}" for at in range(2_000)]


@pytest.mark.parametrize("matching", list(Matching))
async def test_a_megabyte_is_held_against_thousands_of_phrases(matching: Matching) -> None:
    phrases = Phrases(matching, MANY, without_marks=False)
    assert await phrases.judge(LONG) is Verdict.FREE
    assert await phrases.judge(f"{LONG}. phrase number 1999!") is Verdict.BANNED


async def test_phrases_match_there_as_they_do_in_short_texts() -> None:
    odd = ["c++", "STRASSE", "(", "a\tb", "naïve café", "\\d"]
    for text in ("I like c++ much", "die straße!", "a ( b", "a\tb", "a naive cafe", "\\d", "d1"):
        for matching in (Matching.SIMPLE, Matching.WORDS):
            phrases = Phrases(matching, odd, without_marks=True)
            assert await phrases.judge(text) is await phrases.judge(f"{text} {'x ' * 15_000}"), text


async def test_expressions_that_cannot_be_joined_are_held_one_by_one() -> None:
    named = [rf"(?P<a>cat{at})" for at in range(60)]
    phrases = Phrases(Matching.REGEXP, [*named, "("], without_marks=False)
    assert await phrases.judge("cat59") is Verdict.BANNED
    assert await phrases.judge("x" * 30_000 + "cat59") is Verdict.BANNED
    assert await phrases.judge("x" * 30_000) is Verdict.FREE
    assert list(phrases.unusable()) == [60]


def test_expressions_are_not_called_wrong_where_there_is_no_place_to_compile_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    full = Children("openplaybook.resources.phrases:judge", most=0, memory=1, waiting=0)
    monkeypatch.setattr(judged, "JUDGES", full)
    with pytest.raises(WorkersBusy):
        Phrases(Matching.REGEXP, [f"a{index}" for index in range(60)], without_marks=False).unusable()
