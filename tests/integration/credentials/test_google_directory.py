"""Google's Service Directory API as its discovery document (v1) describes `services.resolve`, on a loopback socket."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from openplaybook.credentials.directory.google_directory import KEPT_S, GoogleServiceDirectory
from openplaybook.credentials.errors import CredentialError, CredentialRefused, CredentialUnavailable
from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.base import Endpoint
from openplaybook.egress.http_transport import HttpTransport
from openplaybook.jsonvalues import JsonObject, JsonValue, dumps, loads
from tests.kit.http_peer import Received, answer, http_peer

SERVICE = "projects/p/locations/l/namespaces/n/services/s"


@dataclass
class Directory:
    """The API: `endpoints` are those of the one service it knows."""

    endpoints: list[JsonObject] = field(default_factory=list[JsonObject])
    status: str = "200 OK"
    asked: int = 0

    def reply(self, received: Received) -> bytes:
        self.asked += 1
        assert (received.method, received.header("Authorization")) == ("POST", "Bearer the-token")
        assert set(loads(received.body)) <= {"maxEndpoints", "endpointFilter"}
        if self.status != "200 OK":
            code, _, phrase = self.status.partition(" ")
            return answer(dumps({"error": {"code": int(code), "message": phrase, "status": "X"}}), self.status)
        if received.target != f"/v1/{SERVICE}:resolve":
            return answer(b'{"error":{"code":404,"message":"no such service"}}', "404 Not Found")
        service: JsonObject = {"name": SERVICE, "annotations": {}, "uid": "u"}
        if self.endpoints:
            service["endpoints"] = self.endpoints
        return answer(dumps({"service": service}))


@dataclass
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


async def token() -> str:
    return "the-token"


@asynccontextmanager
async def resolving(peer: Directory, clock: Clock | None = None) -> AsyncGenerator[GoogleServiceDirectory]:
    transport = HttpTransport(AddressPolicy(parse_allow("127.0.0.1")))
    try:
        async with http_peer(peer.reply) as service:
            yield GoogleServiceDirectory(transport, token, service.url, clock or Clock())
    finally:
        await transport.aclose()


def endpoint(**members: JsonValue) -> JsonObject:
    return {"name": f"{SERVICE}/endpoints/e", "network": "projects/1/locations/global/networks/n", **members}


@pytest.mark.proves("A10")
async def test_a_service_resolves_to_its_endpoints_for_half_a_minute() -> None:
    clock = Clock()
    peer = Directory([endpoint(address="10.0.0.5", port=8443), endpoint(address="fd00::5")])
    async with resolving(peer, clock) as directory:
        expected = (Endpoint("10.0.0.5", 8443), Endpoint("fd00::5", 443))
        assert await asyncio.gather(*(directory.endpoints(SERVICE) for _ in range(20))) == [expected] * 20
        assert await directory.endpoints(SERVICE) == expected
        assert peer.asked == 1
        clock.now, peer.endpoints = KEPT_S, [endpoint(address="10.0.0.6", port=1)]
        assert await directory.endpoints(SERVICE) == (Endpoint("10.0.0.6", 1),)


@pytest.mark.parametrize(
    ("peer", "service", "kind", "message"),
    [
        (Directory(), SERVICE, CredentialUnavailable, "has no endpoint with an IP address for"),
        (Directory([endpoint(address="host.example", port=1)]), SERVICE, CredentialUnavailable, "has no endpoint"),
        (Directory(), f"{SERVICE}2", CredentialRefused, "answered 404 for .*: no such service"),
        (Directory(status="403 Forbidden"), SERVICE, CredentialRefused, "answered 403 for .*: Forbidden"),
        (Directory(status="503 Unavailable"), SERVICE, CredentialUnavailable, "answered 503 for .*: Unavailable"),
    ],
)
async def test_what_the_directory_cannot_tell_is_said(
    peer: Directory, service: str, kind: type[CredentialError], message: str
) -> None:
    async with resolving(peer) as directory:
        with pytest.raises(kind, match=f"Service Directory {message}"):
            await directory.endpoints(service)


async def test_a_directory_that_is_gone_is_told() -> None:
    async with resolving(Directory()) as directory:
        pass
    with pytest.raises(CredentialUnavailable, match="Service Directory did not respond"):
        await directory.endpoints(SERVICE)
