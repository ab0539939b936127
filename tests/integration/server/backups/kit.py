"""Data directories with something in them that only their own master key opens."""

import asyncio
import shutil
from collections.abc import Sequence
from pathlib import Path

from openplaybook.credentials.secrets.local_secrets import LocalSecrets
from openplaybook.resources.secret_names import SecretName
from openplaybook.retrieval.base import Passage, StoreDocument
from openplaybook.retrieval.catalog.base import ChangeMark
from openplaybook.retrieval.catalog.sqlite import SqliteCatalog
from openplaybook.server.backups.restoration import Restoration, finish_restoration, restore
from openplaybook.server.offline_data import offline
from openplaybook.server.settings import Settings
from openplaybook.storage.data_directory import DataDirectory

SECRET = SecretName("p", "s")
STORE = "projects/p/locations/l/collections/default_collection/dataStores/d"


def leave(data_dir: Path, value: str) -> None:
    """Keep a secret there; the directory and its key are made where they are not."""
    asyncio.run(_leave(data_dir, value))


def leave_as_killed(data_dir: Path, value: str) -> None:
    """The same as a server leaves it that is killed: what it wrote is still in the database's log."""
    live = data_dir.with_name(f"{data_dir.name}.live")
    asyncio.run(_leave(live, value, snapshot=data_dir))
    assert (data_dir / "openplaybook.db-wal").stat().st_size > 0


def kept(data_dir: Path) -> str | None:
    """The secret that is kept there; raises what a server would say that cannot start."""
    return asyncio.run(_kept(data_dir))


def put_back(data_dir: Path, backup: Path, *, force: bool = False) -> Restoration:
    """As `restore`."""
    return asyncio.run(restore(Settings(data_dir=data_dir), backup, force=force))


def fill(data_dir: Path, text: str) -> ChangeMark:
    """Put a document with that text into a data store."""
    return asyncio.run(_fill(data_dir, text))


def held(data_dir: Path) -> tuple[Sequence[str], ChangeMark | None]:
    """Texts of documents there, as a server finds them that starts on it, and the mark of their store."""
    finish_restoration(DataDirectory(data_dir))
    return asyncio.run(_held(data_dir))


async def _fill(data_dir: Path, text: str) -> ChangeMark:
    catalog = SqliteCatalog(DataDirectory(data_dir).documents)
    await catalog.open()
    mark = await catalog.put(STORE, [StoreDocument(text, "", "", (Passage(text),))])
    await catalog.close()
    return mark


async def _held(data_dir: Path) -> tuple[Sequence[str], ChangeMark | None]:
    catalog = SqliteCatalog(DataDirectory(data_dir).documents)
    await catalog.open()
    page, mark = await catalog.page(STORE), await catalog.mark(STORE)
    await catalog.close()
    return [document.passages[0].text for document in page.documents], mark


async def _leave(data_dir: Path, value: str, snapshot: Path | None = None) -> None:
    async with offline(Settings(data_dir=data_dir), {}) as data:
        await LocalSecrets(data.store, data.sealer).add(SECRET, value)
        if snapshot is not None:
            shutil.copytree(data_dir, snapshot)


async def _kept(data_dir: Path) -> str | None:
    async with offline(Settings(data_dir=data_dir), {}) as data:
        return await LocalSecrets(data.store, data.sealer).access(SECRET.version("latest"))
