"""Connections to systems that have a manifest, without any HTTP."""

from urllib.parse import urlsplit

import pytest

from openplaybook.connectors.base import SqlQuery, SystemCall
from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.errors import AuthenticationRefused, OperationUnsupported
from openplaybook.connectors.rest.addresses import SystemAddress
from openplaybook.connectors.rest.connection import RestConnection
from openplaybook.connectors.rest.manifest.model import SystemManifest
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


def connection_over(manifest: SystemManifest) -> RestConnection:
    settings = ConnectionSettings("projects/p/locations/l/connections/c", "acme", authentication=GoogleAccount())
    return RestConnection(manifest, settings, SystemAccess(Unreachable(), Unreachable()))


async def test_a_system_that_has_actions_alone_is_checked_by_fetching_its_token() -> None:
    with pytest.raises(AuthenticationRefused):
        await connection_over(manifest_of(MANIFEST, "acme")).check(SystemCall())


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


async def test_a_system_without_a_query_language_takes_sql_over_its_entities() -> None:
    listing = """
entities:
  items: {fields: {id: string key, secret: string wo}, list: GET /items}
"""
    manifest = manifest_of(MANIFEST + listing, "acme")
    assert manifest.definition.takes_queries
    lines = connection_over(manifest)
    [speak, query] = await lines.actions(SystemCall())
    assert (speak.name, query.name, query.is_read_only) == ("Speak", "ExecuteCustomQuery", True)
    fields = (await lines.entity_type("items", SystemCall())).fields
    assert {each.name: each.is_given for each in fields} == {"id": True, "secret": False}

    mute = manifest_of(MANIFEST, "acme")
    assert not mute.definition.takes_queries
    assert [each.name for each in await connection_over(mute).actions(SystemCall())] == ["Speak"]
    with pytest.raises(OperationUnsupported, match="Acme takes no ExecuteCustomQuery"):
        await connection_over(mute).query(SqlQuery("SELECT 1"), SystemCall())
