"""Banned phrases of a setting."""

import pytest

from openplaybook.retrieval.answers.phrases import BannedPhrase, PhraseFilter, PhraseFinding

PHRASES = (BannedPhrase("cat"), BannedPhrase("Hund", "de"), BannedPhrase("perro", "es-MX"), BannedPhrase("  "))


@pytest.mark.proves("D13")
async def test_a_part_of_a_word_is_found_by_default() -> None:
    assert await PhraseFilter(PHRASES).find("CONCATENATE", "en") == PhraseFinding("cat")
    assert await PhraseFilter(PHRASES).find("a dog", "en") is None


async def test_only_whole_words_are_found_where_that_is_set() -> None:
    words = PhraseFilter(PHRASES, whole_words=True)
    assert await words.find("concatenate", "en") is None
    assert await words.find("my Cat!", "en") == PhraseFinding("cat")


@pytest.mark.parametrize(
    ("text", "language", "is_found"),
    [
        ("Hund", "de-AT", True),
        ("Hund", "en", False),
        ("Hund", "", True),
        ("perro", "es-MX", True),
        ("perro", "es", False),
        ("cat", "de", True),
    ],
)
async def test_a_phrase_holds_for_its_language(text: str, language: str, is_found: bool) -> None:
    assert (await PhraseFilter(PHRASES).find(text, language) is not None) is is_found


async def test_the_first_phrase_in_the_text_is_named() -> None:
    many = PhraseFilter(tuple(BannedPhrase(f"phrase {number:03}.") for number in range(100)))
    assert await many.find("a phrase 071. and phrase 033.", "en") == PhraseFinding("phrase 033.")


async def test_without_phrases_nothing_is_banned() -> None:
    assert await PhraseFilter().find("anything", "en") is None
