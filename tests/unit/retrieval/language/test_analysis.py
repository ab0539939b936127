"""Terms of texts and of requests are the same where people would say that the words are."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from openplaybook.retrieval.language.analysis import TextAnalysis, analysis_of, forget_words, is_single_character

LANGUAGES = ["", "ar", "de", "el", "en", "es", "fr", "hi", "it", "ja", "ko", "nl", "pt", "ru", "th", "tr", "vi", "zh"]


def terms(text: str, language: str) -> list[str]:
    return [each.term for each in analysis_of(language).asked(text)]


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("en", "cancelled bookings", "cancel booking"),
        ("en", "Café", "cafe"),
        ("de", "Versicherungen", "versicherung"),
        ("de", "Öffnung", "offnung"),
        ("es", "canciones", "canción"),
        ("fr", "chevaux", "cheval"),
        ("it", "pagamenti", "pagamento"),
        ("pt", "reservas", "reserva"),
        ("nl", "kamers", "kamer"),
        ("ru", "Всё", "все"),
        ("ru", "документами", "документ"),
        ("ar", "الكِتَاب", "الكتاب"),
        ("ar", "إدارة", "ادارة"),
        ("hi", "लड़कियों", "लड़कियाँ"),
        ("hi", "क़लम", "कलम"),
        ("tr", "IŞIK", "ışık"),
        ("tr", "İstanbul", "istanbul"),
        ("el", "Αθήνα", "αθηνα"),
        ("ja", "ﾊﾟｿｺﾝ", "パソコン"),
        ("zh", "ＡＢＣ１２", "abc12"),
        ("", "Straße_1", "strasse 1"),
        ("hi", "२०२४", "2024"),
    ],
)
def test_words_that_are_the_same_have_the_same_terms(language: str, one: str, other: str) -> None:
    assert terms(one, language) == terms(other, language)


def test_marks_of_hindi_stay_with_their_letters() -> None:
    assert len(terms("हिन्दी में प्रश्न", "hi")) == 3


def test_tones_of_vietnamese_tell_words_apart() -> None:
    assert terms("má", "vi") != terms("ma", "vi")


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("北京大学", ["北京", "京大", "大学"]),
        ("水", ["水"]),
        ("iPhone手机壳", ["iphone", "手机", "机壳"]),
        ("한국어 책", ["한국", "국어", "책"]),
    ],
)
def test_scripts_without_blanks_are_cut_into_pairs(text: str, pairs: list[str]) -> None:
    assert terms(text, "zh") == pairs


def test_a_request_says_how_its_words_are_written() -> None:
    assert [(each.written, each.term) for each in analysis_of("en").asked("Running SHOES, 北京")] == [
        ("Running", "run"),
        ("SHOES", "shoe"),
        ("北京", "北京"),
    ]


def test_one_character_of_chinese_is_told_from_one_letter() -> None:
    assert is_single_character("水")
    assert not is_single_character("x")
    assert not is_single_character("北京")


@given(some.text(max_size=60), some.sampled_from(LANGUAGES))
def test_a_document_is_found_by_the_terms_of_its_own_text(text: str, language: str) -> None:
    assert analysis_of(language).indexed(text).split() == terms(text, language)


@given(some.text(max_size=60))
def test_a_request_has_as_many_terms_in_each_language(text: str) -> None:
    assert len({len(terms(text, language)) for language in LANGUAGES}) == 1


def test_words_that_were_forgotten_give_the_same_terms() -> None:
    analysis = analysis_of("en")
    before = analysis.indexed("cancelled bookings")
    forget_words()
    assert analysis.indexed("cancelled bookings") == before == "cancel book"


@pytest.mark.parametrize("language", ["en", "de", "hi", ""])
def test_terms_are_the_same_whatever_is_remembered_and_no_more_is_than_may_be(language: str) -> None:
    remembered: dict[str, dict[str, str]] = {}
    analysis = TextAnalysis(language, remembered)
    texts = [
        " ".join(f"word{number:x}s running Häuser" for number in range(at, at + 300)) for at in range(0, 30_000, 300)
    ]
    first = [analysis.indexed(text) for text in texts]
    assert 19_000 < len(remembered[language]) <= 20_000
    assert [analysis.indexed(text) for text in texts] == first
    assert [TextAnalysis(language, {}).indexed(text) for text in texts[::33]] == first[::33]


def test_words_that_are_no_longer_asked_for_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("openplaybook.retrieval.language.analysis._MOST_KNOWN", 2)
    monkeypatch.setattr("openplaybook.retrieval.language.analysis._MOST_MISSED", 3)
    remembered: dict[str, dict[str, str]] = {}
    analysis = TextAnalysis("en", remembered)
    for text in ("old words", "newer things", "newer things", "newer things"):
        analysis.indexed(text)
    assert remembered["en"] == {"newer": "newer", "things": "thing"}
