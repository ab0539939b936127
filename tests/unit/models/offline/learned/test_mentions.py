"""What may be a value in an utterance."""

import pytest

from openplaybook.jsonvalues import JsonValue
from openplaybook.models.offline.learned.mentions import MentionKind
from openplaybook.models.offline.learned.utterance import MOST_CHARACTERS, utterance_of

K = MentionKind


def found(text: str, kind: MentionKind) -> list[JsonValue]:
    """The values of the mentions of a kind, or their words where these are the value."""
    mentions = (one for one in utterance_of(text).mentions if one.kind is kind)
    return [one.text if one.value is None else one.value for one in mentions]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a loan of 2 million", 2e6),
        ("raise it by 4.5%", 4.5),
        ("I owe $1,250.50 to him", 1250.5),
        ("two hundred and five boxes", 205.0),
        ("half a million people", 5e5),
        ("twenty-one days", 21.0),
        ("a dozen eggs", 12.0),
        ("a mass of 5kg", 5.0),
    ],
)
def test_numbers_in_digits_and_words(text: str, value: float) -> None:
    assert found(text, K.NUMBER) == [value]


def test_a_letter_behind_a_number_is_no_scale() -> None:
    assert found("a hill of 3 m, and 20 K", K.NUMBER) == [3.0, 20.0]


def test_an_exponent_is_no_number_of_its_own() -> None:
    assert found("the roots of x^2 + 4", K.NUMBER) == [4.0]
    assert "x^2 + 4" in found("the roots of x^2 + 4", K.FORMULA)


def test_a_word_that_counts_what_follows_is_marked() -> None:
    numbers = [one for one in utterance_of("add two numbers, 40 and 50").mentions if one.kind is K.NUMBER]
    assert [(one.value, one.number.is_count) for one in numbers] == [(40.0, False), (50.0, False), (2.0, True)]


@pytest.mark.parametrize("quoted", ['"a b"', "'a b'", "`a b`", "“a b”", "„a b“", "«a b»"])
def test_quotes_of_all_kinds(quoted: str) -> None:
    assert found(f"call it {quoted} please", K.QUOTED) == ["a b"]


def test_dates_and_times() -> None:
    text = "from 2023-05-01 or May 3rd to the day after tomorrow, at half past 7 or 10:30 pm"
    assert found(text, K.DATE) == ["2023-05-01", "May 3rd", "day after tomorrow"]
    assert found(text, K.TIME) == ["half past 7", "10:30 pm"]


def test_hyphenated_names_stay_whole() -> None:
    assert "Jean-Luc Picard" in found("a photo of Jean-Luc Picard please", K.NAME)


def test_a_possessive_is_left_out_of_phrases_by_the_small_words_around_them() -> None:
    assert "cheap tickets" in found("find me cheap tickets to the opera", K.PHRASE)


def test_lists_of_numbers_and_words() -> None:
    assert found("the mean of 3, 5 and 8", K.NUMBERS) == [[3.0, 5.0, 8.0]]
    assert ["milk", "eggs", "bread"] in found("buy milk, eggs and bread", K.STRINGS)


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("show timings, exhibitions, and accessibility.", ["timings", "exhibitions", "accessibility"]),
        ("protein, calories and carbs in an avocado", ["protein", "calories", "carbs"]),
        ("points per game, assists and minutes per game", ["points per game", "assists", "minutes per game"]),
    ],
)
def test_the_last_item_of_a_list_ends_where_the_sentence_or_its_thought_does(text: str, items: list[str]) -> None:
    assert items in found(text, K.STRINGS)


def test_a_point_ends_a_phrase_unless_it_cuts_a_word_short() -> None:
    assert found("it feels calm.", K.PHRASE) == ["feels", "feels calm", "calm"]
    assert "walk in St. Louis" in found("a walk in St. Louis today", K.PHRASE)


def test_a_letter_with_a_sign_is_a_code() -> None:
    assert found("in C# or C++ please", K.CODE) == ["C#", "C++"]


def test_lists_as_programs_write_them() -> None:
    assert found("sort [3, 1, 2] and (4, 5)", K.LITERAL) == [[3, 1, 2], [4, 5]]
    assert found("with {name: 'x', size: 3}", K.LITERAL) == [{"name": "x", "size": 3}]


def test_each_mention_knows_its_lexemes() -> None:
    words = utterance_of("Please meet Ada Lovelace at noon")
    name = next(one for one in words.mentions if one.text == "Ada Lovelace")
    assert [words.lexemes[at].text for at in range(name.first, name.last + 1)] == ["Ada", "Lovelace"]


def test_of_long_words_the_beginning_and_the_end_are_read() -> None:
    words = utterance_of("begin " + "x " * MOST_CHARACTERS + "end")
    assert len(words.text) <= MOST_CHARACTERS + 1
    assert (words.text[:5], words.text[-3:]) == ("begin", "end")


@pytest.mark.parametrize("text", ["book me into that one", "the second one please", "which one is cheaper?"])
def test_one_that_stands_for_a_thing_is_no_number(text: str) -> None:
    assert 1.0 not in found(text, K.NUMBER)


def test_one_that_counts_is_a_number() -> None:
    assert found("a table for one", K.NUMBER) == [1.0]


def test_a_part_of_a_formula_is_no_code() -> None:
    assert found("the derivative of 3x^2 + 2x - 1", K.CODE) == []


def test_a_century_is_no_day() -> None:
    assert found("art of the 19th century", K.DATE) == []
    assert found("art of the 19th", K.DATE) == ["the 19th"]


def test_a_name_does_not_end_inside_a_span_of_years() -> None:
    assert found("the table of La Liga 2020-2021", K.NAME)[0] == "La Liga"


def test_the_first_word_of_a_later_sentence_is_no_name() -> None:
    assert found("It is in Santa Clara county. Include the owners please", K.NAME) == ["Santa Clara", "Clara"]


def test_the_verb_of_a_short_request_is_no_name() -> None:
    assert found("Order a dinner.", K.NAME) == []
    assert found("Order a dinner", K.NAME) == []
    assert found("Vienna please", K.NAME) == ["Vienna"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("a cab to 453 Fleming Avenue East. A shared one.", "453 Fleming Avenue East"),
        ("go to 1300 University Drive # 6 now", "1300 University Drive # 6"),
        ("near 12 Main St. in town", "12 Main St."),
        ("rooms in London Please", "London"),
    ],
)
def test_a_name_ends_where_the_sentence_or_the_politeness_begins(text: str, name: str) -> None:
    assert name in found(text, K.NAME)
    assert not [one for one in found(text, K.NAME) if str(one).endswith((". A", " Please"))]


def test_hours_are_said_in_words_too() -> None:
    assert found("I get it at ten am, or one in the afternoon", K.TIME) == ["ten am", "one in the afternoon"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("one in SF. Find me a doctor", ["SF"]),
        ("I will be in NY.", ["NY"]),
        ("I live in St. Gallen", ["St. Gallen"]),
        ("ask J. Berg", ["J. Berg"]),
        ("find Lord of the Rings", ["Lord", "Lord of the Rings", "Rings"]),
    ],
)
def test_a_point_behind_two_capitals_ends_a_name(text: str, names: list[JsonValue]) -> None:
    assert found(text, K.NAME) == names
