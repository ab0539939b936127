"""Sentences that say `not` are known, and those that only seem to are not."""

import pytest

from openplaybook.retrieval.answers.back_references import denies


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Members can't bring guests."),
        ("en", "It isn’t open."),
        ("de", "Hunde sind nicht erlaubt."),
        ("fr", "Ce n'est pas permis."),
        ("pt", "Os cães não podem entrar."),
        ("hi", "कुत्ते नहीं आ सकते।"),
        ("ar", "ولا يمكن الدخول."),
        ("zh", "狗不可以进入。"),
        ("ja", "犬は入れません。"),
        ("ko", "개는 들어갈 수 없다."),
        ("th", "สุนัขเข้าไม่ได้"),
    ],
)
def test_a_denial_is_known(language: str, sentence: str) -> None:
    assert denies(sentence, language)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "The knot is tight."),
        ("pt", "Os cães podem entrar na praia."),
        ("zh", "不同的狗非常多，未来更多。"),
        ("ja", "犬が少ないです。"),
        ("ko", "동안 안내문을 읽는다."),
        ("th", "สุนัขเข้าได้"),
        ("", "It is not known."),
    ],
)
def test_what_only_looks_like_one_is_none(language: str, sentence: str) -> None:
    assert not denies(sentence, language)
