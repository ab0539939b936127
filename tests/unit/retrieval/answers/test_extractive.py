"""Answers made of sentences of passages."""

from openplaybook.retrieval.answers.base import Snippet
from openplaybook.retrieval.answers.extractive import MAX_ANSWER, Extract, best_sentence, extracted, joined

CATS = Snippet(
    "Cats",
    "Cats are small animals. An adult cat eats 200 grams of food a day. It should always have fresh water. "
    "Kittens are born blind.",
    "https://pets.example/cats",
)
DOGS = Snippet("Dogs", "Dogs need walks. A dog eats up to 500 grams of food a day.", "https://pets.example/dogs")


def test_the_sentence_that_answers_is_found_with_its_source() -> None:
    best = best_sentence("How much food does a dog eat?", (CATS, DOGS), "en")
    assert best is not None
    assert (best.text, best.source) == ("A dog eats up to 500 grams of food a day.", 1)


def test_a_sentence_that_points_back_brings_the_one_before_it() -> None:
    found = extracted("What fresh water should it have?", (CATS,), "en")
    assert [each.text for each in found] == [
        "An adult cat eats 200 grams of food a day.",
        "It should always have fresh water.",
    ]


def test_a_sentence_that_goes_on_is_taken_along() -> None:
    found = extracted("How much food does an adult cat eat a day?", (CATS,), "en")
    assert [each.text for each in found] == [
        "An adult cat eats 200 grams of food a day.",
        "It should always have fresh water.",
    ]


def test_the_title_counts_for_sentences_that_do_not_repeat_it() -> None:
    passages = (Snippet("Parrots", "They live up to 60 years.", ""), Snippet("Mice", "They live up to 2 years.", ""))
    best = best_sentence("How long do mice live?", passages, "en")
    assert best is not None
    assert best.source == 1


WHOLE = Snippet(
    "Feeding dogs",
    "Feeding dogs\n\nHow often\n\nAdult dogs eat twice a day. Puppies eat more often.\n\nWhat dogs must not eat\n\n"
    "Chocolate and grapes are poisonous for dogs.",
    "",
)


def test_of_a_heading_the_sentence_below_it_is_the_answer() -> None:
    found = extracted("What must dogs not eat?", (WHOLE,), "en")
    assert [each.text for each in found] == ["Chocolate and grapes are poisonous for dogs."]
    best = best_sentence("What must dogs not eat?", (WHOLE,), "en")
    assert best is not None
    assert best.text == found[0].text


def test_a_heading_is_no_part_of_an_answer() -> None:
    found = extracted("How often do adult dogs eat?", (WHOLE,), "en")
    assert found[0].text == "Adult dogs eat twice a day."
    assert not any("How often" in each.text for each in found)


def test_a_heading_with_nothing_below_it_is_all_there_is() -> None:
    alone = Snippet("", "Opening hours\n\nOpening hours of the shop", "")
    assert extracted("opening hours", (alone,), "en")[0].text == "Opening hours of the shop"


def test_nothing_is_answered_where_nothing_fits() -> None:
    assert extracted("Who painted the Mona Lisa?", (CATS, DOGS), "en") == ()
    assert extracted("How much food?", (), "en") == ()
    assert extracted("", (CATS,), "en") == ()
    assert extracted("cats", (Snippet("Cats", "", ""),), "en") == ()


def test_an_answer_is_short() -> None:
    long = Snippet("T", "Apple " * 80 + "pie. It is apple " + "pie " * 80 + ". Apple pie.", "")
    assert sum(len(each.text) for each in extracted("apple pie", (long,), "en")) <= MAX_ANSWER


def test_chinese_is_searched_without_blanks() -> None:
    passage = Snippet("猫", "猫是小动物。成年猫每天吃200克食物。小猫出生时看不见。", "")
    best = best_sentence("成年猫每天吃多少食物？", (passage,), "zh")
    assert best is not None
    assert best.text == "成年猫每天吃200克食物。"


def test_sentences_are_joined_as_their_language_writes() -> None:
    assert joined((Extract("A.", 0), Extract("B.", 0)), "en") == "A. B."
    assert joined((Extract("一。", 0), Extract("二。", 0)), "zh-CN") == "一。二。"


def test_the_same_question_has_the_same_answer_each_time() -> None:
    passages = tuple(Snippet("T", "Cats eat fish. Cats eat fish.", str(number)) for number in range(5))
    assert {extracted("Do cats eat fish?", passages, "en") for _ in range(20)} == {
        extracted("Do cats eat fish?", passages, "en")
    }
