"""How like words are to what a function says, and how like is like enough."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.offline.knowledge.lesson_book import Book, ExampleUtterance, open_book
from openplaybook.models.offline.knowledge.likeness import calibrated_threshold, description_likeness, nearest
from openplaybook.models.offline.knowledge.term_weights import Terms, learn_weights, terms_of
from openplaybook.models.offline.language.tokenizer import read
from tests.unit.models.offline.talk import function

WEIGHTS = learn_weights([{"show", "pet"}, {"add", "dog"}])
TEXT: JsonObject = {"type": "string"}


def book(name: str = "showPet", description: str = "Show a pet", *samples: str) -> Book:
    made = open_book(function(name, description, {"owner": TEXT}))
    made.samples += [ExampleUtterance(read(sample), (), f"Example {number}") for number, sample in enumerate(samples)]
    made.sample_terms = [terms_of(sample.reading, WEIGHTS, sample.places) for sample in made.samples]
    return made


def terms(text: str, *places: tuple[int, int, str]) -> Terms:
    return terms_of(read(text), WEIGHTS, places)


@pytest.mark.parametrize(
    ("text", "likeness"),
    [
        ("show pet", 0.85),
        ("show pet owner", 0.85),
        ("show the pet", 0.85 * 0.9),
        ("weather", 0.0),
        ("owner", 0.0),
        ("", 0.0),
    ],
)
def test_a_description_speaks_of_part_of_the_words(text: str, likeness: float) -> None:
    assert description_likeness(book(), terms(text)) == pytest.approx(likeness, abs=0.05)


def test_a_function_without_examples_is_also_known_by_its_name() -> None:
    bare = book("find_nearest_shelter", "")
    assert description_likeness(bare, terms("find the very best shelter of the whole wide world")) == 0.5
    assert description_likeness(bare, terms("find my lost things in the whole wide world")) < 0.2
    shown = book("find_nearest_shelter", "", "where do I go")
    assert description_likeness(shown, terms("find the very best shelter of the whole wide world")) < 0.3


def test_the_likest_example_is_found_with_its_name() -> None:
    made = book("f", "", "add a dog", "show me the pet")
    assert nearest(made, terms("show me the pet")) == (pytest.approx(1.0), "Example 1", True)
    assert nearest(made, terms("show me the pet"), skip=1)[1] != "Example 1"
    assert nearest(made, terms("weather")) == (0.0, "", False)


def test_an_example_whose_values_are_missing_counts_for_less() -> None:
    made = open_book(function("f", "", {"owner": TEXT}))
    made.samples = [ExampleUtterance(read("pets of Kim"), ((8, 11, "owner"),), "x")]
    made.sample_terms = [terms_of(made.samples[0].reading, WEIGHTS, made.samples[0].places)]
    whole = nearest(made, terms("pets of Tom", (8, 11, "owner")))
    without = nearest(made, terms("pets of"))
    assert whole[0] == pytest.approx(1.0)
    assert without[0] < 0.7
    assert nearest(made, terms("Tom", (0, 3, "owner")))[2] is False


def test_without_examples_the_threshold_is_the_middle() -> None:
    assert calibrated_threshold([]) == 0.43
    assert calibrated_threshold([book()]) == 0.43


def test_examples_that_are_like_each_other_raise_the_threshold_to_its_highest() -> None:
    assert calibrated_threshold([book("f", "", "show the pet", "show a pet", "show pet")]) == 0.55


def test_examples_that_have_nothing_in_common_lower_it_to_its_lowest() -> None:
    assert calibrated_threshold([book("f", "", "alpha", "beta", "gamma")]) == 0.4


@given(st.lists(st.text(max_size=20), max_size=5))
def test_the_threshold_stays_in_its_range(samples: list[str]) -> None:
    assert 0.4 <= calibrated_threshold([book("f", "Show", *samples)]) <= 0.55


@given(st.text(max_size=40))
def test_a_likeness_stays_in_its_range(text: str) -> None:
    made = book("showPet", "Show a pet", "show me the pet")
    assert 0.0 <= description_likeness(made, terms(text)) <= 0.85 + 1e-9
    assert 0.0 <= nearest(made, terms(text))[0] <= 1.0 + 1e-9
