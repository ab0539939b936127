"""The pages on PostgreSQL and on many machines, and the README, do what they say about a shared database."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import trustme

from tests.e2e.kit.server import clean_environment
from tests.kit.guides import README, block_of, blocks
from tests.kit.ports import free_ports
from tests.kit.postgres import Cluster, running_cluster
from tests.kit.preloaded.commands import searched
from tests.kit.server_certificates import write_pair

PAGE = "postgresql.md"


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with running_cluster() as started:
        yield started


needs_programs = pytest.mark.skipif(
    not (shutil.which("openssl") and shutil.which("curl")), reason="openssl or curl is not here"
)


def typed(program: str, folder: Path) -> str:
    """What commands print in a folder; servers that they start end with them."""
    environment = clean_environment()
    path = searched(environment["PATH"])
    ran = subprocess.run(
        ["sh", "-eu"],
        # Should a step fail, the servers must not outlive the test.
        input=f"trap 'kill -9 $ONE $TWO 2> /dev/null || true' EXIT; ONE= TWO=\n{program}",
        capture_output=True,
        text=True,
        cwd=folder,
        env={**environment, "PATH": path, "OPENPLAYBOOK_DATA_DIR": str(folder / "data")},
        timeout=100,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@needs_programs
def test_the_page_on_postgresql_works(tmp_path: Path, cluster: Cluster) -> None:
    for statement in blocks(PAGE, "sql").splitlines():
        cluster.sql(statement)
    one, two = map(str, free_ports())
    program = blocks(PAGE, "sh").replace("5432", str(cluster.port)).replace("8091", one).replace("8092", two)
    assert typed(program, tmp_path) == blocks(PAGE, "text")


@needs_programs
def test_the_readmes_server_runs_and_its_tables_take_the_settings_for_many_machines(
    tmp_path: Path, cluster: Cluster
) -> None:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    pair = write_pair(authority, tmp_path)
    pair.tls_cert.rename(tmp_path / "server.pem")
    pair.tls_key.rename(tmp_path / "server.key")
    (tmp_path / "keys").write_text(blocks("access.md", "keys"))
    serve = block_of(README, "sh", "export OPENPLAYBOOK_MASTER_KEY").rstrip("\n")
    serve = serve.replace("postgresql://openplaybook@db/openplaybook", cluster.url()).replace("0.0.0.0", "127.0.0.1")
    [port] = free_ports(1)
    until = f"until curl -sf --cacert ca.pem https://localhost:{port}/healthz; do sleep 0.2; done"
    program = f"{serve} --port {port} --grpc-port 0 > out 2> log & ONE=$!\n{until}\nkill $ONE; wait\n"
    assert typed(program, tmp_path) == '{"status":"ok"}'
    for statement in blocks("scale.md", "sql").splitlines():
        cluster.sql(statement)
    changed = (
        "SELECT relname FROM pg_class WHERE array_to_string(reloptions, ',') ~ 'vacuum_scale_factor=0.02' ORDER BY 1"
    )
    assert cluster.sql(changed) == [("step",), ("turn",)]
