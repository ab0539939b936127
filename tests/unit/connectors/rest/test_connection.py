"""Connections to systems that have a manifest, without any HTTP."""

from dataclasses import replace
from urllib.parse import urlsplit

import pytest

from openplaybook.connectors.base import SqlQuery, SystemCall
from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.errors import AuthenticationRefused, InvalidConnection, OperationUnsupported
from openplaybook.connectors.rest.addresses import SystemAddress
from openplaybook.connectors.rest.connection import RestConnection
from openplaybook.connectors.rest.manifest.model import SystemManifest
from openplaybook.connectors.rest.system_request import SystemRequest
from openplaybook.connectors.rest.systems import manifest_of, manifests
from openplaybook.connectors.settings import ConnectionSettings, Destination, GoogleAccount, UserPassword
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


@pytest.mark.parametrize(
    ("site", "folder"), [("blog.example.com", ""), ("example.com/blog", "/blog"), ("example.com/a.b/c", "/a.b/c")]
)
def test_a_site_of_wordpress_may_be_in_a_folder(site: str, folder: str) -> None:
    settings = ConnectionSettings(
        "projects/p/locations/l/connections/c",
        "wordpress",
        config={"site": site},
        authentication=UserPassword("ann", "secret"),
        destinations={"host": Destination("http://127.0.0.1", 8080)},
    )
    for given, origin in (
        (replace(settings, destinations={}), f"https://{site.partition('/')[0]}"),
        (settings, "http://127.0.0.1:8080"),
    ):
        address = SystemAddress(manifests()["wordpress"], given, "basic", {"config.site": site})
        assert address.url_of(SystemRequest("GET", "/posts")) == f"{origin}{folder}/wp-json/wp/v2/posts"


@pytest.mark.parametrize(
    "site", ["example.com/..", "example.com/../x", "example.com/", "example.com//x", "a/b?c", "a@b/c"]
)
def test_no_folder_of_a_site_leads_elsewhere(site: str) -> None:
    name, login = "projects/p/locations/l/connections/c", UserPassword("ann", "secret")
    settings = ConnectionSettings(name, "wordpress", config={"site": site}, authentication=login)
    with pytest.raises(InvalidConnection, match="does not meet the pattern"):
        SystemAddress(manifests()["wordpress"], settings, "basic", {"config.site": site})


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
