from datetime import date, datetime
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.tools.schema.checked_formats import EXPECTED, FORMATS, is_date, is_uuid
from openplaybook.tools.schema.validator import Validator


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-01-31", True),
        ("2026-02-30", False),
        ("0000-01-01", False),
        ("2026-01-31T12:00:00Z", True),
        ("2026-01-31t12:00:00.123456789+02:00", True),
        ("2026-01-31 12:00", True),
        ("2026-01-31T12:00:00", True),
        ("2026-01-31T12:00:00 +0200", True),
        ("", True),
        ("tomorrow", False),
        ("31/01/2026", False),
        ("20260131", False),
        ("2026-01-31T", False),
        ("1769860800", False),
    ],
)
def test_a_date_is_a_day_of_the_calendar(text: str, expected: bool) -> None:
    assert is_date(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f81d4fae-7dec-11d0-a765-00a0c91e6bf6", True),
        ("F81D4FAE7DEC11D0A76500A0C91E6BF6", True),
        ("{f81d4fae-7dec-11d0-a765-00a0c91e6bf6}", True),
        ("urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6", True),
        ("00000000-0000-0000-0000-000000000000", True),
        ("", True),
        ("123", False),
        ("f81d4fae-7dec-11d0-a765-00a0c91e6bfg", False),
    ],
)
def test_a_uuid_is_32_hexadecimal_digits(text: str, expected: bool) -> None:
    assert is_uuid(text) is expected


@given(st.dates(), st.datetimes(timezones=st.timezones() | st.none()), st.uuids())
def test_what_python_writes_is_accepted(day: date, moment: datetime, identity: UUID) -> None:
    assert is_date(day.isoformat())
    assert is_date(moment.replace(microsecond=0).isoformat()[:19])
    assert is_uuid(str(identity))


@given(st.text(max_size=30))
def test_any_text_is_judged(text: str) -> None:
    assert is_date(text) in (True, False)
    assert is_uuid(text) in (True, False)


@pytest.mark.parametrize("name", sorted(FORMATS.keys() - EXPECTED.keys()))
def test_other_formats_are_left_to_the_service(name: str) -> None:
    assert Validator({"type": "string", "format": name}, formats=FORMATS).problems("any thing") == ()


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_the_message_says_what_is_expected(name: str) -> None:
    schema = {"type": "object", "properties": {"a": {"type": ["string", "null"], "format": name}}}
    message = f'a must be {EXPECTED[name]}, got "any thing"'
    assert Validator(schema, formats=FORMATS).problems({"a": "any thing"}) == (message,)
    assert Validator(schema, formats=FORMATS).problems({"a": None}) == ()
    assert Validator(schema).problems({"a": "any thing"}) == ()
