"""The page on PostgreSQL does what it says: its blocks run, and print what stands below them."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.kit.server import clean_environment
from tests.kit.guides import blocks
from tests.kit.ports import free_ports
from tests.kit.postgres import Cluster, running_cluster

PAGE = "postgresql.md"


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    with running_cluster() as started:
        yield started


@pytest.mark.skipif(not (shutil.which("openssl") and shutil.which("curl")), reason="openssl or curl is not here")
def test_the_page_on_postgresql_works(tmp_path: Path, cluster: Cluster) -> None:
    for statement in blocks(PAGE, "sql").splitlines():
        cluster.sql(statement)
    one, two = map(str, free_ports())
    environment = clean_environment()
    path = f"{Path(sys.executable).parent}:{environment['PATH']}"
    program = blocks(PAGE, "sh").replace("5432", str(cluster.port)).replace("8091", one).replace("8092", two)
    ran = subprocess.run(
        ["sh", "-eu"],
        # Should a step fail, the servers must not outlive the test.
        input=f"trap 'kill -9 $ONE $TWO 2> /dev/null || true' EXIT; ONE= TWO=\n{program}",
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**environment, "PATH": path, "OPENPLAYBOOK_DATA_DIR": str(tmp_path / "data")},
        timeout=100,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (0, blocks(PAGE, "text")), ran.stderr
