"""API keys in requests."""

import logging
from hashlib import sha256
from pathlib import Path

import pytest

from openplaybook.server.access.api_keys import ApiKey, ApiKeys, KeyFile, read_api_keys
from openplaybook.server.access.authenticator import bearer, candidates
from openplaybook.server.access.principals import Principal, PrincipalKind, Role
from openplaybook.server.errors import SettingsError

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


HIDDEN = "a key that nobody may read".replace(" ", "-")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "keys"


@pytest.mark.parametrize(
    ("line", "principal"),
    [
        ("0123456789abcdef", Principal("key-2", Role.ADMIN, PrincipalKind.UNNAMED_KEY)),
        ("  runtime   0123456789abcdef ", Principal("key-2", Role.RUNTIME, PrincipalKind.UNNAMED_KEY)),
        ("editor shop 0123456789abcdef", Principal("shop", Role.EDITOR)),
        (f"admin ops sha256:{sha256(b'0123456789abcdef').hexdigest()}", Principal("ops", Role.ADMIN)),
        (
            f"sha256:{sha256(b'0123456789abcdef').hexdigest().upper()}",
            Principal("key-2", Role.ADMIN, PrincipalKind.UNNAMED_KEY),
        ),
    ],
)
def test_a_line_is_a_key_with_its_role_and_name(file: Path, line: str, principal: Principal) -> None:
    file.write_text(f"# for the web shop\n{line}\n\n")
    keys = read_api_keys(file)
    assert keys.find(["0123456789abcdef"]) == principal
    assert keys.find(["# for the web shop", line.split()[-1] + "x"]) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "contains no key"),
        ("# nothing\n", "contains no key"),
        ("0123456789abcdef\nshort\n", "line 2: a key has at least 16 ASCII characters"),
        ("0123456789äbcdefg\n", "line 1: a key has at least 16 ASCII characters"),
        (f"owner {HIDDEN}\n", "line 1: the first of several words must be a role, one of admin, editor, runtime"),
        (f"admin one two {HIDDEN}\n", "line 1: must be KEY, ROLE KEY or ROLE NAME KEY"),
        (f"admin sha256:{HIDDEN}\n", "line 1: sha256: must be followed by 64 hexadecimal digits"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_without_showing_keys(file: Path, text: str, message: str) -> None:
    file.write_text(text)
    with pytest.raises(SettingsError, match=message) as refused:
        read_api_keys(file)
    assert HIDDEN not in str(refused.value)


def test_a_missing_file_is_refused(file: Path) -> None:
    with pytest.raises(SettingsError, match="No such file"):
        read_api_keys(file)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_file_that_changes_is_read_again(file: Path) -> None:
    file.write_text("old 0123456789abcdef\n".replace("old", "editor"))
    clock = Clock()
    held = KeyFile(file, clock)
    file.write_text("admin fedcba9876543210\n")
    assert held.keys().find(["fedcba9876543210"]) is None, "not looked at yet"
    clock.now = 1.0
    assert held.keys().find(["fedcba9876543210"]) == Principal("key-1", Role.ADMIN, PrincipalKind.UNNAMED_KEY)
    assert held.keys().find(["0123456789abcdef"]) is None


@pytest.mark.parametrize("damage", ["emptied", "removed"])
def test_a_file_that_is_damaged_changes_nothing(file: Path, damage: str, caplog: pytest.LogCaptureFixture) -> None:
    file.write_text("0123456789abcdef\n")
    clock = Clock()
    held = KeyFile(file, clock)
    file.write_text("") if damage == "emptied" else file.unlink()
    clock.now = 1.0
    with caplog.at_level(logging.ERROR):
        assert held.keys().find(["0123456789abcdef"]) == Principal("key-1", Role.ADMIN, PrincipalKind.UNNAMED_KEY)
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == ["the API keys were not reloaded"]
    clock.now = 2.0
    file.write_text("fedcba9876543210\n")
    assert held.keys().find(["fedcba9876543210"]) == Principal("key-1", Role.ADMIN, PrincipalKind.UNNAMED_KEY)
