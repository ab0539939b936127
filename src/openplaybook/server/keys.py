"""API keys: who may call a server that asks."""

import hmac
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import parse_qs

from openplaybook.server.errors import SettingsError

_SHORTEST = 16
"""Characters; a shorter key can be guessed."""


class ApiKeys:
    """The keys a server accepts; any one of them will do."""

    def __init__(self, keys: Sequence[str]) -> None:
        self._keys = tuple(key.encode() for key in keys)
        self.first = keys[0]
        """The key that commands on this machine send."""

    def admits(self, headers: Mapping[str, str], query: bytes = b"") -> bool:
        """Whether a request carries one of the keys.

        Looked for, as Google's clients send it, in the `x-goog-api-key` header, the bearer token and the `key`
        of the query string. Names of `headers` are in lower case.
        """
        given = (headers.get("x-goog-api-key", ""), _bearer(headers.get("authorization", "")), _query_key(query))
        return any(self._is_key(candidate.encode()) for candidate in given if candidate)

    def _is_key(self, candidate: bytes) -> bool:
        # Every key is compared, and in constant time: how long it takes tells nothing about them.
        return sum(hmac.compare_digest(candidate, key) for key in self._keys) > 0


def read_api_keys(path: Path) -> ApiKeys:
    """The keys in a file, one a line; empty lines and those that start with `#` do not count.

    Raises `SettingsError` when the file cannot be read, holds no key, or one that is too short or not ASCII.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise SettingsError(f"--api-key-file {path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"--api-key-file {path} is not UTF-8 text") from error
    keys: list[str] = []
    for number, line in enumerate(map(str.strip, lines), start=1):
        if not line or line.startswith("#"):
            continue
        if len(line) < _SHORTEST or not line.isascii() or " " in line:
            raise SettingsError(f"{path}, line {number}: a key has at least {_SHORTEST} ASCII characters, no blanks")
        keys.append(line)
    if not keys:
        raise SettingsError(f"{path} holds no key")
    return ApiKeys(keys)


def _bearer(authorization: str) -> str:
    scheme, _, token = authorization.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _query_key(query: bytes) -> str:
    if b"key=" not in query:
        return ""
    return parse_qs(query.decode("ascii", "replace")).get("key", [""])[0]
