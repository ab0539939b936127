"""The word tables agree with each other."""

import pytest

from openplaybook.models.offline.language.lexicon import (
    CHANGING_ACTS,
    FOREIGN,
    NEGATIONS,
    PREPOSITION_CUES,
    PRONOUNS,
    QUESTION_WORDS,
    STOP_WORDS,
    SYNONYMS,
)
from openplaybook.models.offline.language.small_talk import SMALL_TALK
from openplaybook.models.offline.language.tokenizer import fold, key_of
from openplaybook.models.offline.short_answers import LEAD_INS


def test_no_word_stands_for_two_others_at_once() -> None:
    assert {word for word, head in SYNONYMS.items() if SYNONYMS.get(head) != head} == set()


def test_every_act_that_changes_something_is_the_head_of_its_synonyms() -> None:
    assert {act for act in CHANGING_ACTS if key_of(act) != act} == set()


@pytest.mark.parametrize("language", sorted(FOREIGN))
def test_foreign_words_are_lower_case_single_words_read_as_known_english_ones(language: str) -> None:
    table = FOREIGN[language]
    assert {word for word in table if word != word.casefold().strip() or " " in word} <= {"heißt"}
    assert {head for head in table.values() if not head.isascii() or not head.islower()} == set()


@pytest.mark.parametrize(
    ("word", "language", "key"),
    [
        ("zeige", "de", "show"),
        ("Lösche", "de", "remove"),
        ("heißt", "de", "name"),
        ("muéstrame", "es", "show"),
        ("borra", "es", "remove"),
        ("montrez", "fr", "show"),
        ("annule", "fr", "cancel"),
        ("delete", "en", "remove"),
        ("zeige", "en", "zeig"),
    ],
)
def test_acts_of_every_language_compare_equal(word: str, language: str, key: str) -> None:
    assert key_of(word, language) == key


def test_small_talk_is_written_as_it_is_compared_and_no_phrase_is_of_two_kinds() -> None:
    phrases = [phrase for group in SMALL_TALK.values() for phrase in group]
    assert len({fold(phrase) for phrase in phrases}) == len(phrases)
    assert [phrase for phrase in phrases if phrase != phrase.casefold()] == []


def test_lead_ins_are_written_as_they_are_compared() -> None:
    assert [phrase for phrase in LEAD_INS if fold(phrase) != phrase and phrase not in _WITH_SHARP_S] == []


_WITH_SHARP_S = ("er heißt", "sie heißt")


def test_question_words_pronouns_and_prepositions_are_function_words() -> None:
    assert QUESTION_WORDS - {"many", "much"} <= STOP_WORDS
    assert PRONOUNS <= STOP_WORDS
    assert set(PREPOSITION_CUES) - STOP_WORDS == {"near", "name", "belong"}
    assert NEGATIONS & {"not", "no"} == {"not", "no"}
