"""Several servers on one PostgreSQL database, none of which knows of the others."""

import base64
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.e2e.kit.server import Server, running
from tests.kit.postgres import Cluster

MASTER_KEY = base64.b64encode(b"0123456789abcdef" * 2).decode()


def shared(cluster: Cluster) -> dict[str, str]:
    """The variables by which servers share a database."""
    return {
        "OPENPLAYBOOK_DATABASE_URL": cluster.url(),
        "OPENPLAYBOOK_MASTER_KEY": MASTER_KEY,
        "OPENPLAYBOOK_EGRESS_ALLOW": "127.0.0.0/8",
    }


@contextmanager
def replicas(folder: Path, cluster: Cluster, count: int, *arguments: str) -> Generator[list[Server]]:
    """So many servers, each with a data directory of its own."""
    with ExitStack() as stack:
        yield [
            stack.enter_context(running(folder / str(number), *arguments, **shared(cluster))) for number in range(count)
        ]
