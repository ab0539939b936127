"""Names by the rules of each language."""

from openplaybook.retrieval.answers.proper_names import initials, missing_names, proper_names
from openplaybook.retrieval.answers.terms import terms


def certain(sentence: str, language: str) -> list[str]:
    return [each.text for each in proper_names(sentence, language) if each.is_certain]


def missing(sentence: str, fact: str, language: str) -> list[str]:
    found = missing_names(sentence, frozenset(terms(fact, language)), initials(fact), language)
    return [each.text for each in found if each.is_certain]


def test_capitals_within_a_sentence_are_names() -> None:
    assert certain("He met Luke Kuechly in Paris.", "en") == ["Luke", "Kuechly", "Paris"]


def test_the_first_word_is_a_name_only_beside_another() -> None:
    assert certain("Interceptions were many.", "en") == []
    assert certain("Thomas Davis was hurt.", "en") == ["Thomas", "Davis"]
    assert [each.text for each in proper_names("Powhatan died.", "en")] == ["Powhatan"]


def test_german_nouns_are_no_names() -> None:
    assert certain("Die Verteidigung gab nur wenige Punkte ab.", "de") == []
    assert certain("Das erzielte Kuechly mit Thomas Davis.", "de") == ["Kuechly", "Thomas", "Davis"]


def test_short_forms_and_letters_with_digits_are_names_anywhere() -> None:
    assert certain("NFL und NL63 sind es.", "de") == ["NFL", "NL63"]
    assert certain("an iPhone", "en") == ["iPhone"]
    assert certain("das Protokoll X.25", "de") == ["X.25"]
    assert certain("in the 21st century", "en") == []


def test_scripts_without_capitals_have_foreign_names() -> None:
    assert certain("他在Google工作", "zh") == ["Google"]
    assert certain("يعمل في Google", "ar") == ["Google"]
    assert certain("克拉科夫 (Kraków)", "zh") == ["Kraków"]


def test_a_name_is_found_in_another_case_of_its_language() -> None:
    assert missing("Он живёт в Москве.", "Москва — столица.", "ru") == []
    assert missing("Он живёт в Минске.", "Москва — столица.", "ru") == ["Минске"]


def test_a_short_form_of_a_long_name_is_not_missing() -> None:
    assert missing("It was named by the WHO.", "the World Health Organization named it", "en") == []
    assert missing("It was named by the CDC.", "the World Health Organization named it", "en") == ["CDC"]
