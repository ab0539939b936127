"""SQLite files that have our tables already: to make these takes longer than most tests have to do with them."""

from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from openplaybook.storage.sqlite.file_connections import connect_writer, prepare_for_writing
from openplaybook.storage.sqlite.migrations import migrate


def with_tables(path: Path) -> Path:
    """The path, where an empty store's file is now."""
    path.write_bytes(_file())
    return path


@cache
def _file() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "openplaybook.db"
        # The last connection to close leaves everything in the file itself.
        with closing(connect_writer(path)) as connection:
            prepare_for_writing(connection)
            migrate(connection)
        return path.read_bytes()
