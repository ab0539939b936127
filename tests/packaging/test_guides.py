"""The page on upgrading does what it says: its blocks run, and print what stands below them."""

import os
import sqlite3
import subprocess
from base64 import b64encode
from contextlib import closing
from pathlib import Path

import pytest

from openplaybook.storage.sqlite.migrations import MIGRATIONS, migrate
from tests.e2e.kit.server import clean_environment
from tests.kit.guides import each_block, printed
from tests.kit.postgres import running_cluster
from tests.kit.preloaded.commands import quick_command

pytestmark = pytest.mark.sweep


def test_the_page_on_upgrading_works(tmp_path: Path) -> None:
    environment = {**clean_environment(), "OPENPLAYBOOK_DATA_DIR": str(tmp_path / "data")}
    *shown, _ = each_block("upgrading.md", "text")
    assert printed("upgrading.md", tmp_path, environment) == "".join(shown)


def test_an_old_version_refuses_data_of_a_newer_one_as_the_page_says(tmp_path: Path) -> None:
    database = tmp_path / "openplaybook.db"
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        migrate(connection)
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    before = database.read_bytes()

    command = [quick_command(), "secrets", "list", "demo", "--data-dir", tmp_path]
    ran = subprocess.run(command, capture_output=True, text=True, env=clean_environment(), check=False)

    *_, shown = each_block("upgrading.md", "text")
    assert (ran.returncode, ran.stderr) == (1, shown.replace("…", str(tmp_path)))
    assert database.read_bytes() == before


def test_the_way_back_on_postgresql_works(tmp_path: Path) -> None:
    dump, restore = each_block("upgrading.md", "console")
    with running_cluster() as cluster:
        environment = {
            **clean_environment(),
            "PATH": f"{cluster.bin}{os.pathsep}{os.environ['PATH']}",
            "OPENPLAYBOOK_DATABASE_URL": cluster.url(),
            "OPENPLAYBOOK_MASTER_KEY": b64encode(bytes(32)).decode(),
        }

        def ran(*command: str | Path, given: str = "", status: int = 0) -> str:
            done = subprocess.run(
                command, input=given, capture_output=True, text=True, cwd=tmp_path, env=environment, check=False
            )
            assert done.returncode == status, done.stderr
            return done.stdout + done.stderr

        ran(quick_command(), "secrets", "set", "projects/demo/secrets/shop", given="a-secret")
        before = ran(quick_command(), "secrets", "list", "demo")
        ran("sh", "-eu", given=dump)
        cluster.sql("CREATE TABLE openplaybook.newer (number bigint)")
        cluster.sql("UPDATE openplaybook.schema_version SET number = number + 1")
        assert "written by a newer version" in ran(quick_command(), "secrets", "list", "demo", status=1)
        ran("sh", "-eu", given=restore)
        assert ran(quick_command(), "secrets", "list", "demo") == before
