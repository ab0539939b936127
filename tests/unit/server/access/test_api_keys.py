"""API keys in requests."""

import pytest

from openplaybook.server.access.api_keys import ApiKey, ApiKeys, bearer, candidates
from openplaybook.server.access.principals import Principal, Role

SHOP = Principal("shop", Role.RUNTIME)
KEYS = ApiKeys([ApiKey.of("first-key-of-the-two", Principal("ops", Role.ADMIN)), ApiKey.of("second-key-of-two", SHOP)])


@pytest.mark.parametrize(
    ("headers", "query"),
    [
        ({"x-goog-api-key": "second-key-of-two"}, b""),
        ({"authorization": "Bearer second-key-of-two"}, b""),
        ({"authorization": "bearer second-key-of-two"}, b""),
        ({}, b"alt=json&key=second-key-of-two"),
        ({"x-goog-api-key": "wrong"}, b"key=second-key-of-two"),
    ],
)
def test_a_key_is_found_wherever_googles_clients_put_it(headers: dict[str, str], query: bytes) -> None:
    assert KEYS.find(candidates(headers, query)) == SHOP


@pytest.mark.parametrize(
    ("headers", "query"),
    [
        ({}, b""),
        ({"x-goog-api-key": ""}, b"key="),
        ({"x-goog-api-key": "first-key-of-the-tw"}, b""),
        ({"authorization": "Basic first-key-of-the-two"}, b""),
        ({"authorization": "first-key-of-the-two"}, b""),
        ({"x-goog-api-key": "schlüssel-der-nicht-passt"}, b"monkey=first-key-of-the-two"),
    ],
)
def test_a_request_without_a_key_is_nobodys(headers: dict[str, str], query: bytes) -> None:
    assert KEYS.find(candidates(headers, query)) is None


def test_a_bearer_token_is_told_from_other_schemes() -> None:
    assert [bearer({"authorization": text}) for text in ("Bearer t", "BEARER  t ", "Basic t", "")] == ["t", "t", "", ""]


def test_neither_a_key_nor_its_digest_is_shown() -> None:
    key = ApiKey.of("first-key-of-the-two", SHOP)
    assert repr(key) == f"ApiKey(principal={SHOP!r})"
