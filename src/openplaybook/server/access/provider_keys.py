"""The keys of an identity provider: found by OpenID Connect Discovery, kept, and asked for again when one is new."""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping

from joserfc.errors import JoseError
from joserfc.jwk import Key, import_key

from openplaybook.egress.base import HttpLimits, HttpRequest, Transport
from openplaybook.egress.errors import EgressError
from openplaybook.jsonvalues import JsonObject, as_list, as_object, loads

_LOG = logging.getLogger("openplaybook.server")

DISCOVERY_PATH = "/.well-known/openid-configuration"

PAUSE_S = 10.0
"""Seconds between two requests: anybody can send tokens with unknown key ids."""
_OLD_S = 3600.0
"""Keys are asked for again after this time, so that one which the provider withdrew is no longer good."""
_LIMITS = HttpLimits(connect_s=5, read_s=5, total_s=10, max_bytes=1_000_000)


class KeysUnavailable(Exception):
    """The provider's keys are not known; the message says why, for the log and the operator."""


class ProviderKeys:
    """The signing keys of one issuer by their ids."""

    def __init__(self, issuer: str, transport: Transport, clock: Callable[[], float] = time.monotonic) -> None:
        self._issuer = issuer
        self._transport = transport
        self._clock = clock
        self._keys: Mapping[str, Key] | None = None
        self._asked_at = -PAUSE_S
        self._got_at = 0.0
        self._asking = asyncio.Lock()

    async def find(self, key_id: str) -> Key | None:
        """The key with that id; with no id, the only key there is. None for an unknown one.

        Raises `KeysUnavailable` while no keys could be had at all.
        """
        known = self._pick(key_id)
        # One request finds out whether old keys still hold; those beside it need not wait for a provider that is slow.
        if known is None or (self._is_old() and not self._asking.locked()):
            await self._ask(key_id)
        if self._keys is None:
            raise KeysUnavailable(f"the keys of {self._issuer} cannot be fetched")
        return self._pick(key_id)

    def _pick(self, key_id: str) -> Key | None:
        keys = self._keys or {}
        return next(iter(keys.values())) if not key_id and len(keys) == 1 else keys.get(key_id)

    def _is_old(self) -> bool:
        return self._keys is None or self._clock() - self._got_at > _OLD_S

    async def _ask(self, key_id: str) -> None:
        async with self._asking:
            # Another caller may have asked meanwhile.
            is_known = not self._is_old() and self._pick(key_id) is not None
            if is_known or self._clock() - self._asked_at < PAUSE_S:
                return
            self._asked_at = self._clock()
            try:
                self._keys = await self._fetched()
            except (EgressError, KeysUnavailable) as error:
                _LOG.warning("the keys of the identity provider cannot be fetched: %s", error)
            else:
                self._got_at = self._clock()
            finally:
                # From the end: whoever waits behind a slow answer must not ask at once again.
                self._asked_at = self._clock()

    async def _fetched(self) -> Mapping[str, Key]:
        discovery = await discovered(self._issuer, self._transport)
        place = str(discovery.get("jwks_uri", ""))
        if not place.startswith("https://") and self._issuer.startswith("https://"):
            raise KeysUnavailable(f"{self._issuer}{DISCOVERY_PATH} names no jwks_uri with https://")
        documents = [as_object(key) for key in as_list((await _document(place, self._transport)).get("keys"))]
        keys = await asyncio.to_thread(_signing_keys, documents)
        if not keys:
            raise KeysUnavailable(f"{place} contains no signing key of an accepted kind")
        return keys


async def discovered(issuer: str, transport: Transport) -> JsonObject:
    """What an issuer says of itself. Raises `KeysUnavailable`, or what the transport raises."""
    document = await _document(issuer + DISCOVERY_PATH, transport)
    # OpenID Connect Discovery §4.3: else another issuer's keys would speak for this one.
    if str(document.get("issuer", "")).rstrip("/") != issuer:
        raise KeysUnavailable(f"{issuer}{DISCOVERY_PATH} names another issuer: {document.get('issuer')!r}")
    return document


async def _document(url: str, transport: Transport) -> JsonObject:
    answer = await transport.send(HttpRequest("GET", url, repeatable=True), _LIMITS)
    if answer.status != 200:
        raise KeysUnavailable(f"{url} answered {answer.status}")
    try:
        return as_object(loads(answer.body))
    except ValueError as error:
        raise KeysUnavailable(f"{url} is not a JSON object") from error


def _signing_keys(found: list[JsonObject]) -> Mapping[str, Key]:
    """RSA and EC keys; others, and those for encryption, are left out. In a thread: a provider may list many."""
    keys: dict[str, Key] = {}
    for document in found:
        if document.get("kty") not in ("RSA", "EC") or document.get("use", "sig") != "sig":
            continue
        try:
            keys[str(document.get("kid", ""))] = import_key(dict(document))
        except (JoseError, ValueError) as error:
            _LOG.warning("a key of the identity provider cannot be used: %s", error)
    return keys
