import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.models.offline.language.small_talk import kind_of, without_greeting
from openplaybook.models.offline.language.tokenizer import fold, identifier_words, key_of, keys, read, singular, stem


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


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("don't stop", ["don't", "stop"]),
        ("rock'n'roll", ["rock'n'roll"]),
        ("e-mail", ["e", "mail"]),
        ("zip_code", ["zip", "code"]),
        ("it’s", ["it’s"]),
        ("3.5km", ["3", "5km"]),
        ("Größe 42", ["Größe", "42"]),
        ("天気は", ["天気", "は"]),
        ("!?", []),
    ],
)
def test_an_utterance_is_cut_into_words(text: str, words: list[str]) -> None:
    assert [token.text for token in read(text).words] == words


def test_a_token_knows_what_it_is() -> None:
    tokens = read("Show 12, the dogs").tokens
    assert [(token.text, token.key, token.is_word, token.is_stop, token.is_number) for token in tokens] == [
        ("Show", "show", True, False, False),
        ("12", "12", True, False, True),
        (",", ",", False, False, False),
        ("the", "the", True, True, False),
        ("dogs", "dog", True, False, False),
    ]


def test_words_and_tokens_are_found_before_and_behind_a_place() -> None:
    reading = read("add a dog, named Rex")
    assert [token.text for token in reading.words_before(11, 2)] == ["a", "dog"]
    assert [token.text for token in reading.words_from(11, 9)] == ["named", "Rex"]
    assert [token.text for token in reading.tokens_before(11, 2)] == ["dog", ","]
    assert [token.text for token in reading.tokens_from(9, 2)] == [",", "named"]
    assert (reading.words_before(0, 3), reading.words_from(99, 3)) == ((), ())


@given(st.text(max_size=80))
def test_tokens_tile_the_text_without_its_blanks(text: str) -> None:
    reading = read(text)
    assert "".join(token.text for token in reading.tokens) == "".join(text.split())
    assert all(text[token.start : token.end] == token.text for token in reading.tokens)
    assert list(reading.words) == [token for token in reading.tokens if token.is_word]
    assert len(reading.folded) == len(reading.words)


@given(st.text(alphabet="abcXYZÄöüßéñ'’-_., 12!?", max_size=80))
def test_a_text_is_folded_once_and_for_all(text: str) -> None:
    assert fold(fold(text)) == fold(text) == fold(f"  {text}  ")


@given(st.from_regex(r"[A-Za-z]{1,12}", fullmatch=True))
def test_singular_stem_and_key_of_a_word_have_an_end(word: str) -> None:
    assert singular(singular(word)) == singular(word)
    assert key_of(word) == key_of(word.upper()) == key_of(word.lower())
    assert stem(word.lower())
    assert len(stem(word.lower())) <= len(word)


@given(st.lists(st.from_regex(r"[a-z]{2,8}", fullmatch=True), min_size=1, max_size=4))
def test_the_words_of_an_identifier_are_found_in_every_spelling(words: list[str]) -> None:
    camel = words[0] + "".join(word.title() for word in words[1:])
    spellings = [camel, "_".join(words), "-".join(words).upper(), " ".join(words)]
    assert [identifier_words(spelling) for spelling in spellings] == [words] * 4
