"""What doctor says about secrets, of real files and real peers."""

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from openplaybook.credentials.sealer import key_id
from openplaybook.server.doctor.checks import Check
from openplaybook.server.doctor.examination import examined
from openplaybook.server.settings import Settings
from tests.kit.http_peer import http_peer
from tests.kit.secret_peers import VaultPeer
from tests.kit.storage_peer import StoragePeer

KEY, OTHER = bytes(range(32)), bytes(32)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path)


async def found(settings: Settings, environment: Mapping[str, str], name: str) -> list[Check]:
    return [check for check in await examined(settings, environment) if check.name == name]


async def test_before_the_first_start_there_is_no_master_key_and_none_is_made(
    settings: Settings, tmp_path: Path
) -> None:
    [check] = await found(settings, {}, "master key")
    assert check == Check("master key", True, f"none yet: the first start creates {tmp_path / 'master.key'}")
    assert not (tmp_path / "master.key").exists()


async def test_the_master_key_is_named_by_its_id_and_place(settings: Settings, tmp_path: Path) -> None:
    given = f"{b64encode(KEY).decode()},{b64encode(OTHER).decode()}"
    [check] = await found(settings, {"OPENPLAYBOOK_MASTER_KEY": given}, "master key")
    assert check.detail == f"{key_id(KEY)} from OPENPLAYBOOK_MASTER_KEY, decrypts what {key_id(OTHER)} encrypted"
    file = tmp_path / "given"
    file.write_bytes(b64encode(KEY))
    file.chmod(0o640)
    [check] = await found(replace(settings, master_key_file=file), {}, "master key")
    assert check.detail == f"{key_id(KEY)} from {file} (mode 0640)"


async def test_a_master_key_that_cannot_be_used_is_a_fault(settings: Settings) -> None:
    [check] = await found(settings, {"OPENPLAYBOOK_MASTER_KEY": "short"}, "master key")
    assert (check.ok, check.remedy) == (False, "correct the key, or who can read it")


async def test_each_store_of_secrets_is_asked(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VAULT_TOKEN", "hvs.root")
    async with http_peer(VaultPeer()) as vault, http_peer(VaultPeer(status="503 Service Unavailable")) as sealed:
        backends = f"local,files:{tmp_path},files:/nowhere,vault:{vault.url},vault:{sealed.url}"
        checks = await found(replace(settings, secret_backends=backends), {}, "secrets")
    assert [(check.ok, check.detail) for check in checks] == [
        (True, "local (encrypted in the data directory)"),
        (True, f"files ({tmp_path})"),
        (False, "files (/nowhere): the folder /nowhere does not exist or cannot be read"),
        (True, f"vault ({vault.url}/v1/secret)"),
        (False, f"vault ({sealed.url}/v1/secret): Vault answered 503"),
    ]


async def test_a_setting_that_cannot_be_used_is_a_fault(settings: Settings) -> None:
    [check] = await found(replace(settings, secret_backends="lokal"), {}, "secrets")
    assert (check.ok, check.remedy) == (False, "correct secret_backends")


async def test_a_list_of_private_services_is_read_as_the_server_would(settings: Settings) -> None:
    listed = "projects/p/locations/l/namespaces/n/services/s=10.0.0.5:8443,google"
    assert await found(settings, {}, "private services") == []
    [check] = await found(replace(settings, service_directory=listed), {}, "private services")
    assert check == Check("private services", True, listed)
    [check] = await found(replace(settings, service_directory="s=10.0.0.5"), {}, "private services")
    assert (check.ok, check.remedy) == (False, "correct service_directory")
    assert check.detail.startswith("service_directory: 's=10.0.0.5' must have the form projects/P/")


async def test_each_bucket_is_looked_at(settings: Settings, tmp_path: Path) -> None:
    async with http_peer(StoragePeer({"exports": {}})) as storage:
        chosen = replace(settings, bucket=f"folder={tmp_path},exports=gs:,gone=gs:")
        checks = await found(chosen, {"STORAGE_EMULATOR_HOST": storage.url}, "bucket")
    assert [(check.ok, check.detail) for check in checks] == [
        (True, f"folder: {tmp_path}"),
        (True, f"exports: gs://exports ({storage.url})"),
        (
            False,
            "gone: gs://gone cannot be used: Cloud Storage responded with 404 (The specified bucket does not exist.); "
            "create the bucket, or correct the setting bucket",
        ),
    ]
    [check] = await found(replace(settings, bucket="folder=/no/such"), {}, "bucket")
    assert (check.ok, check.remedy) == (False, "correct bucket")


async def test_the_files_of_connections_are_looked_at(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "shop.db").touch()
    listed = f"shop={tmp_path}/shop.db,gone={tmp_path}/gone.db"
    shop, gone, folder = await found(
        replace(settings, sqlite_files=listed, connector_documents=tmp_path / "none"), {}, "connections"
    )
    assert (shop.ok, shop.detail) == (True, f"SQLite file shop: {tmp_path}/shop.db")
    assert (gone.ok, gone.detail) == (False, f"SQLite file gone: {tmp_path}/gone.db is no file to be read")
    assert (folder.ok, folder.detail) == (False, f"{tmp_path}/none is no folder")
    [wrong] = await found(replace(settings, sqlite_files="shop"), {}, "connections")
    assert (wrong.ok, wrong.remedy) == (False, "correct sqlite_files")
