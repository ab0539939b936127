"""Cloud Storage: contents within bounds, one bucket where there is one, tokens of the identity."""

from base64 import b64encode
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace

import pytest

from openplaybook.connectors.base import EntityQuery, SystemConnection
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.errors import (
    CredentialAbsent,
    EntityConflict,
    EntityNotFound,
    InvalidConnection,
    InvalidValue,
    PermissionRefused,
    RateLimited,
    WriteInDoubt,
)
from openplaybook.connectors.plugins.base import MOST_BYTES
from openplaybook.connectors.plugins.systems import open_plugin
from openplaybook.connectors.settings import GoogleAccount, UserPassword
from openplaybook.credentials.base import NoIdentity
from openplaybook.egress.base import HttpResponse
from tests.integration.connectors.plugins.conftest import BUCKET, bucket_peer
from tests.kit.held_objects import HeldObjects
from tests.kit.plugin_peers import PluginPeer, call
from tests.kit.strict_google import TOKEN, StrictGoogle


@pytest.fixture
def held() -> HeldObjects:
    """Two buckets."""
    return HeldObjects({BUCKET: {}, "other-files": {}})


@pytest.fixture
async def storage(held: HeldObjects) -> AsyncGenerator[tuple[PluginPeer, StrictGoogle]]:
    """A system of which nothing is asked that its document does not allow."""
    peer, api = bucket_peer(held)
    yield peer, api
    assert not api.violations


@pytest.fixture
async def connection(storage: tuple[PluginPeer, StrictGoogle]) -> SystemConnection:
    """To one bucket."""
    return await storage[0].opened()


@pytest.fixture
async def wide_connection(storage: tuple[PluginPeer, StrictGoogle]) -> SystemConnection:
    """To all buckets of a project."""
    return await storage[0].opened(storage[0].configured(bucket="", project="p"))


async def test_an_object_goes_up_and_comes_down(connection: SystemConnection, held: HeldObjects) -> None:
    data = bytes(range(256))
    up = {"name": "a b/ü?.bin", "contentBytes": b64encode(data).decode(), "contentType": "image/png"}
    [row] = (await connection.execute("UploadObject", up, call())).rows
    assert row["path"] == f"{BUCKET}/a b/ü?.bin"
    assert row["size"] == 256
    [row] = (await connection.execute("DownloadObject", {"name": "a b/ü?.bin"}, call())).rows
    assert (row["contentBytes"], row["contentType"]) == (up["contentBytes"], "image/png")
    with pytest.raises(EntityConflict):
        await connection.execute("UploadObject", {"name": "a b/ü?.bin", "content": "x"}, call())
    await connection.execute("UploadObject", {"name": "a b/ü?.bin", "content": "x", "overwrite": True}, call())
    assert held.buckets[BUCKET]["a b/ü?.bin"] == b"x"


async def test_metadata_of_an_object_is_changed(connection: SystemConnection, held: HeldObjects) -> None:
    held.put(BUCKET, "ada", b"x")
    values = {"contentType": "text/html", "metadata": {"by": "ada"}}
    changed = await connection.update("Objects", f"{BUCKET}/ada", values, call())
    assert {name: changed.fields[name] for name in values} == values
    report = await connection.update_where(
        "Objects", parsed_condition("name = 'ada'"), {"cacheControl": "no-store"}, call()
    )
    assert report.keys == (f"{BUCKET}/ada",)
    assert held.metadata[BUCKET, "ada"]["cacheControl"] == "no-store"


async def test_objects_are_copied_in_steps_and_moved(wide_connection: SystemConnection, held: HeldObjects) -> None:
    held.put(BUCKET, "ada", b"one")
    where = {"bucket": BUCKET, "name": "ada"}
    copy = {**where, "targetBucket": "other-files", "targetName": "in/ada"}
    await wide_connection.execute("CopyObject", copy, call())
    await wide_connection.execute("MoveObject", {**where, "targetName": "bob"}, call())
    assert held.buckets == {BUCKET: {"bob": b"one"}, "other-files": {"in/ada": b"one"}}
    with pytest.raises(EntityNotFound):
        await wide_connection.execute("MoveObject", {**where, "targetName": "cid"}, call())
    held.put(BUCKET, "ada", b"two")
    with pytest.raises(EntityConflict):
        await wide_connection.execute("CopyObject", copy, call())


async def test_buckets_of_a_project_are_listed(wide_connection: SystemConnection, held: HeldObjects) -> None:
    held.buckets["third-files"] = {}
    await wide_connection.check(call())
    page = await wide_connection.list(EntityQuery("Buckets", page_size=2), call())
    rest = await wide_connection.list(EntityQuery("Buckets", page_size=2, page_token=page.next_page_token), call())
    assert [each.key for each in (*page.entities, *rest.entities)] == ["other-files", BUCKET, "third-files"]
    with pytest.raises(InvalidValue, match="bucket = "):
        await wide_connection.list(EntityQuery("Objects"), call())
    held.put("other-files", "ada", b"x")
    found = await wide_connection.list(EntityQuery("Objects", parsed_condition("bucket = 'other-files'")), call())
    assert [each.key for each in found.entities] == ["other-files/ada"]
    assert not found.notes


async def test_a_connection_to_one_bucket_reaches_no_other(
    connection: SystemConnection, storage: tuple[PluginPeer, StrictGoogle]
) -> None:
    query = EntityQuery("Objects", parsed_condition("bucket = 'other-files'"))
    with pytest.raises(PermissionRefused):
        await connection.list(query, call())
    for key in ("other-files/ada", "other-files/../shop-files/ada"):
        with pytest.raises(PermissionRefused):
            await connection.get("Objects", key, (), call())
    for name in ("..", "x\r\ny", "x" * 1_025):
        with pytest.raises(InvalidValue):
            await connection.execute("DownloadObject", {"name": name}, call())
    page = await connection.list(EntityQuery("Buckets"), call())
    assert [each.key for each in page.entities] == [BUCKET]
    assert len(storage[1].requests) == 1


async def test_an_object_above_the_limit_is_not_read(connection: SystemConnection, held: HeldObjects) -> None:
    held.put(BUCKET, "large", b"x" * (MOST_BYTES + 1))
    with pytest.raises(InvalidValue, match="limit"):
        await connection.execute("DownloadObject", {"name": "large"}, call())


async def test_errors_of_the_system_are_told_apart(
    connection: SystemConnection, storage: tuple[PluginPeer, StrictGoogle]
) -> None:
    api = storage[1]
    api.fault = lambda request: HttpResponse(429, (("Retry-After", "7"),), b"", False, 0.0)
    with pytest.raises(RateLimited) as limited:
        await connection.list(EntityQuery("Objects"), call())
    assert limited.value.retry_after_s == 7
    api.fault = lambda request: HttpResponse(500, (), b"{", False, 0.0)
    with pytest.raises(WriteInDoubt):
        await connection.delete("Objects", f"{BUCKET}/ada", call())


class _Identity(NoIdentity):
    """Gives a token that is refused once."""

    def __init__(self) -> None:
        self.asked: list[tuple[Sequence[str], str]] = []
        self.tokens = ["0ld-t0ken-w0rd", TOKEN]

    async def account_token(self, scopes: Sequence[str], service_account: str) -> str:
        """As long as there are some."""
        self.asked.append((scopes, service_account))
        return self.tokens.pop(0)


@pytest.mark.parametrize(("is_read_only", "scope"), [(False, "read_write"), (True, "read_only")])
async def test_a_service_account_proves_who_asks(
    storage: tuple[PluginPeer, StrictGoogle], *, is_read_only: bool, scope: str
) -> None:
    peer, _ = storage
    identity = _Identity()
    settings = replace(
        peer.configured(read_only=is_read_only), authentication=GoogleAccount("files@p.iam.gserviceaccount.com")
    )
    connection = await open_plugin(settings, replace(peer.access, identity=identity))
    told = call()
    await connection.check(told)
    assert len(identity.asked) == 2
    assert identity.asked[0][0][0].endswith(f"devstorage.{scope}")
    assert [each.status for each in told.exchanges] == [401, 200]
    assert "t0ken" not in str(told.exchanges)


async def test_settings_that_cannot_be_used_are_named(storage: tuple[PluginPeer, StrictGoogle]) -> None:
    peer, _ = storage
    with pytest.raises(CredentialAbsent):
        await peer.opened(peer.with_login(None))
    with pytest.raises(InvalidConnection, match="UserPassword"):
        await peer.opened(peer.with_login(UserPassword("u", "p")))
    with pytest.raises(InvalidConnection, match="project"):
        await peer.opened(peer.configured(bucket=""))


async def test_no_header_of_a_call_makes_another_request_of_a_reading_one(
    storage: tuple[PluginPeer, StrictGoogle], connection: SystemConnection
) -> None:
    headers = {"X-HTTP-Method-Override": "DELETE", "Authorization": "Bearer other", "X-Trace": "t1"}
    await connection.check(replace(call(), headers=headers))
    sent = {name.lower(): value for name, value in storage[1].requests[-1].headers}
    assert "x-http-method-override" not in sent
    assert (sent["authorization"], sent["x-trace"]) == (f"Bearer {TOKEN}", "t1")
