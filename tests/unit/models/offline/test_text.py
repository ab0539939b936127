import pytest

from openplaybook.models.offline.smalltalk import kind_of, without_greeting
from openplaybook.models.offline.text import fold, identifier_words, key_of, keys, read, singular, stem


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("dogs", "dog"),
        ("cities", "city"),
        ("booking", "booked"),
        ("planned", "planning"),
        ("owner", "owned"),
        ("addresses", "address"),
        ("orders", "order"),
        ("Pet's", "pets"),
        ("nearest", "closest"),
        ("register", "create"),
    ],
)
def test_forms_and_synonyms_of_a_word_compare_equal(one: str, other: str) -> None:
    assert key_of(one) == key_of(other)


@pytest.mark.parametrize(("one", "other"), [("pet", "pets name"), ("bus", "bu"), ("class", "clas")])
def test_different_words_stay_different(one: str, other: str) -> None:
    assert key_of(one) != key_of(other)


def test_a_short_word_is_not_cut() -> None:
    assert stem("is") == "is"


@pytest.mark.parametrize(
    ("plural", "one"),
    [
        ("dogs", "dog"),
        ("puppies", "puppy"),
        ("boxes", "box"),
        ("classes", "class"),
        ("bus", "bus"),
        ("glass", "glass"),
        ("dog", "dog"),
        ("gas", "gas"),
    ],
)
def test_plurals_have_their_singular(plural: str, one: str) -> None:
    assert singular(plural) == one


def test_names_of_parameters_are_cut_into_words() -> None:
    assert identifier_words("petName") == ["pet", "name"]
    assert identifier_words("X-OWNER") == ["x", "owner"]
    assert identifier_words("zip_code2") == ["zip", "code2"]
    assert identifier_words("HTTPServerURL") == ["http", "server", "url"]


def test_an_utterance_is_read_in_its_language() -> None:
    assert read("Zeig mir bitte alle Hunde").language == "de"
    assert read("muéstrame todos los perros").language == "es"
    assert read("montrez tous les chiens").language == "fr"
    assert read("show me all dogs").language == "en"
    assert [token.key for token in read("Zeig mir alle").words] == ["show", "me", "all"]


def test_content_words_are_those_that_are_no_function_words() -> None:
    assert keys("which of the pets do you have?") == {"pet"}


def test_whole_utterances_compare_without_case_and_punctuation() -> None:
    assert fold("That’s  RIGHT!") == "that's right"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Hi!", "greeting"),
        ("thanks, bye", "farewell"),
        ("no, thank you", "no"),
        ("never mind", "cancel"),
        ("What can you do?", "help"),
        ("Ja", "yes"),
        ("show me pet 3", ""),
        ("", ""),
        ("hi, pets", ""),
        ("hi " * 60, ""),
    ],
)
def test_small_talk_is_known(text: str, kind: str) -> None:
    assert kind_of(text) == kind


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("hi, show me pet 3", "show me pet 3"),
        ("Hello there show pets", "show pets"),
        ("hi", "hi"),
        ("high five", "high five"),
        ("thanks, and pet 4?", "and pet 4?"),
    ],
)
def test_a_greeting_in_front_is_put_aside(text: str, rest: str) -> None:
    assert without_greeting(text) == rest
