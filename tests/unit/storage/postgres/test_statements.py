"""Values in PostgreSQL's binary forms."""

import pytest
from psycopg.pq import Format

from openplaybook.storage.postgres.statements import Value, encoded


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (None, None),
        ("ä", b"\xc3\xa4"),
        (b"\0\xff", b"\0\xff"),
        (1, b"\0\0\0\0\0\0\0\1"),
        (-1, b"\xff" * 8),
        (2**63 - 1, b"\x7f" + b"\xff" * 7),
        (["a"], b"\0\0\0\1\0\0\0\0\0\0\0\x19\0\0\0\1\0\0\0\1\0\0\0\1a"),
        ([b"", b"b"], b"\0\0\0\1\0\0\0\0\0\0\0\x11\0\0\0\2\0\0\0\1\0\0\0\0\0\0\0\1b"),
        ([2], b"\0\0\0\1\0\0\0\0\0\0\0\x14\0\0\0\1\0\0\0\1\0\0\0\x08\0\0\0\0\0\0\0\2"),
    ],
)
def test_a_value_is_written_as_the_database_reads_it(value: Value, written: bytes | None) -> None:
    assert encoded([value]) == ([written], [Format.BINARY])


def test_an_empty_array_needs_no_type() -> None:
    assert encoded([[]]) == ([b"{}"], [Format.TEXT])


def test_a_number_that_no_bigint_holds_is_refused() -> None:
    with pytest.raises(OverflowError):
        encoded([2**63])
