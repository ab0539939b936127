"""The keys that sign our tokens: made when first needed, kept sealed, replaced with age.

What makes and reads keys is imported then, too: few servers sign tokens, and all would start later for it.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from openplaybook.credentials.sealer import Sealer
from openplaybook.jsonvalues import JsonObject, as_list, as_object, dumps, loads
from openplaybook.storage.base import Put, Record, Store
from openplaybook.storage.errors import RecordExists, VersionMismatch

if TYPE_CHECKING:
    from joserfc.jwk import RSAKey

RECORD = "keys/signing"
"""Name of the record that holds them, and the place they are sealed for."""

ROTATED_AFTER_S = 90 * 86_400
"""Age at which a key signs no more."""

PUBLISHED_AFTER_S = 2 * 86_400
"""How long a key can still be verified with after it was replaced: longer than any token and most caches live."""

_BITS = 2048
_READ_AGAIN_S = 60.0


@dataclass(frozen=True, slots=True)
class SigningKey:
    """An RSA key, for RS256 (RFC 7518 §3.3): the algorithm that every verifier has (OpenID Connect Discovery §3)."""

    key: "RSAKey" = field(repr=False)
    created_s: float
    """Seconds since the epoch."""
    replaced_s: float | None = None
    """When another took its place; None for the one that signs."""

    @property
    def id(self) -> str:
        """Its `kid`: the thumbprint (RFC 7638)."""
        return self.key.thumbprint()

    def public(self) -> JsonObject:
        """What verifies (RFC 7517 §4)."""
        return {**self.key.as_dict(private=False), "kid": self.id, "use": "sig", "alg": "RS256"}


class SigningKeys:
    """The keys in one store; servers that share it share them."""

    def __init__(self, store: Store, sealer: Sealer, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._sealer = sealer
        self._clock = clock
        self._keys: Sequence[SigningKey] = ()
        self._read_s = 0.0
        self._changing = asyncio.Lock()

    async def signing(self) -> SigningKey:
        """The key that signs now; a new one takes the place of one that is too old.

        Raises `SealedValueUnreadable` when the stored keys do not open, and `StoreUnusable`.
        """
        keys = await self._current()
        if self._clock() - keys[0].created_s >= ROTATED_AFTER_S:
            await self._replace(keys[0].id)
        return self._keys[0]

    async def published(self) -> Sequence[SigningKey]:
        """The keys that tokens in use may be signed with, the newest first; raises what `signing` raises."""
        now = self._clock()
        keys = await self._current()
        return [key for key in keys if key.replaced_s is None or now - key.replaced_s < PUBLISHED_AFTER_S]

    async def rotate(self) -> None:
        """Sign with a new key from now on; raises what `signing` raises."""
        keys = await self._current()
        await self._replace(keys[0].id)

    async def reseal(self) -> int:
        """Seal the keys anew if an older master key did; how many records that were. Raises `SealedValueUnreadable`."""
        record = await self._store.get(RECORD)
        texts = [str(as_object(each)["sealed"]) for each in as_list(loads(record.body)["keys"])] if record else []
        if record is None or all(map(self._sealer.is_current, texts)):
            return 0
        await self._store.apply([self._put(self._opened(record), expect=record.version)])
        return 1

    async def _replace(self, replaced: str) -> None:
        """Make a key in place of `replaced`, empty for the first one; nothing where someone else has."""
        async with self._changing:
            record = await self._store.get(RECORD)
            keys = self._opened(record)
            if keys and keys[0].id != replaced:
                self._keep(keys)
                return
            now = self._clock()
            fresh = SigningKey(await asyncio.to_thread(_new_key), now)
            old = [SigningKey(key.key, key.created_s, key.replaced_s or now) for key in keys]
            keys = [fresh, *(key for key in old if now - (key.replaced_s or now) < PUBLISHED_AFTER_S)]
            try:
                await self._store.apply([self._put(keys, expect=record.version if record else 0)])
            except (RecordExists, VersionMismatch):
                # Another server was quicker; its key is as good.
                keys = self._opened(await self._store.get(RECORD))
            self._keep(keys)

    async def _current(self) -> Sequence[SigningKey]:
        if not self._keys or self._clock() - self._read_s >= _READ_AGAIN_S:
            record = await self._store.get(RECORD)
            if record is None:
                await self._replace("")
            else:
                self._keep(self._opened(record))
        return self._keys

    def _keep(self, keys: Sequence[SigningKey]) -> None:
        self._keys, self._read_s = keys, self._clock()

    def _put(self, keys: Sequence[SigningKey], expect: int) -> Put:
        body = {"keys": [self._sealed(key) for key in keys]}
        return Put(name=RECORD, kind="signing_keys", parent="keys", root="keys", body=dumps(body), expect=expect)

    def _sealed(self, key: SigningKey) -> JsonObject:
        private = dumps(key.key.as_dict(private=True)).decode()
        return {
            "sealed": self._sealer.seal(private, RECORD),
            "createdS": key.created_s,
            "replacedS": key.replaced_s,
        }

    def _opened(self, record: Record | None) -> list[SigningKey]:
        if record is None:
            return []
        from joserfc.jwk import RSAKey

        return [
            SigningKey(
                RSAKey.import_key(loads(self._sealer.unseal(each["sealed"], RECORD))),
                each["createdS"],
                each["replacedS"],
            )
            for each in map(as_object, as_list(loads(record.body)["keys"]))
        ]


def _new_key() -> "RSAKey":
    from joserfc.jwk import RSAKey

    return RSAKey.generate_key(_BITS)
