"""What opening a connection needs to know of other systems."""

from pathlib import Path

from openplaybook.connectors.base import SystemCall
from openplaybook.connectors.catalog.connectors import catalogue, open_connection
from tests.kit.sql_databases import sqlite_peer


async def test_a_database_is_opened_without_reading_the_manifests_of_other_systems(tmp_path: Path) -> None:
    peer = sqlite_peer(tmp_path)
    catalogue.cache_clear()

    connection = await open_connection(peer.settings, peer.access)

    assert "customer" in await connection.entity_names(SystemCall())
    assert catalogue.cache_info().currsize == 0
    await connection.aclose()
