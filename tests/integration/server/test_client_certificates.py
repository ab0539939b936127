"""An agent's client certificate: judged when the agent is saved, shown when a tool is tried."""

from base64 import b64encode
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import aiohttp
import pytest
import trustme

from openplaybook.egress.base import ClientCertificate
from openplaybook.jsonvalues import JsonObject
from tests.integration.server.conftest import Start
from tests.kit.certificates import client_certificate, server_tls
from tests.kit.executing import Refused, Rest
from tests.kit.http_peer import answer, http_peer
from tests.kit.openapi import operation

KEY, PASSPHRASE = "projects/p/secrets/client-key/versions/1", "projects/p/secrets/client-passphrase/versions/1"
AUTHORITY = trustme.CA()
GOOD = client_certificate(AUTHORITY, "EC", passphrase=b"open sesame")


@asynccontextmanager
async def rest(
    start: Start, monkeypatch: pytest.MonkeyPatch, certificate: ClientCertificate | None = GOOD
) -> AsyncGenerator[Rest]:
    """A server that has the certificate's key and passphrase among its secrets."""
    if certificate is not None:
        monkeypatch.setenv("OPENPLAYBOOK_SECRET_CLIENT_KEY", certificate.private_key.decode())
        monkeypatch.setenv("OPENPLAYBOOK_SECRET_CLIENT_PASSPHRASE", certificate.passphrase.decode())
    running = await start(egress_allow="127.0.0.1", secret_backends="environment")
    async with aiohttp.ClientSession(running.http) as http:
        yield Rest(http)


def settings(**more: str) -> JsonObject:
    return {"sslCertificate": GOOD.certificate.decode(), "privateKey": KEY, "passphrase": PASSPHRASE, **more}


@pytest.mark.proves("A7")
async def test_a_tool_that_is_tried_shows_its_agents_certificate(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    tls = server_tls(ours := trustme.CA(), "127.0.0.1", clients_of=AUTHORITY)
    async with http_peer(lambda _: answer(), tls=tls) as api, rest(start, monkeypatch) as server:
        agent = await server.agent(clientCertificateSettings=settings())
        document = operation() | {"servers": [{"url": api.url.replace("http:", "https:")}]}
        trusted = {"caCerts": [{"displayName": "ours", "cert": b64encode(ours.cert_pem.bytes()).decode()}]}
        executed = await server.execute(await server.tool(agent, document, tlsConfig=trusted))
    assert executed["outputParameters"] == {"200": {}}


@pytest.mark.proves("A7")
@pytest.mark.parametrize(
    ("more", "kept", "told"),
    [
        ({"privateKey": ""}, GOOD, "agent.client_certificate_settings.private_key"),
        ({"sslCertificate": ""}, GOOD, "agent.client_certificate_settings.ssl_certificate"),
        ({"privateKey": "client-key"}, GOOD, "agent.client_certificate_settings.private_key"),
        ({"passphrase": "open sesame"}, GOOD, "agent.client_certificate_settings.passphrase"),
        ({"sslCertificate": "PEM"}, GOOD, "the client certificate cannot be read"),
        ({"passphrase": ""}, GOOD, "is encrypted, but there is no passphrase"),
        ({}, ClientCertificate(b"", GOOD.private_key, b"close sesame"), "the passphrase is wrong"),
        ({"passphrase": ""}, client_certificate(AUTHORITY, "EC"), "does not belong to the client certificate"),
    ],
)
async def test_a_certificate_that_cannot_work_is_refused_when_the_agent_is_saved(
    more: dict[str, str], kept: ClientCertificate, told: str, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with rest(start, monkeypatch, kept) as server:
        with pytest.raises(Refused) as caught:
            await server.agent(clientCertificateSettings=settings(**more))
    assert told in str(caught.value)
    assert "PRIVATE KEY" not in str(caught.value)


async def test_a_key_that_is_not_there_yet_is_a_warning(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    async with rest(start, monkeypatch, None) as server:
        await server.agent(clientCertificateSettings=settings())
        (warning,) = server.warnings
    assert warning.startswith(f"agent.client_certificate_settings: the secret version {KEY} does not exist")
