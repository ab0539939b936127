from hashlib import sha256

import pytest

from openplaybook.documents.encoded_text import LONG, EncodedText, encoded


@pytest.mark.parametrize("text", ["", "plain", "é" * (LONG + 1), "🦜" * LONG, "x" * (3 * LONG)])
def test_a_text_is_its_utf_8_whatever_its_length(text: str) -> None:
    assert EncodedText(text).data == text.encode()


def test_half_of_a_surrogate_pair_is_kept_for_whoever_judges_the_text() -> None:
    assert EncodedText("\ud83d").data == b"\xed\xa0\xbd"


def test_the_digest_is_that_of_the_utf_8() -> None:
    text = "é" * (2 * LONG)
    assert EncodedText(text).digest == sha256(text.encode()).digest()


def test_what_is_known_of_this_text_is_used_and_nothing_else() -> None:
    known = EncodedText("one")
    assert encoded(known.text, known) is known
    assert encoded("another", known).data == b"another"
    assert encoded("one more").data == b"one more"
