import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.services.discoveryengine.site_crawls import SiteCrawls
from openplaybook.services.discoveryengine.site_refreshes import SiteRefreshes
from openplaybook.services.discoveryengine.store_readings import StoreReadings
from openplaybook.storage.base import Put, Record
from openplaybook.storage.sqlite import SqliteStore
from openplaybook.wire.errors import Code
from tests.integration.services.discoveryengine.stores import PARENT, STORE, Stores, serving
from tests.integration.services.peers import Clock
from tests.kit.http_peer import HttpPeer, Received, answer, http_peer

_ENGINE = f"{STORE}/siteSearchEngine"
_SITES = "SiteSearchEngineService."


@dataclass
class Site:
    """A website."""

    pages: dict[str, str] = field(default_factory=dict[str, str])
    """Words by path; each page links to all others."""
    is_open: asyncio.Event = field(default_factory=asyncio.Event)
    """Whether it answers, or lets wait."""

    async def __call__(self, received: Received) -> bytes:
        await self.is_open.wait()
        words = self.pages.get(received.target)
        if words is None:
            return answer(b"gone", "404 Not Found", "text/plain")
        links = "".join(f'<a href="{path}">{path}</a>' for path in self.pages)
        text = (
            f"<html><head><title>{received.target}</title></head><body><main><p>{words}</p></main>{links}</body></html>"
        )
        return answer(text.encode(), content_type="text/html; charset=utf-8")


@pytest.fixture
def site() -> Site:
    site = Site(
        {
            "/docs/": "The manual begins with a foreword about the whole machine.",
            "/docs/lamp": "The lamp is switched on with the red lever on the left side.",
            "/docs/secret/x": "A secret chapter about levers that nobody shall read here.",
            "/blog/": "A diary about something else, which has nothing to do with it.",
        }
    )
    site.is_open.set()
    return site


@pytest.fixture
async def peer(site: Site) -> AsyncIterator[HttpPeer]:
    async with http_peer(site) as peer:
        yield peer


async def add(stores: Stores, pattern: str, kind: str = "INCLUDE") -> JsonObject:
    """The operation that creates a site, once it is done."""
    request = {"parent": _ENGINE, "targetSite": {"providedUriPattern": pattern, "type": kind}}
    return await stores.done(f"{_SITES}CreateTargetSite", request)


async def test_a_site_is_crawled_when_it_is_created(stores: Stores, peer: HttpPeer) -> None:
    await stores.create("PUBLIC_WEBSITE")
    await add(stores, f"127.0.0.1:{peer.port}/docs/secret/*", "EXCLUDE")
    done = await add(stores, f"127.0.0.1:{peer.port}/docs/*")
    assert done["response"]["indexingStatus"] == "SUCCEEDED", done
    assert done["metadata"]["successCount"] == 2
    assert len(await stores.ids()) == 2
    [found] = await stores.found_soon("red lever")
    document = await stores("DocumentService.GetDocument", {"name": f"{STORE}/branches/0/documents/{found}"})
    assert document["content"]["uri"] == f"{peer.url}/docs/lamp"
    listed = await stores(f"{_SITES}ListTargetSites", {"parent": _ENGINE})
    assert [site["type"] for site in listed["targetSites"]] == ["EXCLUDE", "INCLUDE"]


async def test_pages_of_a_site_that_is_deleted_leave_the_store(stores: Stores, peer: HttpPeer) -> None:
    await stores.create("PUBLIC_WEBSITE")
    sites = [
        {"parent": _ENGINE, "targetSite": {"providedUriPattern": f"http://127.0.0.1:{peer.port}/{part}/*"}}
        for part in ("docs", "blog")
    ]
    done = await stores.done(f"{_SITES}BatchCreateTargetSites", {"parent": _ENGINE, "requests": sites})
    names = [site["name"] for site in done["response"]["targetSites"]]
    assert len(await stores.ids()) == 4
    await stores.done(f"{_SITES}DeleteTargetSite", {"name": names[0]})
    assert len(await stores.ids()) == 1


async def test_a_site_is_narrowed_excluded_and_included_again(stores: Stores, peer: HttpPeer) -> None:
    await stores.create("PUBLIC_WEBSITE")
    done = await add(stores, f"127.0.0.1:{peer.port}/docs/")
    name = done["response"]["name"]
    assert len(await stores.ids()) == 3

    async def update(**site: JsonValue) -> JsonObject:
        return await stores.done(f"{_SITES}UpdateTargetSite", {"targetSite": {"name": name, **site}})

    done = await update(exactMatch=True)
    assert (done["response"]["exactMatch"], done["metadata"]["deletedCount"]) == (True, 2)
    assert len(await stores.ids()) == 1
    done = await update(type="EXCLUDE")
    assert (done["response"]["type"], done["response"]["indexingStatus"]) == ("EXCLUDE", "SUCCEEDED")
    assert await stores.ids() == []
    done = await update(type="INCLUDE")
    assert done["metadata"]["successCount"] == 3
    assert len(await stores.ids()) == 3
    request = {"targetSite": {"name": name, "providedUriPattern": "other.test/*"}}
    package = "google.cloud.discoveryengine.v1."
    code, message = await stores.caller.refusal(f"{package}{_SITES}UpdateTargetSite", request)
    assert (code, "provided_uri_pattern" in message) == (Code.INVALID_ARGUMENT, True)
    request = {"targetSite": {"name": f"{name}x"}}
    code, _ = await stores.caller.refusal(f"{package}{_SITES}UpdateTargetSite", request)
    assert code == Code.NOT_FOUND


async def test_pages_that_vanished_leave_with_the_next_crawl(stores: Stores, peer: HttpPeer, site: Site) -> None:
    await stores.create("PUBLIC_WEBSITE")
    await add(stores, f"127.0.0.1:{peer.port}/docs/*")
    del site.pages["/docs/lamp"]
    site.pages["/docs/"] = "The manual begins with another foreword about a smaller machine."
    parts = stores.caller.parts
    directory = StoreReadings(parts.store)
    transport = stores.services.access.transport
    servers = [SiteRefreshes(parts, SiteCrawls(parts, stores.engine, directory, transport)) for _ in range(2)]
    stores.caller.clock.advance(3599)
    assert await servers[0].begin_due(3600) == []
    stores.caller.clock.advance(2)
    begun = await asyncio.gather(*(each.begin_due(3600) for each in servers))
    [operation] = [name for names in begun for name in names]
    await parts.operations.wait(operation, 30)
    done = await stores.caller("google.longrunning.Operations.GetOperation", {"name": operation})
    assert done["metadata"]["deletedCount"] == 1, done
    assert len(await stores.ids()) == 2


async def test_a_server_that_starts_later_keeps_to_the_schedule(
    tmp_path: Path, bucket: Path, peer: HttpPeer, site: Site
) -> None:
    clock = Clock()
    async with serving(tmp_path, bucket, clock=clock) as stores:
        await stores.create("PUBLIC_WEBSITE")
        await add(stores, f"127.0.0.1:{peer.port}/docs/*")
    del site.pages["/docs/lamp"]
    clock.advance(3601)
    async with serving(tmp_path, bucket, clock=clock, refresh_s=3600) as stores:
        for _ in range(1_000):
            ids = await stores.ids()
            if len(ids) == 2 and not await stores.caller.parts.operations.notes.all():
                break
            await asyncio.sleep(0.02)
        assert len(await stores.ids()) == 2


async def test_a_crawl_that_goes_on_is_not_begun_again(stores: Stores, peer: HttpPeer, site: Site) -> None:
    await stores.create("PUBLIC_WEBSITE")
    await add(stores, f"127.0.0.1:{peer.port}/docs/*")
    parts = stores.caller.parts
    crawls = SiteCrawls(parts, stores.engine, StoreReadings(parts.store), stores.services.access.transport)
    refreshes = SiteRefreshes(parts, crawls)
    site.is_open.clear()
    stores.caller.clock.advance(3601)
    [operation] = await refreshes.begin_due(3600)
    stores.caller.clock.advance(3601)
    assert await refreshes.begin_due(3600) == []
    site.is_open.set()
    await parts.operations.wait(operation, 30)
    stores.caller.clock.advance(3601)
    assert len(await refreshes.begin_due(3600)) == 1


class Overtaken(SqliteStore):
    """A store of which another server begins to crawl what is due, once this one has found it due."""

    def __init__(self, path: Path, clock: Clock, other: SiteRefreshes) -> None:
        super().__init__(path, clock=clock)
        self._other = other
        self.begun: list[str] = []

    async def get(self, name: str) -> Record | None:
        if "/targetSites/" in name and not self.begun:
            self.begun = await self._other.begin_due(3600)
        return await super().get(name)


async def test_a_site_that_another_server_has_just_begun_to_crawl_is_left_to_it(
    stores: Stores, peer: HttpPeer, tmp_path: Path
) -> None:
    await stores.create("PUBLIC_WEBSITE")
    await add(stores, f"127.0.0.1:{peer.port}/docs/*")
    parts, clock = stores.caller.parts, stores.caller.clock
    crawls = SiteCrawls(parts, stores.engine, StoreReadings(parts.store), stores.services.access.transport)
    clock.advance(3601)
    overtaken = Overtaken(tmp_path / "store.db", clock, SiteRefreshes(parts, crawls))
    await overtaken.open()
    assert await SiteRefreshes(replace(parts, store=overtaken), crawls).begin_due(3600) == []
    await overtaken.close()
    [operation] = overtaken.begun
    await parts.operations.wait(operation, 30)


async def test_a_note_of_a_newer_server_stops_no_refresh(stores: Stores, peer: HttpPeer) -> None:
    await stores.create("PUBLIC_WEBSITE")
    await add(stores, f"127.0.0.1:{peer.port}/docs/*")
    parts = stores.caller.parts
    crawls = SiteCrawls(parts, stores.engine, StoreReadings(parts.store), stores.services.access.transport)
    note = Put("operations/newer/note", "operation_note", "operationNotes", "operationNotes", b'{"kind":"crawl_sites"}')
    await parts.store.apply([note])
    stores.caller.clock.advance(3601)
    [operation] = await SiteRefreshes(parts, crawls).begin_due(3600)
    await parts.operations.wait(operation, 30)


async def test_a_store_that_wants_no_refresh_has_none(stores: Stores, peer: HttpPeer) -> None:
    await stores.create("PUBLIC_WEBSITE", advancedSiteSearchConfig={"disableAutomaticRefresh": True})
    await add(stores, f"127.0.0.1:{peer.port}/docs/*")
    parts = stores.caller.parts
    crawls = SiteCrawls(parts, stores.engine, StoreReadings(parts.store), stores.services.access.transport)
    stores.caller.clock.advance(3601)
    assert await SiteRefreshes(parts, crawls).begin_due(3600) == []


async def test_pages_are_taken_anew_when_it_is_asked_for(stores: Stores, peer: HttpPeer, site: Site) -> None:
    await stores.create("PUBLIC_WEBSITE")
    await add(stores, f"127.0.0.1:{peer.port}/docs/*")
    site.pages["/docs/lamp"] = "The lamp is switched on with the green button on the right side."
    uris = [f"{peer.url}/docs/lamp", f"{peer.url}/blog/", "no url"]
    done = await stores.done(f"{_SITES}RecrawlUris", {"siteSearchEngine": _ENGINE, "uris": uris})
    metadata = done["metadata"]
    assert (metadata["validUrisCount"], metadata["successCount"]) == (1, 1)
    assert metadata["invalidUris"] == ["no url"]
    assert metadata["urisNotMatchingTargetSites"] == [f"{peer.url}/blog/"]
    assert len(await stores.found_soon("green button")) == 1
    assert len(await stores.ids()) == 3


async def test_a_star_in_the_address_of_a_page_takes_no_others_anew(stores: Stores, peer: HttpPeer) -> None:
    await stores.create("PUBLIC_WEBSITE")
    await add(stores, f"127.0.0.1:{peer.port}/docs/*")
    uris = [f"{peer.url}/docs/lamp", f"{peer.url}/docs/*"]
    done = await stores.done(f"{_SITES}RecrawlUris", {"siteSearchEngine": _ENGINE, "uris": uris})
    assert (done["metadata"]["validUrisCount"], done["metadata"]["successCount"]) == (2, 1)
    assert done["response"]["failedUris"] == [f"{peer.url}/docs/*"]
    many = [f"{peer.url}/docs/{number}" for number in range(501)]
    request = {"siteSearchEngine": _ENGINE, "uris": many}
    code, message = await stores.caller.refusal(f"google.cloud.discoveryengine.v1.{_SITES}RecrawlUris", request)
    assert (code, message) == (Code.INVALID_ARGUMENT, "uris: are 501; 1 to 500 can be given")


async def test_a_site_that_cannot_be_reached_is_told(stores: Stores) -> None:
    await stores.create("PUBLIC_WEBSITE")
    done = await add(stores, "http://127.0.0.1:1/*")
    assert done["error"]["code"] == Code.FAILED_PRECONDITION
    assert done["error"]["message"].startswith("no page was taken; ")
    [site] = (await stores(f"{_SITES}ListTargetSites", {"parent": _ENGINE}))["targetSites"]
    assert site["indexingStatus"] == "FAILED"


async def test_sites_that_cannot_be_are_refused(stores: Stores) -> None:
    package = "google.cloud.discoveryengine.v1."
    request = {"parent": _ENGINE, "targetSite": {"providedUriPattern": "no pattern"}}
    code, message = await stores.caller.refusal(f"{package}{_SITES}CreateTargetSite", request)
    assert (code, STORE in message) == (Code.NOT_FOUND, True)
    await stores.create("PUBLIC_WEBSITE")
    code, message = await stores.caller.refusal(f"{package}{_SITES}CreateTargetSite", request)
    assert (code, "provided_uri_pattern" in message) == (Code.INVALID_ARGUMENT, True)
    await stores.create("NO_CONTENT", "records")
    request["parent"] = f"{PARENT}/dataStores/records/siteSearchEngine"
    code, _ = await stores.caller.refusal(f"{package}{_SITES}CreateTargetSite", request)
    assert code == Code.FAILED_PRECONDITION
