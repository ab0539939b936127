import pytest

from openplaybook.packages.errors import MalformedFile
from openplaybook.packages.resource_files import read_object, read_text, write_object


@pytest.mark.parametrize(
    ("content", "message", "place"),
    [
        (b'{"a": 1,\n "b" 2}', "is not JSON: Expecting ':' delimiter", (2, 6)),
        (b'{"a": 1}}', "is not JSON: Extra data", (1, 9)),
        (b"", "is not JSON: Expecting value", (1, 1)),
        (b"[1]", "is JSON, but not an object", (1, 1)),
        (b'{"a": NaN}', "is not JSON: NaN is not a JSON number", (None, None)),
        (b'{"a": 1, "a": 2}', "is not JSON: the key 'a' is given twice in one object", (None, None)),
        (b'{"a": "\\ud800"}', "contains half of a surrogate pair", (None, None)),
        (b'{"a": ' + b"[" * 100_000, "is nested deeper than 100 levels", (None, None)),
        (b'{"a": ' * 101 + b"1" + b"}" * 101, "is nested deeper than 100 levels", (None, None)),
        (b'{"a": 1e4000}', "is not JSON: a number has more than 4,000 digits", (None, None)),
        (b'{"a": -' + b"9" * 5000 + b"}", "is not JSON: a number has more than 4,000 digits", (None, None)),
        (b'{"a":\n "\xc3\xa9\xff"}', "is not UTF-8", (2, 4)),
    ],
)
def test_a_malformed_file_is_refused_with_its_place(
    content: bytes, message: str, place: tuple[int | None, int | None]
) -> None:
    with pytest.raises(MalformedFile) as refusal:
        read_object("agent.json", content)
    where = f" (line {place[0]}, column {place[1]})" if place[0] else ""
    assert str(refusal.value) == f"agent.json: {message}{where}"
    assert (refusal.value.line, refusal.value.column) == place
    assert refusal.value.code == "MALFORMED_FILE"


def test_numbers_and_texts_come_back() -> None:
    value = {"big": 2**64 - 1, "low": -(2**63), "small": 0.1, "text": "é犬"}
    assert read_object("x", write_object(value)) == value


def test_a_byte_order_mark_is_passed_over() -> None:
    assert read_object("x", b'\xef\xbb\xbf{"a": 1}') == {"a": 1}


def test_files_are_written_with_two_blanks_a_level() -> None:
    assert write_object({"a": {"b": "é"}, "c": {}}) == '{\n  "a": {\n    "b": "é"\n  },\n  "c": {}\n}\n'.encode()


def test_line_ends_of_a_text_stay() -> None:
    assert read_text("x", b"a\r\nb\n") == "a\r\nb\n"


def test_a_hundred_levels_are_taken() -> None:
    assert read_object("x", b'{"a": ' * 100 + b"1" + b"}" * 100)
