"""The tables of the catalog's own file."""

from openplaybook.storage.sqlite.migrations import FileSchema

CATALOG_SCHEMA = FileSchema(
    # "OPST": neither is the server's database taken for a catalog, nor the other way round.
    application_id=0x4F505354,
    migrations=(
        (
            # What the next store's numbers begin with: beyond those of all that were dropped, so that whoever follows
            # the changes of one of these is found out (`ChangesForgotten`).
            "CREATE TABLE counter (first INTEGER NOT NULL) STRICT",
            "INSERT INTO counter VALUES (0)",
            "CREATE TABLE project (name TEXT PRIMARY KEY, documents INTEGER NOT NULL, bytes INTEGER NOT NULL) STRICT",
            # AUTOINCREMENT: what is left of a dropped store never becomes another's.
            """
            CREATE TABLE store (
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                name TEXT NOT NULL UNIQUE,
                incarnation TEXT NOT NULL,
                sequence INTEGER NOT NULL,
                floor INTEGER NOT NULL,
                documents INTEGER NOT NULL DEFAULT 0,
                passages INTEGER NOT NULL DEFAULT 0,
                bytes INTEGER NOT NULL DEFAULT 0,
                tombstones INTEGER NOT NULL DEFAULT 0
            ) STRICT
            """,
            """
            CREATE TABLE language (
                store INTEGER NOT NULL, name TEXT NOT NULL, documents INTEGER NOT NULL, PRIMARY KEY (store, name)
            ) STRICT, WITHOUT ROWID
            """,
            # With row ids, so that new documents go to the table's end; the body last, so that the rest is read
            # without it.
            """
            CREATE TABLE document (
                number INTEGER PRIMARY KEY,
                store INTEGER NOT NULL,
                sequence INTEGER NOT NULL,
                passages INTEGER NOT NULL,
                id TEXT NOT NULL,
                language TEXT NOT NULL,
                digest TEXT NOT NULL,
                body BLOB NOT NULL
            ) STRICT
            """,
            "CREATE UNIQUE INDEX document_by_id ON document (store, id)",
            "CREATE UNIQUE INDEX document_by_change ON document (store, sequence)",
            """
            CREATE TABLE tombstone (
                store INTEGER NOT NULL, sequence INTEGER NOT NULL, id TEXT NOT NULL, PRIMARY KEY (store, sequence)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE UNIQUE INDEX tombstone_by_id ON tombstone (store, id)",
            "CREATE TABLE dropped (store INTEGER PRIMARY KEY) STRICT",
        ),
    ),
    gives_back=True,
)
"""`dropped` has the numbers of stores that are gone and of which rows may be left."""
