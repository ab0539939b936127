"""The catalogue tells of every kind of system; the driver is asked for when a connection is opened."""

import subprocess
import sys

import pytest

from openplaybook.connectors.catalog.connectors import catalogue, open_connection
from openplaybook.connectors.definitions import Engine, SystemAccess
from openplaybook.connectors.errors import DriverAbsent, InvalidConnection
from openplaybook.connectors.plugins.systems import DEFINITIONS, open_plugin
from openplaybook.connectors.settings import ConnectionSettings, UserPassword
from tests.kit.plugin_peers import NAME, LoopbackNames
from tests.kit.sql_databases import NoTransport

ACCESS = SystemAccess(NoTransport(), LoopbackNames())


def test_every_plugin_is_in_the_catalogue() -> None:
    assert {each.id for each in DEFINITIONS} <= set(catalogue())
    assert all(each.engine is Engine.PLUGIN and each.evidence_note for each in DEFINITIONS)


async def test_an_absent_driver_is_named_when_a_connection_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "asyncssh", None)
    monkeypatch.delitem(sys.modules, "openplaybook.connectors.plugins.file_transfer.sftp_server", raising=False)
    config = {"host": "files.example", "protocol": "sftp", "trust_any_host_key": True}
    settings = ConnectionSettings(NAME, "ftp", config=config, authentication=UserPassword("u", "p"))
    with pytest.raises(DriverAbsent, match=r"asyncssh.*openplaybook\[connectors\]"):
        await open_connection(settings, ACCESS)
    await open_plugin(ConnectionSettings(NAME, "ftp", {**config, "protocol": "ftp"}, UserPassword("u", "p")), ACCESS)


async def test_settings_that_cannot_be_used_are_named() -> None:
    login = UserPassword("u", "p")
    for config, path in (
        ({}, "host"),
        ({"host": "h", "protocol": "gopher"}, "protocol"),
        ({"host": "h", "protocol": "sftp", "host_key": "MD5:00"}, "host_key"),
    ):
        with pytest.raises(InvalidConnection, match=path):
            await open_plugin(ConnectionSettings(NAME, "ftp", config=config, authentication=login), ACCESS)


def test_the_catalogue_is_told_without_any_driver() -> None:
    program = (
        "import sys, openplaybook.connectors.catalog.connectors as c; c.catalogue(); "
        "print([m for m in ('asyncssh', 'bson', 'ftplib', 'neo4j', 'pymongo') if m in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert ran.stdout.strip() == "[]"


@pytest.mark.parametrize(("connector", "package"), [("mongodb", "pymongo"), ("neo4j", "neo4j")])
async def test_each_absent_driver_is_named(connector: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [each for each in sys.modules if f"connectors.plugins.{connector}" in each]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setitem(sys.modules, "bson" if package == "pymongo" else "neo4j.graph", None)
    settings = ConnectionSettings(NAME, connector, {"host": "h", "database": "d"}, UserPassword("u", "p"))
    with pytest.raises(DriverAbsent, match=package):
        await open_plugin(settings, ACCESS)
