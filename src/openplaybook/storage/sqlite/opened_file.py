"""A database file, opened: checked, migrated, with a connection that writes and some that read."""

import sqlite3
import time
from pathlib import Path

from openplaybook.storage.errors import StoreUnusable
from openplaybook.storage.sqlite.file_connections import BUSY_TIMEOUT_S, connect_writer, prepare_for_writing
from openplaybook.storage.sqlite.migrations import STORE_SCHEMA, FileSchema, check_file, migrate
from openplaybook.storage.sqlite.readers import Readers
from openplaybook.storage.sqlite.result_codes import is_busy, translate
from openplaybook.storage.sqlite.soundness import SqliteSoundness

_PAUSE_S = 0.01
"""Between two tries to open a file that another process is opening or closing."""


def open_file(
    path: Path, soundness: SqliteSoundness, schema: FileSchema = STORE_SCHEMA
) -> tuple[sqlite3.Connection, Readers]:
    """The writing connection to a checked and migrated file, and its readers. Raises `StoreUnusable`."""
    give_up = time.monotonic() + BUSY_TIMEOUT_S
    while True:
        try:
            return _open_once(path, soundness, schema)
        except sqlite3.Error as error:
            if not is_busy(error) or time.monotonic() > give_up:
                raise translate(error, path) from error
        # SQLite does not itself wait for a process that makes the file, or closes it as the last one.
        time.sleep(_PAUSE_S)


def _open_once(path: Path, soundness: SqliteSoundness, schema: FileSchema) -> tuple[sqlite3.Connection, Readers]:
    connection = connect_writer(path)
    try:
        check_file(connection, path, schema)
        if schema.gives_back:
            # Only a file in which nothing is yet takes this on, before anything else is set.
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        prepare_for_writing(connection)
        migrate(connection, schema.migrations, schema.application_id)
        soundness.opened()
        return connection, Readers(path, soundness.translated)
    except (sqlite3.Error, StoreUnusable):
        connection.close()
        raise
