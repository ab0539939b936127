"""API keys."""

from pathlib import Path

import pytest

from openplaybook.server.errors import SettingsError
from openplaybook.server.keys import ApiKeys, read_api_keys

KEYS = ApiKeys(["first-key-of-the-two", "second-key-of-the-two"])


@pytest.mark.parametrize(
    ("headers", "query"),
    [
        ({"x-goog-api-key": "first-key-of-the-two"}, b""),
        ({"x-goog-api-key": "second-key-of-the-two"}, b""),
        ({"authorization": "Bearer second-key-of-the-two"}, b""),
        ({"authorization": "bearer first-key-of-the-two"}, b""),
        ({}, b"alt=json&key=first-key-of-the-two"),
        ({"x-goog-api-key": "wrong"}, b"key=second-key-of-the-two"),
    ],
)
def test_a_key_is_found_wherever_googles_clients_put_it(headers: dict[str, str], query: bytes) -> None:
    assert KEYS.admits(headers, query)


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
def test_a_request_without_a_key_is_not_admitted(headers: dict[str, str], query: bytes) -> None:
    assert not KEYS.admits(headers, query)


def test_a_key_file_holds_one_key_a_line_with_comments(tmp_path: Path) -> None:
    file = tmp_path / "keys"
    file.write_text("# for the web shop\n  0123456789abcdef  \n\nfedcba9876543210\n")
    keys = read_api_keys(file)
    assert keys.first == "0123456789abcdef"
    assert keys.admits({"x-goog-api-key": "fedcba9876543210"})
    assert not keys.admits({"x-goog-api-key": "# for the web shop"})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no key"),
        ("# nothing\n", "holds no key"),
        ("0123456789abcdef\nshort\n", "line 2: a key has at least 16 ASCII characters"),
        ("0123456789 abcdef\n", "line 1: a key has at least 16 ASCII characters"),
        ("0123456789äbcdefg\n", "line 1: a key has at least 16 ASCII characters"),
    ],
)
def test_a_file_without_usable_keys_is_refused_without_showing_them(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "keys"
    file.write_text(text)
    with pytest.raises(SettingsError, match=message) as refused:
        read_api_keys(file)
    assert "short" not in str(refused.value).removeprefix(str(file))


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="No such file"):
        read_api_keys(tmp_path / "keys")
