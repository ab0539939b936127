"""The secrets' RPCs over a real store."""

import asyncio
from base64 import b64encode
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from openplaybook.credentials.secrets.local_secrets import LocalSecrets
from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.secret_names import SecretVersionName
from openplaybook.services.openplaybook.secret_store import SecretStore
from openplaybook.services.registrations import register_secrets
from openplaybook.storage.sqlite import SqliteStore
from openplaybook.wire.api import load_api
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import RpcError
from openplaybook.wire.registry import Registry
from tests.integration.services.peers import Clock
from tests.kit.sealing import SEALER

NAME = "projects/p/secrets/key"


class Desk:
    """Calls the RPCs with JSON."""

    def __init__(self, store: SqliteStore, *, is_read: bool = True) -> None:
        self.local = LocalSecrets(store, SEALER)
        self._api = load_api()
        self._registry = Registry(self._api)
        register_secrets(self._registry, SecretStore(self._api, self.local, is_read=is_read))
        self.warnings: list[str] = []

    async def __call__(self, rpc: str, **request: object) -> JsonObject:
        method = self._api.methods[f"openplaybook.v1.OpenPlaybook.{rpc}"]
        message = self._api.codec.from_json(request, self._api.message(method.input.full_name)())
        context = RpcContext(method.full_name, "v1", "rest")
        answer = await self._registry.call(method, message, context)
        self.warnings = context.warnings
        return self._api.codec.to_json(answer)

    async def add(self, value: bytes, parent: str = NAME) -> JsonObject:
        return await self("AddSecretVersion", parent=parent, payload={"data": b64encode(value).decode()})

    async def value(self, version: str) -> str | None:
        return await self.local.access(SecretVersionName.parse(f"{NAME}/versions/{version}"))


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    opened = SqliteStore(tmp_path / "store.db", clock=Clock())
    await opened.open()
    yield opened
    await opened.close()


@pytest.fixture
def desk(store: SqliteStore) -> Desk:
    return Desk(store)


@pytest.mark.proves("A9")
async def test_versions_are_added_listed_and_deleted_and_no_answer_has_a_value(desk: Desk) -> None:
    first = {"name": f"{NAME}/versions/1", "createTime": "2023-11-14T22:13:20Z"}
    second = {**first, "name": f"{NAME}/versions/2"}
    assert await desk.add(b"planted-1") == first
    assert await desk.add(b"planted-2") == second
    listed = {"secrets": [{"name": NAME, "versions": [first, second]}]}
    assert await desk("ListSecrets", parent="projects/p") == listed
    assert await desk("ListSecrets", parent="projects/-") == listed
    assert await desk("ListSecrets", parent="projects/q") == {}
    assert await desk("DeleteSecret", name=NAME) == {}
    assert await desk("ListSecrets", parent="projects/-") == {}


@pytest.mark.proves("A9")
async def test_a_line_break_at_the_end_is_left_out_with_a_warning(desk: Desk) -> None:
    await desk.add(b"planted\r\n")
    assert desk.warnings == ["the line break at the end of the secret was removed"]
    assert await desk.value("1") == "planted"
    await desk.add(b" two\nlines ")
    assert desk.warnings == []
    assert await desk.value("latest") == " two\nlines "


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"x" * 65537, "payload.data: has 65537 bytes; at most 65536 are allowed"),
        (b"\xff", "payload.data: is not UTF-8 text"),
        (b"\n", "payload.data: is empty"),
    ],
)
async def test_a_value_that_cannot_be_kept_is_refused(desk: Desk, data: bytes, message: str) -> None:
    with pytest.raises(RpcError) as caught:
        await desk.add(data)
    assert (caught.value.code.name, caught.value.message) == ("INVALID_ARGUMENT", message)


async def test_a_value_may_have_64_kib(desk: Desk) -> None:
    value = "ü" * 32768
    await desk.add(value.encode())
    assert await desk.value("1") == value


@pytest.mark.parametrize("name", ["projects/p/secrets/a.b", "projects/p/secrets/a/versions/1", "secrets/a", ""])
async def test_a_name_that_is_none_is_refused(desk: Desk, name: str) -> None:
    for call in (desk.add(b"v", name), desk("DeleteSecret", name=name)):
        with pytest.raises(RpcError) as caught:
            await call
        assert caught.value.code.name == "INVALID_ARGUMENT"


async def test_a_secret_that_is_not_there_cannot_be_deleted(desk: Desk) -> None:
    with pytest.raises(RpcError) as caught:
        await desk("DeleteSecret", name=NAME)
    assert (caught.value.code.name, caught.value.message) == ("NOT_FOUND", f"Secret {NAME} does not exist")


async def test_where_no_tool_would_read_it_a_secret_is_not_kept(store: SqliteStore) -> None:
    with pytest.raises(RpcError) as caught:
        await Desk(store, is_read=False).add(b"v")
    assert caught.value.code.name == "FAILED_PRECONDITION"
    assert "secret_backends does not name local" in caught.value.message


async def test_of_versions_added_at_once_each_has_its_number(desk: Desk) -> None:
    added = await asyncio.gather(*(desk.add(f"v{n}".encode()) for n in range(8)))
    assert sorted(version["name"].rsplit("/", 1)[1] for version in added) == [str(n) for n in range(1, 9)]
