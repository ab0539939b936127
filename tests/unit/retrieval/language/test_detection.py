"""Languages are told apart by script and stop words; a declared one is believed."""

import pytest

from openplaybook.retrieval.language.detection import detected, primary_subtag

SENTENCES = {
    "en": "Where can I find the opening hours of the office?",
    "de": "Wo finde ich die Öffnungszeiten des Büros?",
    "es": "¿Dónde puedo encontrar el horario de la oficina?",
    "fr": "Où puis-je trouver les horaires du bureau ?",
    "it": "Dove posso trovare gli orari dell'ufficio?",
    "pt": "Onde posso encontrar o horário do escritório?",
    "nl": "Waar kan ik de openingstijden van het kantoor vinden?",
    "ru": "Где можно узнать часы работы офиса?",
    "ar": "أين يمكنني العثور على ساعات عمل المكتب؟",
    "hi": "मुझे कार्यालय के खुलने का समय कहाँ मिल सकता है?",
    "zh": "我在哪里可以找到办公室的营业时间?",
    "ja": "オフィスの営業時間はどこで確認できますか?",
    "ko": "사무실 영업 시간은 어디에서 확인할 수 있나요?",
    "th": "ฉันจะดูเวลาทำการของสำนักงานได้ที่ไหน",
    "el": "Πού μπορώ να βρω τις ώρες λειτουργίας του γραφείου;",
    "tr": "Ofisin çalışma saatlerini nerede bulabilirim ve ne zaman?",
    "vi": "Tôi có thể tìm giờ làm việc của văn phòng ở đâu?",
    "ro": "Unde pot găsi programul de lucru al biroului și când este deschis?",
}


@pytest.mark.parametrize("language", SENTENCES)
def test_a_sentence_is_known_by_its_language(language: str) -> None:
    assert detected(SENTENCES[language]) == language


def test_a_declared_language_is_believed_whatever_the_text_says() -> None:
    assert detected(SENTENCES["en"], "pt-BR") == "pt"


def test_only_languages_that_are_allowed_are_voted_for() -> None:
    assert detected(SENTENCES["en"], among=("de", "fr")) in ("", "de", "fr")
    assert detected(SENTENCES["ru"], among=("de",)) == ""


@pytest.mark.parametrize("text", ["", "12345", "!?", "Zyxwvut"])
def test_what_speaks_for_no_language_has_none(text: str) -> None:
    assert detected(text) == ""


def test_chinese_with_names_in_latin_letters_is_chinese() -> None:
    assert detected("如何在 Windows 上安装 Python 软件包") == "zh"


def test_japanese_with_more_kanji_than_kana_is_japanese() -> None:
    assert detected("東京都庁舎の展望室") == "ja"


@pytest.mark.parametrize(
    ("code", "subtag"), [("pt-BR", "pt"), ("ZH_hant", "zh"), ("iw", "he"), ("nb", "no"), (" en ", "en"), ("", "")]
)
def test_codes_are_cut_to_the_language(code: str, subtag: str) -> None:
    assert primary_subtag(code) == subtag


def test_a_text_that_speaks_for_two_languages_alike_has_none() -> None:
    assert detected("in") == ""
