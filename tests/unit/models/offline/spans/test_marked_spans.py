"""Values that their own spelling gives away, and runs of capitalised words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.models.offline.language.tokenizer import read
from openplaybook.models.offline.spans.marked_spans import find_marked, find_names
from openplaybook.models.offline.spans.typed_span import SpanKind


def of_kind(text: str, kind: SpanKind) -> list[object]:
    return [span.value for span in find_marked(read(text)) if span.kind is kind]


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("write to kim@example.org", "kim@example.org"),
        ("kim.lee+news@mail.example.co.uk, please", "kim.lee+news@mail.example.co.uk"),
        ("(a_b-c@x-y.io)", "a_b-c@x-y.io"),
        ("jürgen@müller.example", "jürgen@müller.example"),
    ],
)
def test_an_e_mail_address_is_found_without_what_stands_around_it(text: str, address: str) -> None:
    assert of_kind(text, SpanKind.EMAIL) == [address]


@pytest.mark.parametrize("text", ["kim@", "@kim", "kim@localhost", "a @ b.c", "kim at example.org"])
def test_what_only_has_an_at_sign_is_no_address(text: str) -> None:
    assert of_kind(text, SpanKind.EMAIL) == []


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("see https://example.org/a?b=1&c=2#d.", "https://example.org/a?b=1&c=2#d"),
        ("(http://example.org)", "http://example.org"),
        ('"https://example.org/x", he said', "https://example.org/x"),
        ("https://example.org!", "https://example.org"),
    ],
)
def test_a_url_ends_before_the_punctuation_of_the_sentence(text: str, url: str) -> None:
    assert of_kind(text, SpanKind.URL) == [url]


@pytest.mark.parametrize("text", ["example.org", "ftp://example.org", "https://", "http:// x"])
def test_other_schemes_and_bare_hosts_are_no_url(text: str) -> None:
    assert of_kind(text, SpanKind.URL) == []


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("call +49 30 1234567", "+49 30 1234567"),
        ("(030) 123-4567 now", "(030) 123-4567"),
        ("+(49) 30 123456", "+(49) 30 123456"),
        ("555-010-9999", "555-010-9999"),
        ("+493012345678.", "+493012345678"),
    ],
)
def test_a_telephone_number_has_groups_or_a_plus(text: str, number: str) -> None:
    assert of_kind(text, SpanKind.PHONE) == [number]


@pytest.mark.parametrize("text", ["1234567", "12 34", "1 2 3 4 5 6", "x-555-010-9999"])
def test_too_few_or_bare_digits_are_no_telephone_number(text: str) -> None:
    assert of_kind(text, SpanKind.PHONE) == []


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("order AB-1234", ["AB-1234"]),
        ("x9 and A1_b2-c3.", ["x9", "A1_b2-c3"]),
        ("gate B12?", ["B12"]),
        ("2x4 wood", ["2x4"]),
        ("room 12b", ["12b"]),
        ("10-20", ["10-20"]),
    ],
)
def test_a_code_mixes_digits_with_letters_or_dashes(text: str, codes: list[str]) -> None:
    assert of_kind(text, SpanKind.CODE) == codes


@pytest.mark.parametrize(
    "text",
    [*("3rd", "21st", "7pm", "5km", "10kg", "5k", "2x", "2027-01-02", "12345", "hello", "well-known", "a@b1.org")],
)
def test_ordinals_measures_dates_and_plain_words_are_no_code(text: str) -> None:
    assert of_kind(text, SpanKind.CODE) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('say "two words" now', "two words"),
        ("“curly”", "curly"),
        ("„deutsch“", "deutsch"),
        ("«français»", "français"),
        ("'single quotes' here", "single quotes"),
        ("‘single curly’", "single curly"),
    ],
)
def test_quoted_words_are_taken_without_their_marks(text: str, words: str) -> None:
    (span,) = [span for span in find_marked(read(text)) if span.kind is SpanKind.QUOTED]
    assert (span.value, span.text) == (words, words)
    assert text[span.start + 1 : span.end - 1] == words


@pytest.mark.parametrize("text", ["it's Kim's", "'", '""', '"open', "rock 'n roll", "O'Brien's"])
def test_apostrophes_and_single_marks_quote_nothing(text: str) -> None:
    assert of_kind(text, SpanKind.QUOTED) == []


@given(st.from_regex(r"[a-z]{1,8}(\.[a-z]{1,8})?@[a-z]{1,8}\.[a-z]{2,5}", fullmatch=True))
def test_any_plain_address_is_found_in_a_sentence(address: str) -> None:
    assert of_kind(f"my address is {address}, thanks", SpanKind.EMAIL) == [address]


@given(st.text(alphabet="abcXYZ 123,.!?", min_size=1, max_size=30))
def test_what_stands_between_double_quotes_is_found_whole(words: str) -> None:
    assert of_kind(f'it is "{words}"', SpanKind.QUOTED) == [words]


def names(text: str) -> list[tuple[str, bool]]:
    return [(span.text, span.is_weak) for span in find_names(read(text))]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("add a dog named Rex", ["Rex"]),
        ("a dog named Rex owned by Kim Lee", ["Rex", "Kim Lee"]),
        ("ask J. Smith", ["J. Smith"]),
        ("ask Jean-Luc", ["Jean-Luc"]),
        ("call O'Brien", ["O'Brien"]),
        ("it's Maria's dog", ["Maria"]),
        ("it is Maria’s", ["Maria"]),
        ("from New York to San José", ["New York", "San José"]),
        ("meet Ümit in Ávila", ["Ümit", "Ávila"]),
        ("fly to SFO", ["SFO"]),
    ],
)
def test_a_name_is_a_run_of_capitalised_words(text: str, found: list[str]) -> None:
    assert names(text) == [(name, False) for name in found]


@pytest.mark.parametrize(
    "text", ["i live here", "I think I'm here", "show me", "Show me all", "Hello", "Thanks, Bye", "What is it", "", "3"]
)
def test_function_words_and_small_talk_are_no_names(text: str) -> None:
    assert names(text) == []


@pytest.mark.parametrize("text", ["Rex is here", "Right. Rex is here", "well: Rex", "really? Rex"])
def test_a_name_at_the_beginning_of_a_sentence_is_weak(text: str) -> None:
    assert names(text)[-1] == ("Rex", True)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Zeige mir den Hund", [("Hund", True)]),
        ("Zeige mir alles von Karl", [("Karl", False)]),
        ("Ich suche einen Hund namens Bello", [("Hund", True), ("Bello", False)]),
    ],
)
def test_a_german_noun_is_weak_unless_a_preposition_announces_it(text: str, found: list[tuple[str, bool]]) -> None:
    assert names(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [("muéstrame los perros de Carmen", "Carmen"), ("montre les chiens de Chloé", "Chloé")],
)
def test_names_are_found_in_spanish_and_french(text: str, found: str) -> None:
    assert names(text) == [(found, False)]


@given(st.lists(st.from_regex(r"[A-Z][a-z]{4,8}x", fullmatch=True), min_size=1, max_size=3))
def test_any_capitalised_words_inside_a_sentence_are_one_name(words: list[str]) -> None:
    name = " ".join(words)
    assert names(f"it is about {name} again") == [(name, False)]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("it is M-AB 123", "M-AB 123"),
        ("1234 BCD", "1234 BCD"),
        ("AB12 CDE, blue", "AB12 CDE"),
        ("B-XY 44E", "B-XY 44E"),
    ],
)
def test_a_code_of_two_groups_is_found_whole(text: str, code: str) -> None:
    assert code in of_kind(text, SpanKind.CODE)


@pytest.mark.parametrize("text", ["2026 was good", "M-AB", "in 1234 BCE", "A-B and 12", "x-ab 123"])
def test_what_only_resembles_it_is_no_code_of_two_groups(text: str) -> None:
    assert not any(" " in str(value) for value in of_kind(text, SpanKind.CODE))
