"""The aiohttp sessions: one that resolves names, one that dials endpoints in private networks."""

import aiohttp
from aiohttp.abc import AbstractResolver
from aiohttp.connector import Connection

from openplaybook.egress.endpoints import EndpointResolver
from openplaybook.egress.errors import ConnectFailed
from openplaybook.egress.metering import Meter, Overloaded

_IDLE_S = 30.0
"""A connection that was not used for so long is closed."""


class Sessions:
    """Opened at the first need, in the event loop that asks."""

    def __init__(self, resolver: AbstractResolver) -> None:
        self._resolver = resolver
        self._public: aiohttp.ClientSession | None = None
        self._private: aiohttp.ClientSession | None = None
        self._closed = False

    def public(self) -> aiohttp.ClientSession:
        """For hosts that are resolved, by addresses that are good for ten seconds."""
        if self._public is None:
            self._public = self._opened(
                aiohttp.TCPConnector(resolver=self._resolver, limit=0, keepalive_timeout=_IDLE_S, ttl_dns_cache=10)
            )
        return self._public

    def private(self) -> aiohttp.ClientSession:
        """For hosts that spell endpoints, tried in their order, IPv4 and IPv6 taking turns (RFC 8305)."""
        if self._private is None:
            self._private = self._opened(
                aiohttp.TCPConnector(
                    resolver=EndpointResolver(), limit=0, keepalive_timeout=_IDLE_S, use_dns_cache=False
                )
            )
        return self._private

    async def aclose(self) -> None:
        """Close every connection; asking for a session raises `ConnectFailed` from now on."""
        self._closed = True
        opened, self._public, self._private = (self._public, self._private), None, None
        for session in opened:
            if session is not None:
                await session.close()

    def _opened(self, connector: aiohttp.TCPConnector) -> aiohttp.ClientSession:
        if self._closed:
            raise ConnectFailed("the transport is closed")
        return aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            trust_env=False,
            auto_decompress=True,
            headers={"User-Agent": "openplaybook", "Accept-Encoding": "gzip, deflate"},
            raise_for_status=False,
            response_class=MeteredAnswer,
        )


class Broken(aiohttp.ClientError):
    """The connection ended before there was an answer."""


class MeteredAnswer(aiohttp.ClientResponse):
    """Is bounded in what comes beside its body, and keeps aiohttp from sending its request again on its own: whether
    that is safe, only the sender knows."""

    _meter: Meter | None = None

    async def start(self, connection: Connection) -> aiohttp.ClientResponse:
        """The answer; raises `Broken` in place of the errors after which aiohttp would try again."""
        self._meter = meter = Meter.at(connection)
        try:
            answer = await super().start(connection)
        except aiohttp.ClientError as error:
            if self.is_overloaded:
                raise Overloaded from error
            if isinstance(error, aiohttp.ClientOSError | aiohttp.ServerDisconnectedError):
                raise Broken(*error.args) from error
            raise
        if meter is not None:
            meter.body = self.content
        return answer

    @property
    def is_overloaded(self) -> bool:
        """Whether so much came beside the body that the connection was aborted."""
        return self._meter is not None and self._meter.is_exceeded
