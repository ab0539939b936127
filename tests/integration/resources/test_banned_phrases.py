"""Many phrases, held against long texts in a process of their own."""

import pytest

from openplaybook.resources import banned_phrases as judged
from openplaybook.resources.banned_phrases import Matching, Phrases
from openplaybook.resources.guardrails import GuardrailVerdict
from openplaybook.workers.child_processes import ChildProcesses
from openplaybook.workers.errors import WorkersBusy

LONG = "lorem ipsum dolor phrase numb " * 30_000
MANY = [f"phrase number {at}" for at in range(2_000)]


@pytest.mark.parametrize("matching", list(Matching))
async def test_a_megabyte_is_held_against_thousands_of_phrases(matching: Matching) -> None:
    phrases = Phrases(matching, MANY, without_marks=False)
    assert await phrases.judge(LONG) is GuardrailVerdict.FREE
    assert await phrases.judge(f"{LONG}. phrase number 1999!") is GuardrailVerdict.BANNED


async def test_phrases_match_there_as_they_do_in_short_texts() -> None:
    odd = ["c++", "STRASSE", "(", "a\tb", "naïve café", "\\d"]
    for text in ("I like c++ much", "die straße!", "a ( b", "a\tb", "a naive cafe", "\\d", "d1"):
        for matching in (Matching.SIMPLE, Matching.WORDS):
            phrases = Phrases(matching, odd, without_marks=True)
            assert await phrases.judge(text) is await phrases.judge(f"{text} {'x ' * 15_000}"), text


async def test_expressions_that_cannot_be_joined_are_held_one_by_one() -> None:
    named = [rf"(?P<a>cat{at})" for at in range(60)]
    phrases = Phrases(Matching.REGEXP, [*named, "("], without_marks=False)
    assert await phrases.judge("cat59") is GuardrailVerdict.BANNED
    assert await phrases.judge("x" * 30_000 + "cat59") is GuardrailVerdict.BANNED
    assert await phrases.judge("x" * 30_000) is GuardrailVerdict.FREE
    assert list(phrases.unusable()) == [60]


def test_expressions_are_not_called_wrong_where_there_is_no_place_to_compile_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    full = ChildProcesses("openplaybook.resources.banned_phrases:judge", most=0, memory=1, waiting=0)
    monkeypatch.setattr(judged, "JUDGES", full)
    with pytest.raises(WorkersBusy):
        Phrases(Matching.REGEXP, [f"a{index}" for index in range(60)], without_marks=False).unusable()
