"""Whether passages are about what is asked."""

import pytest

from openplaybook.retrieval.answers.base import Snippet
from openplaybook.retrieval.answers.question_coverage import (
    LEAST_COVERAGE,
    akin_term,
    holds_question,
    question_coverage,
)
from openplaybook.retrieval.base import WordCounts

CATS = Snippet("Cats", "An adult cat eats 200 grams of food a day. It should always have fresh water.", "")
DOGS = Snippet("Dogs", "A dog eats up to 500 grams of food a day, and needs a walk in the park.", "")
LIGHT = Snippet("Light", "In 1879 Edison showed a lamp that burned for 13 hours.", "")


def covered(query: str, *passages: Snippet, language: str = "en") -> float:
    return question_coverage(query, passages, language)


def test_a_passage_that_has_all_words_holds_the_whole_question() -> None:
    assert covered("How much food does an adult cat eat a day?", CATS) == pytest.approx(1, abs=0.3)
    assert covered("adult cat", CATS, DOGS) == 1


@pytest.mark.parametrize(
    "query",
    [
        "How much did Napoleon eat in Moscow?",
        "What water pressure breaks a submarine hull?",
        "Can a park be closed because of fireworks?",
        "Who painted the Mona Lisa?",
    ],
)
def test_one_word_in_common_is_too_little(query: str) -> None:
    assert covered(query, CATS, DOGS, LIGHT) < LEAST_COVERAGE


@pytest.mark.parametrize(
    "query", ["cats", "How much food does a dog eat?", "Edison's lamp", "How long did the lamp of 1879 burn?"]
)
def test_what_the_passages_are_about_is_held(query: str) -> None:
    assert covered(query, CATS, DOGS, LIGHT) >= LEAST_COVERAGE


def test_words_have_to_stand_in_one_passage() -> None:
    assert covered("walks of adult Edison", CATS, DOGS, LIGHT) < covered("walks of dogs", CATS, DOGS, LIGHT)


def test_a_name_that_no_passage_has_weighs_more_than_another_word() -> None:
    assert covered("adult cat Bella", CATS, DOGS) < covered("adult cat balcony", CATS, DOGS)


@pytest.mark.parametrize(("query", "passages"), [("", (CATS,)), ("cats", ())])
def test_nothing_is_held_where_nothing_is_asked_or_found(query: str, passages: tuple[Snippet, ...]) -> None:
    assert question_coverage(query, passages, "en") == 0


@pytest.mark.parametrize(
    ("language", "term", "known", "akin"),
    [
        ("nl", "open", "opent", "opent"),
        ("de", "haustür", "tür", "haustür"),
        ("de", "versicherung", "hausratversicherung", "hausratversicherung"),
        ("nl", "betaal", "terugbetaald", "terugbetaald"),
        ("tr", "ayarlatabilir", "ayarlanir", "ayarlanir"),
        ("ar", "كتاب", "وكتاب", "وكتاب"),
        ("en", "reservation", "reserved", "reservation"),
        ("en", "mon", "money", "mon"),
        ("en", "2015", "20151", "2015"),
        ("zh", "北京大学", "北京大学校", "北京大学"),
    ],
)
def test_a_term_is_akin_to_other_forms_and_to_compounds(language: str, term: str, known: str, akin: str) -> None:
    assert akin_term(term, {known, "zzz"}, language) == akin


def test_a_word_that_the_store_has_everywhere_tells_less() -> None:
    counts = WordCounts(1000, {"adult": 900, "parrot": 3, "cat": 400, "water": 300})
    query = "adult cat water parrot"
    assert question_coverage(query, (CATS,), "en", counts) < question_coverage(query, (CATS,), "en")


@pytest.mark.parametrize(
    ("language", "passage", "own", "other"),
    [
        ("zh", "成年猫每天吃两百克食物，应当总有清水。", "成年猫每天吃多少食物？", "谁画了蒙娜丽莎？"),
        ("ja", "閲覧室は平日の八時に開きます。", "閲覧室は何時に開きますか", "玉ねぎスープの作り方を教えてください"),
        ("ko", "열람실은 평일 여덟 시에 문을 엽니다.", "열람실은 몇 시에 문을 열어요?", "양파 수프는 어떻게 끓이나요?"),
        ("th", "ห้องอ่านหนังสือเปิดแปดโมงเช้า", "ห้องอ่านหนังสือเปิดกี่โมง", "ซุปหัวหอมทำอย่างไร"),
    ],
)
def test_questions_on_other_matters_are_refused_where_no_blanks_are_written(
    language: str, passage: str, own: str, other: str
) -> None:
    shown = (Snippet("", passage, ""),)
    assert holds_question(own, shown, language)
    assert not holds_question(other, shown, language)
