"""A PostgreSQL cluster for the run, on a core that is not the measured server's."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field

import psycopg
from psycopg import sql

from tests.kit import postgres


@dataclass(slots=True)
class Databases:
    """Of a running cluster."""

    _cluster: postgres.Cluster
    _made: set[str] = field(default_factory=set[str])

    def url(self, name: str) -> str:
        """Of a database of that name, made when it is first asked for."""
        if name not in self._made:
            with psycopg.connect(self._cluster.url(), autocommit=True) as connection:
                connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
            self._made.add(name)
        return self._cluster.url(name)


@contextmanager
def running_databases(core: int) -> Generator[Databases]:
    """A cluster with every commit synced, for as long as the context lasts."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})  # its processes keep what they are started with
    with postgres.running_cluster() as cluster:
        os.sched_setaffinity(0, before)
        yield Databases(cluster)
