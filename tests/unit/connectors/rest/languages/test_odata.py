"""Keys in the addresses of OData are written by their types, and no value leaves its place."""

import pytest

from openplaybook.connectors.errors import InvalidValue
from openplaybook.connectors.rest.languages.odata import key_predicate
from openplaybook.connectors.rest.manifest.field_notation import from_words
from openplaybook.connectors.rest.manifest.placeholders import filled_path
from openplaybook.connectors.rest.values import read_value, written_value
from openplaybook.jsonvalues import JsonValue

GUID = "123e4567-e89b-12d3-a456-426614174000"


def written(template: str, fields: dict[str, str], values: dict[str, str]) -> str:
    keys = [from_words(name, words, name) for name, words in fields.items()]
    return filled_path(template, values | key_predicate(template, keys, values))


@pytest.mark.parametrize(
    ("template", "fields", "values", "expected"),
    [
        ("/users({odata.key})", {"id": "key"}, {"id": "O'Neil/x"}, "/users('O''Neil%2Fx')"),
        ("/accounts({odata.key})", {"id": "uuid key"}, {"id": GUID}, f"/accounts({GUID})"),
        ("/accounts({odata2.key})", {"id": "uuid key"}, {"id": GUID}, f"/accounts(guid'{GUID}')"),
        ("/lines({odata.key})", {"a": "integer key", "b": "key"}, {"a": "7", "b": "x"}, "/lines(a=7,b='x')"),
        (
            "/jobs({odata2.key})",
            {"seq": "bigint key", "day": "date key"},
            {"seq": "1", "day": "2026-11-26"},
            "/jobs(seq=1L,day=datetime'2026-11-26T00:00:00')",
        ),
        ("/root/search(q='{text}')", {}, {"text": "x') or ('"}, "/root/search(q='x%27%27%29%20or%20%28%27%27')"),
        ("/issues/{key}", {"key": "key"}, {"key": "a='b,c"}, "/issues/a%3D%27b%2Cc"),
    ],
)
def test_a_key_stands_in_an_address_as_its_version_writes_it(
    template: str, fields: dict[str, str], values: dict[str, str], expected: str
) -> None:
    assert written(template, fields, values) == expected


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("uuid key", "x"),
        ("uuid key", f"{GUID}) or ("),
        ("integer key", "1,b=2"),
        ("date key", "2026-11-26'"),
        ("integer key", ""),
    ],
)
def test_what_is_no_value_of_its_type_is_no_key(words: str, value: str) -> None:
    with pytest.raises(InvalidValue, match="must be a value of the type"):
        written("/a({odata.key})", {"id": words}, {"id": value})


@pytest.mark.parametrize(
    ("words", "system", "ours"),
    [
        ("date_v2", "/Date(1795651200000)/", "2026-11-26"),
        ("datetime_v2", "/Date(1795683600000)/", "2026-11-26T09:00:00"),
        ("timestamp_v2", "/Date(1795683600000+0000)/", "2026-11-26T09:00:00Z"),
        ("date_v2", "/Date(-86400000)/", "1969-12-31"),
    ],
)
def test_a_date_of_version_2_is_read_and_written(words: str, system: str, ours: str) -> None:
    field = from_words("at", words, "at")
    assert read_value(field, system) == ours
    assert written_value(field, ours) == system


@pytest.mark.parametrize("value", ["/Date(99999999999999)/x", "/Date(999999999999999)/", "soon", 7])
def test_what_is_no_date_of_version_2_stays(value: JsonValue) -> None:
    assert read_value(from_words("at", "date_v2", "at"), value) == value


def test_a_uuid_that_a_client_gives_is_one() -> None:
    field = from_words("user", "uuid required", "user")
    assert written_value(field, GUID) == GUID
    with pytest.raises(InvalidValue, match="must be a UUID"):
        written_value(field, f"{GUID}/../../groups/1")
