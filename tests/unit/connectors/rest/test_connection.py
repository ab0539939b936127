"""Connections to systems that have a manifest, without any HTTP."""

from urllib.parse import urlsplit

import pytest

from openplaybook.connectors.base import SystemCall
from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.errors import AuthenticationRefused
from openplaybook.connectors.rest.addresses import SystemAddress
from openplaybook.connectors.rest.connection import RestConnection
from openplaybook.connectors.rest.system_request import SystemRequest
from openplaybook.connectors.rest.systems import manifest_of
from openplaybook.connectors.settings import ConnectionSettings, GoogleAccount
from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse

MANIFEST = """
id: acme
title: Acme
evidence_note: None.
base_url: https://acme.example
auth: [{kind: google, scopes: [s]}]
actions: {Speak: {description: Say something., http: POST /speech, parameters: {text: text}}}
"""


class Unreachable:
    """Nothing may be sent."""

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        raise AssertionError(request.url)

    async def aclose(self) -> None:
        """Nothing is held."""

    async def resolve(self, host: str, port: int) -> list[str]:
        raise AssertionError(host)


async def test_a_system_that_has_actions_alone_is_checked_by_fetching_its_token() -> None:
    settings = ConnectionSettings("projects/p/locations/l/connections/c", "acme", authentication=GoogleAccount())
    connection = RestConnection(manifest_of(MANIFEST, "acme"), settings, SystemAccess(Unreachable(), Unreachable()))
    with pytest.raises(AuthenticationRefused):
        await connection.check(SystemCall())


@pytest.mark.parametrize("path", ["@evil.example/x", ".evil.example/x", ":1@evil.example", "?a=b", "/x"])
def test_no_path_of_a_page_changes_the_host(path: str) -> None:
    address = SystemAddress(
        manifest_of(MANIFEST, "acme"),
        ConnectionSettings("projects/p/locations/l/connections/c", "acme", authentication=GoogleAccount()),
        "google",
        {},
    )
    url = urlsplit(address.url_of(SystemRequest("GET", path, is_absolute=True)))
    assert (url.scheme, url.netloc) == ("https", "acme.example")
