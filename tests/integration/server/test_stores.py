"""Where a server's data are, and what doctor says of a shared database."""

import sys
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from openplaybook.credentials.store_sealer import NO_SHARED_KEY
from openplaybook.server.doctor.checks import Check
from openplaybook.server.doctor.examination import examined
from openplaybook.server.errors import SettingsError
from openplaybook.server.offline_data import offline
from openplaybook.server.settings import Settings
from openplaybook.server.stores import open_store, place_of
from openplaybook.storage.base import BeginTurn, Busy, Put, Recovered, Started
from openplaybook.storage.data_directory import DataDirectory
from tests.kit.postgres import PASSWORD, Cluster, running_cluster

KEYS = {"OPENPLAYBOOK_MASTER_KEY": b64encode(bytes(32)).decode()}
BEGIN = BeginTurn("agents/a/sessions/s", "agents/a", "t", "k", "hello", "o", 60_000_000, 2**60)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with running_cluster() as started:
        yield started


@pytest.fixture
def shared(cluster: Cluster, tmp_path: Path) -> Settings:
    cluster.sql("DROP SCHEMA IF EXISTS openplaybook CASCADE")
    return Settings(data_dir=tmp_path, database_url=cluster.url())


async def test_without_a_url_the_data_are_in_the_data_directory_and_its_leases_are_ended(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    for expected in (Started, Recovered):
        async with open_store(settings, DataDirectory(tmp_path)) as store:
            assert isinstance(await store.begin_turn(BEGIN), expected)
    assert place_of(settings) == ""
    assert (tmp_path / "openplaybook.db").exists()


async def test_with_a_url_they_are_in_the_database_and_leases_of_other_servers_stand(
    shared: Settings, tmp_path: Path
) -> None:
    for expected in (Started, Busy):
        async with open_store(shared, DataDirectory(tmp_path)) as store:
            assert isinstance(await store.begin_turn(BEGIN), expected)
    assert not (tmp_path / "openplaybook.db").exists()


async def test_commands_without_a_server_use_the_database_too(shared: Settings, tmp_path: Path) -> None:
    async with offline(shared, KEYS) as data:
        await data.store.apply([Put("agents/a", "agent", "agents", "agents/a", b"{}")])
    async with open_store(shared, DataDirectory(tmp_path)) as store:
        assert [record.name for record in await store.list("agents", "agent")] == ["agents/a"]


async def test_a_key_is_not_made_for_data_that_are_shared(shared: Settings, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="need the same master key: set OPENPLAYBOOK_MASTER_KEY or master_key_file"):
        async with offline(shared, {}):
            pass
    assert not (tmp_path / "master.key").exists()


async def test_another_key_than_the_one_that_sealed_the_data_is_refused(shared: Settings) -> None:
    async with offline(shared, KEYS):
        pass
    with pytest.raises(SettingsError, match=rf"does not fit the data in {place_of(shared)}, which is sealed"):
        async with offline(shared, {"OPENPLAYBOOK_MASTER_KEY": b64encode(b"x" * 32).decode()}):
            pass


async def test_doctor_says_what_the_database_is(shared: Settings) -> None:
    [check] = [each for each in await examined(shared, KEYS) if each.name == "database"]
    assert check.ok
    assert check.detail.startswith(f"{place_of(shared)}, PostgreSQL ")
    assert check.detail.endswith(", no tables yet")


async def test_doctor_says_what_keeps_a_server_from_it(shared: Settings, cluster: Cluster) -> None:
    broken = replace(shared, database_url=cluster.url(password="wrong"))
    checks = {check.name: check for check in await examined(broken, {})}
    assert not checks["database"].ok
    assert "the user or password is refused" in checks["database"].detail
    assert PASSWORD not in checks["database"].detail
    assert checks["master key"] == Check("master key", False, NO_SHARED_KEY, "give one")


async def test_doctor_refuses_a_database_that_forgets(shared: Settings, cluster: Cluster) -> None:
    cluster.sql("ALTER SYSTEM SET fsync = off")
    cluster.sql("SELECT pg_reload_conf()")
    try:
        while cluster.sql("SHOW fsync") == [("on",)]:
            pass
        [check] = [each for each in await examined(shared, KEYS) if each.name == "database"]
    finally:
        cluster.sql("ALTER SYSTEM RESET fsync")
        cluster.sql("SELECT pg_reload_conf()")
    assert (check.ok, "fsync is off there" in check.detail) == (False, True)


async def test_a_url_that_cannot_be_read_is_a_fault_of_the_settings_and_not_shown(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, database_url="postgresql://u:top/secret@h/d")
    with pytest.raises(SettingsError) as refused:
        async with open_store(settings, DataDirectory(tmp_path)):
            pass
    assert str(refused.value).startswith("database_url: ")
    assert "secret" not in str(refused.value)


def test_a_missing_client_is_named_with_what_installs_it(shared: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith(("psycopg", "openplaybook.storage.postgres"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(SettingsError, match=r"the extra postgres \(docs/installing\.md\)"):
        place_of(shared)
