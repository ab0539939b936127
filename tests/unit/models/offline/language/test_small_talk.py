"""Small talk as whole utterances, and in front of a request."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.models.offline.language.small_talk import SMALL_TALK, kind_of, without_greeting
from openplaybook.models.offline.language.tokenizer import fold

PHRASES = [(phrase, kind) for kind, phrases in SMALL_TALK.items() for phrase in phrases]


@pytest.mark.parametrize(("phrase", "kind"), PHRASES)
def test_every_known_phrase_is_of_its_kind_however_it_is_written(phrase: str, kind: str) -> None:
    assert [kind_of(text) for text in (phrase, phrase.title(), f"  {phrase} !", f"{phrase}...")] == [kind] * 4


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("hi, how can you help", "help"),
        ("Hello! Thanks. Bye!", "farewell"),
        ("ok - thanks", "thanks"),
        ("yes, please show pets", ""),
        ("hola, gracias", "thanks"),
        ("ja, danke", "thanks"),
        ("no; cancel", "cancel"),
        ("nothing to see", ""),
        ("yes " * 30, ""),
        ("...", ""),
        ("👋", ""),
    ],
)
def test_of_several_parts_the_last_decides_and_all_must_be_small_talk(text: str, kind: str) -> None:
    assert kind_of(text) == kind


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("hi, show me pet 3", "show me pet 3"),
        ("Hi! Show me pet 3", "Show me pet 3"),
        ("guten tag, zeig mir alles", "zeig mir alles"),
        ("good morning show me pet 3", "show me pet 3"),
        ("hola muéstrame todo", "muéstrame todo"),
        ("thanks, what about 5?", "what about 5?"),
        ("yes please, the red one", "the red one"),
        ("hi, hello, show pets", "show pets"),
        ("no problem, go on", "no problem, go on"),
        ("show me pets, thanks", "show me pets, thanks"),
        ("hi,", "hi,"),
        ("", ""),
    ],
)
def test_what_stands_behind_small_talk_is_what_is_wanted(text: str, rest: str) -> None:
    assert without_greeting(text) == rest


@given(st.text(max_size=120))
def test_what_is_left_is_the_end_of_what_was_said(text: str) -> None:
    rest = without_greeting(text)
    assert fold(text).endswith(fold(rest))
    assert bool(rest.strip()) == bool(text.strip())


@given(st.text(max_size=120))
def test_any_text_has_a_kind_or_none(text: str) -> None:
    assert kind_of(text) in {"", *SMALL_TALK}


def test_a_very_long_word_is_not_looked_at_for_a_greeting() -> None:
    text = f"{'x' * 100_000} y"
    assert without_greeting(text) == text
