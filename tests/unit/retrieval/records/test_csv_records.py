"""CSV as structured records."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject
from openplaybook.retrieval.base import StoreDocument
from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.records.csv_records import read_csv_records
from openplaybook.retrieval.records.source_lines import RecordFault, RecordLimits


def found(text: str | bytes, **options: RecordLimits) -> list[JsonObject | str]:
    data = text.encode() if isinstance(text, str) else text
    rows = read_csv_records(io.BytesIO(data), **options)  # pyright: ignore[reportArgumentType]
    return [row.data if isinstance(row, StoreDocument) else str(row) for row in rows]


def test_values_have_the_types_of_their_columns() -> None:
    text = "sku,price,count,fresh,zip,since,note\na,3.5,2,TRUE,01234,2024-05-01,5\nb,4,03,x,9,,many\n"
    assert found(text) == [
        {"sku": "a", "price": 3.5, "count": "2", "fresh": "TRUE", "zip": "01234", "since": "2024-05-01", "note": "5"},
        {"sku": "b", "price": 4.0, "count": "03", "fresh": "x", "zip": "9", "note": "many"},
    ]
    assert found("n,b\n1,true\n-2,False\n") == [{"n": 1, "b": True}, {"n": -2, "b": False}]


def test_a_later_value_of_another_type_stays_a_text() -> None:
    rows = found("n\n" + "1\n" * 1_000 + "many\n2\n")
    assert rows[999:] == [{"n": 1}, {"n": "many"}, {"n": 2}]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_header_says_what_stands_between_cells(delimiter: str) -> None:
    assert found(f'"a,;x"{delimiter}b\n1{delimiter}2\n') == [{"a,;x": 1, "b": 2}]


def test_cells_in_quotes_may_go_over_lines() -> None:
    assert found('a,b\n"one\ntwo ""x""",2\n\n3,4\n') == [{"a": 'one\ntwo "x"', "b": 2}, {"a": "3", "b": 4}]


def test_rows_that_do_not_fit_are_told_with_their_lines_and_the_rest_goes_on() -> None:
    assert found('a,b\n1,2\n"x\ny",2,3\n1\n4,5\n') == [
        {"a": 1, "b": 2},
        "line 3: it has 3 columns, and the header 2",
        "line 5: it has 1 columns, and the header 2",
        {"a": 4, "b": 5},
    ]


def test_a_quote_that_is_not_closed_takes_no_more_than_a_row_may_have() -> None:
    rows = found("a\n1\n" + '"x\n' + "y\n" * 1_000 + "2\n", limits=RecordLimits(max_line=500))
    assert rows[:3] == [
        {"a": "1"},
        "line 3: the row that begins here has more than 0.0005 MB; is a quote not closed?",
        {"a": "y"},
    ]
    assert rows[-1] == {"a": "2"}


def test_a_cell_may_be_longer_than_the_csv_module_allows() -> None:
    assert found("a\n" + "x" * 200_000 + "\n") == [{"a": "x" * 200_000}]


def test_a_file_of_an_old_spreadsheet_is_read() -> None:
    assert found("Größe\nweiß\n".encode("windows-1252")) == [{"Größe": "weiß"}]


def test_a_line_that_is_no_utf8_is_told() -> None:
    assert found(b"a\n" + b"x\n" * 40_000 + b"\xff\nb\n")[-2:] == [
        "line 40002: it is no UTF-8: invalid start byte",
        {"a": "b"},
    ]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the CSV has no header: its first line names the columns"),
        (b"\n1\n", "the CSV has no header: its first line names the columns"),
        (b"a,,b\n", "column 2 of the CSV has no name"),
        (b"a,b,a\n", 'the header names the column "a" twice'),
        ("a,b\n".encode("utf-16"), "the CSV is UTF-16; UTF-8 is read here"),
        (b",".join(b"%d" % number for number in range(1_001)), "the CSV has more than 1,000 columns"),
        (b"x" * 5_000_001, "the header cannot be read: it has more than 5 MB"),
    ],
)
def test_a_file_without_a_header_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(InvalidSource) as caught:
        found(data)
    assert str(caught.value) == message


@given(st.text(st.sampled_from('a1,;"\n\r\t |é\x00'), max_size=60))
def test_any_text_is_records_or_faults_or_is_refused(text: str) -> None:
    try:
        rows = list(read_csv_records(io.BytesIO(text.encode())))
    except InvalidSource:
        return
    assert all(isinstance(row, StoreDocument | RecordFault) for row in rows)


def test_a_name_of_a_column_of_any_length_is_refused() -> None:
    with pytest.raises(InvalidSource, match="has a name of more than 1,000 characters; is the first line the header"):
        list(read_csv_records(io.BytesIO(b"id," + b"x" * 1_000_000 + b"\n" + b"1,2\n" * 100)))
