"""Numbers in words, of one word or several, with blanks around them or without."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from openplaybook.retrieval.answers.quantities import figures
from openplaybook.retrieval.answers.unspaced_numerals import unspaced_numbers


@pytest.mark.parametrize(
    ("language", "text", "value"),
    [
        ("zh", "六百万人", 6_000_000.0),
        ("zh", "一千两百元", 1_200.0),
        ("zh", "二〇二四年", 2024.0),
        ("ja", "十一週間", 11.0),
        ("ja", "三冊", 3.0),
        ("ja", "三億二千万円", 320_000_000.0),
        ("ko", "육백만 명", 6_000_000.0),
        ("ko", "십이 개월", 12.0),
        ("th", "หกล้านคน", 6_000_000.0),
        ("th", "ยี่สิบเจ็ดองศา", 27.0),
        ("th", "สามสัปดาห์", 3.0),
        ("en", "twenty-four doors", 24.0),
        ("en", "twenty four doors", 24.0),
        ("de", "vierundzwanzig Türen", 24.0),
        ("de", "einundzwanzig Türen", 21.0),
        ("nl", "tweeëndertig deuren", 32.0),
        ("es", "veintidós puertas", 22.0),
        ("es", "treinta y una puertas", 31.0),
        ("it", "ventiquattro porte", 24.0),
        ("it", "trentuno porte", 31.0),
        ("pt", "vinte e quatro portas", 24.0),
        ("ru", "двадцать четыре двери", 24.0),
        ("tr", "on iki kapı", 12.0),
        ("el", "είκοσι τέσσερα", 24.0),
    ],
)
def test_a_number_in_words_has_its_value(language: str, text: str, value: float) -> None:
    (found,) = figures(text, language).quantities
    assert value in found.values


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("zh", "千万不要十分担心一起"),
        ("ja", "十分に一番"),
        ("ko", "만일 이사 이상 일부"),
        ("th", "สามารถห้ามพันธุ์"),
        ("de", "Grundgedanke"),
    ],
)
def test_what_only_looks_like_a_number_is_none(language: str, text: str) -> None:
    assert figures(text, language).quantities == ()


def test_a_ten_and_another_ten_are_two_numbers() -> None:
    assert [each.values for each in figures("twenty, thirty", "en").quantities] == [{20.0}, {30.0}]


def test_a_run_of_signs_without_end_is_no_number() -> None:
    assert list(unspaced_numbers("六" * 100_000, "zh")) == []


@given(
    some.text(alphabet="一二十百千万億三年人은십이백만일천หกสิบล้านสามคน ", max_size=60),
    some.sampled_from(["zh", "ja", "ko", "th"]),
)
def test_numbers_lie_in_the_text_one_behind_the_other(text: str, language: str) -> None:
    ends = 0
    for start, end, value in unspaced_numbers(text, language):
        assert ends <= start < end <= len(text)
        assert value >= 0
        ends = end
