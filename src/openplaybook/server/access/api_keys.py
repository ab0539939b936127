"""API keys: what requests carry, and the file that says whose they are, one key a line:

    KEY               an administrator's
    ROLE KEY          of one role
    ROLE NAME KEY     with a name, which logs show and limits count by

In place of a key stands `sha256:` and its digest in hex where the file is not to give keys away. Empty lines and those
that start with `#` do not count. A file that changes is read again; one that cannot be used then changes nothing.
"""

import hmac
import logging
import os
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from openplaybook.server.access.principals import ROLES, Principal, PrincipalKind, Role
from openplaybook.server.errors import SettingsError

_LOG = logging.getLogger("openplaybook.server")

_SHORTEST = 16
"""Characters; a shorter key can be guessed."""
_DIGEST = "sha256:"
_HEX = re.compile(r"[0-9a-fA-F]{64}")
_LOOK_S = 1.0
"""Seconds between two looks at the file."""


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key, of which its digest is known; keys are long and random, so that the digest does not give them away."""

    digest: bytes = field(repr=False)
    """SHA-256."""
    principal: Principal

    @classmethod
    def of(cls, key: str, principal: Principal) -> "ApiKey":
        """The key with this text."""
        return cls(sha256(key.encode()).digest(), principal)


class ApiKeys:
    """The keys that a server accepts."""

    def __init__(self, keys: Sequence[ApiKey]) -> None:
        self._keys = tuple(keys)

    def find(self, candidates: Sequence[str]) -> Principal | None:
        """Whose key is among the candidates; None when none is."""
        for candidate in candidates:
            digest = sha256(candidate.encode()).digest()
            # Every key is compared, and in constant time: how long it takes tells nothing about them.
            matching = [key for key in self._keys if hmac.compare_digest(digest, key.digest)]
            if matching:
                return matching[0].principal
        return None


def read_api_keys(path: Path) -> ApiKeys:
    """The keys in a file.

    Raises `SettingsError` when it cannot be read, contains no key, or a line that says something else.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise SettingsError(f"--api-key-file {path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"--api-key-file {path} is not UTF-8 text") from error
    numbered = ((number, line.split()) for number, line in enumerate(lines, start=1))
    keys = [_key(words, path, number) for number, words in numbered if words and not words[0].startswith("#")]
    if not keys:
        raise SettingsError(f"{path} contains no key")
    return ApiKeys(keys)


class KeyFile:
    """A file of keys, and what it holds now."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        """Reads it; raises what `read_api_keys` raises."""
        self._path = path
        self._clock = clock
        self._seen = _state(path)
        self._keys = read_api_keys(path)
        self._looked = clock()

    def keys(self) -> ApiKeys:
        """The keys that hold now."""
        if self._clock() - self._looked >= _LOOK_S:
            self._look()
        return self._keys

    def _look(self) -> None:
        self._looked = self._clock()
        state = _state(self._path)
        if state == self._seen:
            return
        self._seen = state
        try:
            self._keys = read_api_keys(self._path)
        except SettingsError as error:
            _LOG.error("the API keys were not reloaded: %s", error)
        else:
            _LOG.info("API keys reloaded")


def _state(path: Path) -> tuple[int, ...]:
    """What changes with the file; empty while it is not there."""
    try:
        status = os.stat(path)
    except OSError:
        return ()
    return status.st_ino, status.st_size, status.st_mtime_ns


def _key(words: Sequence[str], path: Path, number: int) -> ApiKey:
    """The key of one line. No message shows it: what is wrong may be the key itself."""
    where = f"{path}, line {number}"
    if len(words) > 3:
        raise SettingsError(f"{where}: must be KEY, ROLE KEY or ROLE NAME KEY; a key has no blanks")
    role, key = Role.ADMIN, words[-1]
    if len(words) > 1:
        if words[0] not in list(Role):
            raise SettingsError(f"{where}: the first of several words must be a role, one of {ROLES}")
        role = Role(words[0])
    is_named = len(words) == 3
    principal = (
        Principal(words[1], role, PrincipalKind.KEY)
        if is_named
        else Principal(f"key-{number}", role, PrincipalKind.UNNAMED_KEY)
    )
    if key.startswith(_DIGEST):
        digest = key.removeprefix(_DIGEST)
        if not _HEX.fullmatch(digest):
            raise SettingsError(f"{where}: {_DIGEST} must be followed by 64 hexadecimal digits")
        return ApiKey(bytes.fromhex(digest), principal)
    if len(key) < _SHORTEST or not key.isascii():
        raise SettingsError(f"{where}: a key has at least {_SHORTEST} ASCII characters, no blanks")
    return ApiKey.of(key, principal)
