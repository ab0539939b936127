"""Values kept encrypted: AES-256-GCM (NIST SP 800-38D), bound to the place where they are kept.

A sealed text is `sealed:v1:KEY:DATA`. KEY names the key that sealed it, so that several can be in use; DATA is
base64url of nonce, ciphertext and tag. The place, such as a tool's name, is authenticated with it: a sealed text that
is copied elsewhere does not open there.
"""

import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from openplaybook.credentials.errors import SealedValueUnreadable

PREFIX = "sealed:v1:"
KEY_BYTES = 32
_NONCE_BYTES = 12


def key_id(key: bytes) -> str:
    """The name by which sealed texts refer to a key: it tells keys apart, and nothing about them."""
    return sha256(b"openplaybook key id\0" + key).hexdigest()[:8]


def is_sealed(text: str) -> bool:
    """Whether a text has the form of a sealed one; whether it opens is another question."""
    return text.startswith(PREFIX)


def sealing_key(text: str) -> str:
    """The id of the key that sealed a text; empty when it is not sealed."""
    return text[len(PREFIX) :].partition(":")[0] if is_sealed(text) else ""


class Sealer:
    """Seals with the first of its keys and opens with any, so that keys can be exchanged."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        """`keys`: 32 bytes each, at least one."""
        self._keys = {key_id(key): AESGCM(key) for key in keys}
        self.current = key_id(keys[0])
        """Id of the key that seals."""

    def seal(self, text: str, place: str) -> str:
        """The sealed form of a text, never twice the same."""
        nonce = os.urandom(_NONCE_BYTES)
        data = nonce + self._keys[self.current].encrypt(nonce, text.encode(), place.encode())
        return f"{PREFIX}{self.current}:{urlsafe_b64encode(data).decode('ascii')}"

    def unseal(self, text: str, place: str) -> str:
        """What was sealed; a text that is not sealed is its own value. Raises `SealedValueUnreadable`."""
        if not is_sealed(text):
            return text
        sealed_with, _, encoded = text[len(PREFIX) :].partition(":")
        key = self._keys.get(sealed_with)
        if key is None:
            raise SealedValueUnreadable(
                f"a value of {place} was sealed with the master key {sealed_with[:8]}, which this server does not "
                f"have (it has {', '.join(self._keys)}); add that key to the master keys, or set the value again"
            )
        try:
            data = urlsafe_b64decode(encoded)
            return key.decrypt(data[:_NONCE_BYTES], data[_NONCE_BYTES:], place.encode()).decode()
        except (InvalidTag, ValueError):
            raise SealedValueUnreadable(
                f"a value of {place} cannot be decrypted: it was encrypted for another place, or changed; set it again"
            ) from None

    def opens(self, text: str, place: str) -> bool:
        """Whether a text is sealed for this place, with a key at hand."""
        try:
            self.unseal(text, place)
        except SealedValueUnreadable:
            return False
        return is_sealed(text)

    def is_current(self, text: str) -> bool:
        """Whether a text is sealed with the key that seals now."""
        return sealing_key(text) == self.current

    def at(self, place: str) -> "SealedPlace":
        """What opens the values of one place."""
        return SealedPlace(self, place)


@dataclass(frozen=True, slots=True)
class SealedPlace:
    """Opens the values that were sealed for one place: the port `credentials.base.Unsealer`."""

    sealer: Sealer
    place: str

    def unseal(self, text: str) -> str:
        """The value of a sealed text; a text that is not sealed is its own value. Raises `SealedValueUnreadable`."""
        return self.sealer.unseal(text, self.place)

    def at(self, place: str) -> "SealedPlace":
        """The same for another place."""
        return self.sealer.at(place)
