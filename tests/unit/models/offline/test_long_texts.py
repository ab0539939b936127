"""Texts made to take time: reading one takes no more than so many times its length."""

import pytest

from openplaybook.models.offline.language.tokenizer import read
from openplaybook.models.offline.speech.forces import Force
from openplaybook.models.offline.speech.speech_acts import SpeechActs, speech_of

_LANGUAGES = ("en", "de", "es", "fr")


def spoken(text: str) -> SpeechActs:
    return speech_of(read(text), frozenset(_LANGUAGES), frozenset(("cancel",)))


@pytest.mark.timeout(20)
@pytest.mark.parametrize("words", ["and ", "if ", "can you tell ", "please ", "was ist ", "ich habe "])
def test_the_same_words_again_and_again_are_passed_over_once(words: str) -> None:
    assert spoken(words * (60_000 // len(words))).clauses


def test_conditions_belong_to_the_questions_of_their_own_sentence() -> None:
    forces = [clause.force for clause in spoken("What happens if it is late? Cancel it if it is late.").clauses]
    assert forces == [Force.SUPPOSED, Force.SUPPOSED, Force.PLAIN, Force.CONDITIONAL]
