"""What decisions sent, as it is kept."""

import zlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from openplaybook.jsonvalues import dumps
from openplaybook.models.base import ProviderExchange
from openplaybook.storage.sqlite import SqliteStore
from openplaybook.turns.errors import NewerData
from openplaybook.turns.session.kept_prompts import LONGEST, KeptPrompt, KeptPrompts

SESSION = "projects/p/locations/l/agents/a/sessions/s"


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    opened = SqliteStore(tmp_path / "data.db")
    await opened.open()
    yield opened
    await opened.close()


async def kept(store: SqliteStore, request: bytes, reply: bytes = b"", secrets: tuple[str, ...] = ()) -> KeptPrompt:
    prompts = KeptPrompts(store, SESSION)
    await prompts.keep("1/1", ProviderExchange(request, reply), secrets)
    found = await prompts.read("1/1")
    assert found is not None
    return found


async def test_what_was_sent_comes_back_and_goes_with_the_session(store: SqliteStore) -> None:
    assert await kept(store, b"asked", "gesagt: ü".encode()) == KeptPrompt("asked", "gesagt: ü", 5, 10)
    await store.delete_blobs(f"{SESSION}/")
    assert await KeptPrompts(store, SESSION).read("1/1") is None


async def test_sealed_values_are_masked(store: SqliteStore) -> None:
    found = await kept(store, b'{"say": "my \\"long\\" secret"}', b"my+%22long%22+secret", ('my "long" secret',))
    assert (found.request, found.reply) == ('{"say": "[redacted]"}', "[redacted]")


async def test_of_a_long_one_beginning_and_end_are_kept(store: SqliteStore) -> None:
    found = await kept(store, b"a" * LONGEST + b"z" * 9)
    assert (found.is_cut, found.request_bytes) == (True, LONGEST + 9)
    assert found.request.startswith("aaa")
    assert found.request.endswith("\n[9 bytes left out]\n" + "a" * (LONGEST // 2 - 9) + "z" * 9)


async def test_what_a_newer_server_wrote_is_refused(store: SqliteStore) -> None:
    await store.put_blob(f"{SESSION}/prompts/1/1", zlib.compress(dumps({"form": 2})))
    with pytest.raises(NewerData, match="version 2; known: 1"):
        await KeptPrompts(store, SESSION).read("1/1")
