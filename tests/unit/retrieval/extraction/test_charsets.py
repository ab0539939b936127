"""Bytes of texts as texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.retrieval.extraction.charsets import decode_text

RUSSIAN = "Кошкам нужна вода каждый день, особенно летом."
GERMAN = "Katzen brauchen täglich frisches Wasser, im Sommer größere Mengen."


@pytest.mark.parametrize("charset", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_mark_at_the_beginning_decides(charset: str) -> None:
    decoded = decode_text(RUSSIAN.encode(charset), "iso-8859-1")
    assert (decoded.text, decoded.notes) == (RUSSIAN, ())


@pytest.mark.parametrize(
    ("data", "declared", "charset"),
    [
        (RUSSIAN.encode("windows-1251"), "windows-1251", "windows-1251"),
        (RUSSIAN.encode("koi8-r"), "KOI8-R", "koi8-r"),
        (GERMAN.encode("windows-1252"), "iso-8859-1", "windows-1252"),
        (GERMAN.encode("windows-1252"), "us-ascii", "windows-1252"),
        ("猫には水が必要です".encode("cp932"), "Shift_JIS", "cp932"),
        ("猫需要水".encode("gb18030"), "gb2312", "gb18030"),
    ],
)
def test_a_declared_character_set_is_taken_as_browsers_take_it(data: bytes, declared: str, charset: str) -> None:
    decoded = decode_text(data, declared)
    assert (decoded.text, decoded.charset, decoded.notes) == (data.decode(charset), charset, ())


def test_a_page_says_its_own_character_set() -> None:
    for markup in (
        '<meta charset="windows-1251">',
        "<meta http-equiv=content-type content='text/html; charset=cp1251'>",
    ):
        assert RUSSIAN in decode_text((markup + RUSSIAN).encode("cp1251"), has_markup=True).text


def test_utf8_is_told_from_what_was_declared_wrongly() -> None:
    decoded = decode_text(GERMAN.encode(), "iso-8859-1")
    assert decoded.text == GERMAN
    assert decoded.notes == ("its character set is utf-8, although iso-8859-1 was declared",)


def test_what_is_not_declared_is_guessed_and_said() -> None:
    decoded = decode_text((RUSSIAN * 5).encode("windows-1251"))
    assert decoded.text == RUSSIAN * 5
    assert decoded.notes == ("its character set was guessed to be cp1251",)


@pytest.mark.parametrize("declared", ["base64", "idna", "unicode_escape", "utf-7", "nothing", "", "utf-8\x00"])
def test_what_is_no_character_set_of_texts_is_not_taken(declared: str) -> None:
    assert decode_text(b"plain \\u0041 words+AEE-", declared).text == "plain \\u0041 words+AEE-"


@given(st.binary(max_size=200), st.sampled_from(["", "utf-8", "utf-16-le", "cp1252", "euc-jp", "iso-2022-jp"]))
def test_any_bytes_are_some_text(data: bytes, declared: str) -> None:
    decode_text(data, declared, has_markup=True).text.encode("utf-8", "surrogatepass")
