"""What texts look like."""

import pytest

from openplaybook.drafting.text_formats import format_of, is_identifier, is_integer, is_number


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["2024-02-29T10:00:00Z", "2024-02-29T10:00:00.123+02:00"], "date-time"),
        (["2024-02-29T10:00:00"], ""),
        (["2024-02-29"], "date"),
        (["2023-02-29"], ""),
        (["2024-02-29", "2024-02-29T10:00:00Z"], ""),
        (["123e4567-e89b-12d3-a456-426614174000"], "uuid"),
        (["kim@shop.example"], "email"),
        (["kim@shop"], ""),
        (["https://shop.example/a?b=c#d"], "uri"),
        (["https://shop.example/a b"], ""),
        (["192.0.2.7"], "ipv4"),
        (["192.0.2.700"], ""),
        (["2001:db8::1"], "ipv6"),
        (["iVBORw0KGgoAAAANSUhEUgAAAA=="], "byte"),
        (["plain"], ""),
        ([], ""),
    ],
)
def test_a_format_is_what_every_text_shows(texts: list[str], expected: str) -> None:
    assert format_of(texts) == expected


@pytest.mark.parametrize("text", ["0", "-7", "123456789012345678"])
def test_an_integer_is_written_as_json_writes_it(text: str) -> None:
    assert is_integer(text)


@pytest.mark.parametrize("text", ["007", "+7", "1.0", "", "1e3", "1234567890123456789", "-0", "٣"])
def test_other_digits_are_texts(text: str) -> None:
    assert not is_integer(text)


@pytest.mark.parametrize(
    ("text", "expected"), [("1.5", True), ("-0.25", True), ("3", True), ("1.", False), ("01.5", False)]
)
def test_a_number_is_written_as_json_writes_it(text: str, expected: bool) -> None:
    assert is_number(text) is expected


@pytest.mark.parametrize(
    "segment",
    [
        "42",
        "007",
        "123e4567-e89b-12d3-a456-426614174000",
        "2024-02-29",
        "kim@shop.example",
        "9f86d081884c7d65",
        "cus_9s6XKzkNRiz8i3",
        "AC12",
        "1172452900788-01",
        "v71021570str",
        "eJzTd9f3s4gKC%2FMEAA",
        "BIaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "ord-1001",
        "dGhpcyBpcyBhIGtleQ4x",
    ],
)
def test_an_identifier_can_only_be_a_value(segment: str) -> None:
    assert is_identifier(segment)


@pytest.mark.parametrize(
    "segment",
    [
        "pets",
        "v1",
        "v2.1",
        "v3beta1",
        "v1p1beta1",
        "v2-preview",
        "search",
        "order-items",
        "oauth2",
        "base64",
        "sha256",
        "x509",
        "v2024",
        "deadbeef",
        "",
    ],
)
def test_a_name_is_no_identifier(segment: str) -> None:
    assert not is_identifier(segment)
