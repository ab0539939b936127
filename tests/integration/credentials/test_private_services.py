"""Services that ask who we are in the TLS handshake, and services in a private network; real handshakes throughout."""

from base64 import b64encode
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import pytest
import trustme

from openplaybook.credentials.base import CredentialSources
from openplaybook.credentials.directory.configured_directory import ConfiguredDirectory, parse_services
from openplaybook.credentials.errors import SecretNotFound
from openplaybook.egress.address_policy import AddressPolicy
from openplaybook.egress.base import ClientCertificate
from openplaybook.egress.http_transport import HttpTransport
from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.base import AgentScope, Failure, Outcome, Success, Tool
from openplaybook.tools.toolbox import Toolbox
from tests.kit.calling import call
from tests.kit.certificates import client_certificate, server_tls
from tests.kit.http_peer import HttpPeer, answer, http_peer
from tests.kit.openapi import operation, resource

KEY, PASSPHRASE = "projects/p/secrets/key/versions/1", "projects/p/secrets/passphrase/versions/latest"
SERVICE = "projects/p/locations/l/namespaces/n/services/s"
OK = Success({"200": {}})


@dataclass
class Kept:
    """A store of secrets."""

    values: Mapping[str, str]

    async def access(self, version: str) -> str:
        if version not in self.values:
            raise SecretNotFound(f"{version} does not exist")
        return self.values[version]


@dataclass
class Scene:
    """An API called `api.internal` that only a service directory can find."""

    peer: HttpPeer
    authority: trustme.CA
    transport: HttpTransport

    def tool(self, certificate: ClientCertificate | None = None, **spec: object) -> Tool:
        scope: JsonObject = {}
        values: dict[str, str] = {}
        if certificate is not None:
            values = {KEY: certificate.private_key.decode(), PASSPHRASE: certificate.passphrase.decode()}
            scope = {"sslCertificate": certificate.certificate.decode(), "privateKey": KEY}
            if certificate.passphrase:
                scope["passphrase"] = PASSPHRASE
        return self.scoped(scope, values, **spec)

    def scoped(self, scope: JsonObject, values: Mapping[str, str], **spec: object) -> Tool:
        directory = ConfiguredDirectory(parse_services([f"{SERVICE}=127.0.0.1:{self.peer.port}"]))
        sources = CredentialSources(self.transport, secrets=Kept(values), directory=directory)
        document = {**operation(), "servers": [{"url": "https://api.internal"}]}
        authority = b64encode(self.authority.cert_pem.bytes()).decode()
        spec = {
            "serviceDirectoryConfig": {"service": SERVICE},
            "tlsConfig": {"caCerts": [{"displayName": "ours", "cert": authority}]},
            **spec,
        }
        return Toolbox(self.transport, sources).build(resource(document, **spec), AgentScope(scope))


@asynccontextmanager
async def scene(
    *, clients_of: trustme.CA | None = None, name: str = "api.internal", answers: bytes = b"{}"
) -> AsyncGenerator[Scene]:
    authority, transport = trustme.CA(), HttpTransport(AddressPolicy())
    try:
        async with http_peer(lambda _: answer(answers), tls=server_tls(authority, name, clients_of=clients_of)) as peer:
            yield Scene(peer, authority, transport)
    finally:
        await transport.aclose()


def failure(outcome: Outcome) -> Failure:
    assert isinstance(outcome, Failure)
    return outcome


@pytest.mark.proves("A10")
async def test_a_private_service_is_reached_at_its_endpoint_under_its_own_name() -> None:
    async with scene() as it:
        tool = it.tool()
        assert [await call(tool) for _ in range(2)] == [OK, OK]
        assert [request.header("Host") for request in it.peer.requests] == ["api.internal"] * 2
        assert it.peer.connections == 1


@pytest.mark.proves("A4", "A10")
async def test_a_token_endpoint_beside_a_private_api_is_reached_there_too_and_one_elsewhere_is_not() -> None:
    async with scene(answers=b'{"access_token":"at"}') as it:
        config = {"clientId": "c", "clientSecret": "s", "tokenEndpoint": "https://api.internal/token"}
        assert isinstance(await call(it.tool(authentication={"oauthConfig": config})), Success)
        assert [request.target for request in it.peer.requests] == ["/token", "/things"]
        elsewhere = {**config, "tokenEndpoint": f"https://127.0.0.1:{it.peer.port}/token"}
        outcome = failure(await call(it.tool(authentication={"oauthConfig": elsewhere})))
        assert (outcome.code, len(it.peer.requests)) == ("CREDENTIAL_UNAVAILABLE", 2)


@pytest.mark.proves("A10")
async def test_a_private_service_still_has_to_prove_its_name() -> None:
    async with scene(name="other.internal") as it:
        outcome = failure(await call(it.tool()))
        assert (outcome.code, it.peer.requests) == ("TLS_FAILED", [])
        assert "other.internal" in outcome.message


async def test_a_service_that_is_not_in_the_directory_is_named() -> None:
    async with scene() as it:
        outcome = failure(await call(it.tool(serviceDirectoryConfig={"service": f"{SERVICE}2"})))
        assert outcome == Failure(
            "CREDENTIAL_UNSUPPORTED",
            f"the service {SERVICE}2 cannot be looked up: no service directory is configured for it; "
            "the operator of this server has to set service_directory",
        )


@pytest.mark.proves("A7")
@pytest.mark.parametrize("passphrase", [b"", b"open sesame"])
async def test_the_agents_certificate_is_shown_to_a_service_that_asks_for_one(passphrase: bytes) -> None:
    clients = trustme.CA()
    async with scene(clients_of=clients) as it:
        tool = it.tool(client_certificate(clients, "EC", passphrase=passphrase))
        assert [await call(tool) for _ in range(2)] == [OK, OK]
        assert it.peer.connections == 1


@pytest.mark.proves("A7")
async def test_a_service_that_asks_for_a_certificate_is_not_reached_without_one() -> None:
    async with scene(clients_of=trustme.CA()) as it:
        outcome = failure(await call(it.tool()))
        assert outcome.code in ("TLS_FAILED", "BAD_RESPONSE")
        assert it.peer.requests == []


@pytest.mark.proves("A7")
@pytest.mark.parametrize(
    ("scope", "values", "code", "told"),
    [
        ({"sslCertificate": "PEM"}, {}, "CREDENTIAL_MISSING", "have no privateKey"),
        ({"privateKey": KEY}, {}, "CREDENTIAL_MISSING", "have no sslCertificate"),
        ({"sslCertificate": "PEM", "privateKey": KEY}, {}, "SECRET_NOT_FOUND", f"{KEY} does not exist"),
        ({"sslCertificate": "PEM", "privateKey": KEY}, {KEY: "no key"}, "TLS_FAILED", "certificate"),
    ],
)
async def test_a_certificate_that_cannot_be_used_is_told_and_nothing_is_sent(
    scope: JsonObject, values: Mapping[str, str], code: str, told: str
) -> None:
    async with scene(clients_of=trustme.CA()) as it:
        outcome = failure(await call(it.scoped(scope, values)))
        assert (outcome.code, told in outcome.message, it.peer.requests) == (code, True, []), outcome.message


async def test_a_wrong_passphrase_is_told_without_being_shown() -> None:
    clients = trustme.CA()
    async with scene(clients_of=clients) as it:
        wrong = replace(client_certificate(clients, "EC", passphrase=b"open sesame"), passphrase=b"close sesame")
        outcome = failure(await call(it.tool(wrong)))
        assert outcome.code == "TLS_FAILED"
        assert "passphrase" in outcome.message
        assert "sesame" not in outcome.message
