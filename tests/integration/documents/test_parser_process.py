"""Documents parsed in a process of their own: real child processes with real limits."""

from dataclasses import replace

import pytest

from openplaybook.documents import parser_process
from openplaybook.documents.errors import UnreadableDocument
from openplaybook.documents.parser_child import parse
from openplaybook.documents.parser_process import ParserLimits, parse_apart, read_text

LIMITS = ParserLimits()
TIGHT = replace(LIMITS, memory=60 * 1024 * 1024, value_memory=30 * 1024 * 1024, seconds=60)


def refusal(text: str, limits: ParserLimits = LIMITS) -> tuple[str, int | None]:
    with pytest.raises(UnreadableDocument) as caught:
        parse_apart(text, limits)
    return str(caught.value), caught.value.line


@pytest.mark.parametrize(
    "text",
    [
        '{"a": [1, 2.5, null, true, "ü😀"]}',
        "a: [1, 2.5, null, true, ü😀]\n200: b\n",
        "a: &x {b: 1}\nc:\n  <<: *x\n",
        "{a: 1, # one\n b: 2}",
        '{"a": 99999999999999999999}',
    ],
)
def test_a_text_has_the_same_value_there_as_here(text: str) -> None:
    assert parse_apart(text, LIMITS) == parse(text)


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("", "the text is empty", None),
        ("a: 1\nb: [\n", "the YAML is malformed at line 3 column 1", 3),
        ('{"a": 1,\n "b": 2 "c": 3}', "the JSON is malformed at line 2 column 9", 2),
        ('{"a":' * 201 + "1" + "}" * 201, "objects and arrays are nested more than 200 levels deep", None),
        ("[" * 100_000, "the JSON is malformed at line 1 column 1026: depth limit exceeded", 1),
    ],
)
def test_what_is_wrong_with_a_text_is_told_as_it_is_here(text: str, message: str, line: int | None) -> None:
    told, place = refusal(text)
    assert told.startswith(message)
    assert place == line


def test_a_text_of_more_than_sixty_megabytes_is_refused_unread() -> None:
    assert refusal("a" * 60_000_001) == ("the text is larger than 60 MB", None)


@pytest.mark.parametrize(
    "text",
    [
        '[{"a":1}' + ',{"a":1}' * 250_000 + "]",
        "- {}\n" * 250_000,
        "a: &a [x]\nb:\n" + "- *a\n" * 250_000,
        "- " * 1_000_000,
    ],
    ids=["objects", "yaml", "aliases", "deep yaml"],
)
def test_a_text_whose_value_takes_too_much_memory_ends_the_process_and_not_ours(text: str) -> None:
    told, line = refusal(text, TIGHT)
    assert ("60 MB" in told or "30 MB" in told or "nested too deeply" in told, line) == (True, None)


def test_a_text_of_which_there_is_less_is_read_within_the_same_memory() -> None:
    assert parse_apart("a: &a [x]\nb:\n" + "- *a\n" * 1_000, TIGHT)["b"] == [["x"]] * 1_000


def test_a_text_that_takes_too_long_is_given_up() -> None:
    told, _ = refusal("a: &a [x]\nb:\n" + "- *a\n" * 2_000_000, replace(LIMITS, seconds=1))
    assert told in (
        "reading the document takes more than 1 s",
        "reading the document ends the parser, which may take 1024 MB of memory, 400 MB of it for JSON, and 1 s",
    )


def test_json_of_some_megabytes_that_is_our_own_is_read_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser_process, "parse_apart", lambda text, limits, known: "apart")
    assert read_text('{"a": 1}') == {"a": 1}
    assert read_text('{"a": 1}', is_foreign=True) == "apart"
    assert read_text('{"a": 1}', replace(LIMITS, max_in_process=3)) == "apart"
    assert read_text("a: 1") == "apart"
    assert read_text("{a: 1}") == "apart"


def test_a_text_is_read_once_and_then_known(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "a: [1, 2]\nb: a text that no other test has\n"
    first = read_text(text)
    monkeypatch.setattr(parser_process, "_children", None)
    second = read_text(text)
    assert second == first == {"a": [1, 2], "b": "a text that no other test has"}
    assert second is not first


@pytest.mark.parametrize("is_foreign", [False, True])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 123456789012345678901234567890 "b": 1}', "the JSON is malformed at line 1 column 38"),
        ('{"a": ' + "1" * 5_000 + "}", "a number has more than 4,000 digits"),
        ('{"a": 1e99999}', "a number has more than 4,000 digits"),
    ],
)
def test_what_is_wrong_beside_a_long_number_is_told(text: str, message: str, is_foreign: bool) -> None:
    with pytest.raises(UnreadableDocument, match=message):
        read_text(text, is_foreign=is_foreign)


def test_a_long_number_in_yaml_that_looks_like_json_does_not_keep_it_from_being_read() -> None:
    assert read_text("{a: 1, c: 123456789012345678901234567890, b: 2}")["b"] == 2


def test_half_of_a_surrogate_pair_is_told() -> None:
    assert refusal("a: \ud800") == ("the text contains half of a surrogate pair", None)
    assert refusal('{"a": "\ud800"}') == ("the text contains half of a surrogate pair", None)


def test_a_short_text_has_little_time() -> None:
    assert (LIMITS.time_for(10_000), LIMITS.time_for(60_000_000)) == (3.04, 20.0)
    assert replace(LIMITS, seconds=1).time_for(10_000) == 1.0


def test_the_process_sees_nothing_of_our_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "/nowhere")
    monkeypatch.setenv("PYTHONSTARTUP", "/nowhere")
    assert parse_apart("a: 1", LIMITS) == {"a": 1}
