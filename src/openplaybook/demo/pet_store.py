"""The pets register of the demo service: one SQLite table, filled with a few pets when it is new."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import orjson

from openplaybook.jsonvalues import JsonObject

_TABLE = """
CREATE TABLE IF NOT EXISTS pets (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    owner TEXT,
    label TEXT NOT NULL
)
"""


@dataclass(frozen=True, slots=True)
class Pet:
    """A pet as it is registered."""

    id: int
    """Given by the register, counted from 1."""
    name: str
    owner: str | None
    """First name of the owner; None for a pet that waits for one."""
    label: tuple[str, ...]
    """What the pet is, such as `dog`, `small`; lower case by custom, not by rule."""

    def to_json(self) -> JsonObject:
        """The pet in the shape of the API's `Pet` schema; members that have no value are left out."""
        shape: JsonObject = {"id": self.id, "name": self.name}
        if self.owner is not None:
            shape["owner"] = self.owner
        if self.label:
            shape["label"] = list(self.label)
        return shape


_FIRST_PETS: tuple[tuple[str, str | None, tuple[str, ...]], ...] = (
    ("Bella", "Maria", ("dog", "small")),
    ("Milo", "Tom", ("cat",)),
    ("Luna", "Aisha", ("cat", "indoor")),
    ("Oscar", "Maria", ("dog", "large")),
    ("Kiwi", "Jonas", ("bird",)),
    ("Shadow", None, ("cat", "shy")),
    ("Hazel", "Priya", ("rabbit",)),
    ("Bruno", None, ("dog", "old")),
)


class PetStore:
    """The register in a SQLite file; every call opens it for itself, so calls may come from any thread."""

    def __init__(self, database: Path) -> None:
        """Open `database`, creating and filling it when it is new; `sqlite3.Error` when that cannot be done."""
        self._database = database
        with closing(self._connect()) as connection, connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(_TABLE)
            if connection.execute("SELECT count(*) FROM pets").fetchone()[0] == 0:
                connection.executemany(
                    "INSERT INTO pets (name, owner, label) VALUES (?, ?, ?)",
                    [(name, owner, orjson.dumps(label).decode()) for name, owner, label in _FIRST_PETS],
                )

    def get(self, pet_id: int) -> Pet | None:
        """The pet of that number, or None."""
        with closing(self._connect()) as connection:
            row = connection.execute("SELECT id, name, owner, label FROM pets WHERE id = ?", (pet_id,)).fetchone()
        return _pet(row) if row else None

    def find(self, *, name: str | None = None, owner: str | None = None, labels: Sequence[str] = ()) -> list[Pet]:
        """Pets by number that have the name, the owner and all the labels; letter case does not matter."""
        with closing(self._connect()) as connection:
            rows = connection.execute("SELECT id, name, owner, label FROM pets ORDER BY id").fetchall()
        wanted = {label.casefold() for label in labels}
        return [
            pet
            for pet in map(_pet, rows)
            if (name is None or pet.name.casefold() == name.casefold())
            and (owner is None or (pet.owner or "").casefold() == owner.casefold())
            and wanted <= {label.casefold() for label in pet.label}
        ]

    def add(self, name: str, owner: str | None, label: Sequence[str]) -> Pet:
        """Register a pet and give it the next number, which is never given twice."""
        with closing(self._connect()) as connection, connection:
            cursor = connection.execute(
                "INSERT INTO pets (name, owner, label) VALUES (?, ?, ?)",
                (name, owner, orjson.dumps(list(label)).decode()),
            )
            pet_id = cursor.lastrowid
        if pet_id is None:
            raise sqlite3.DatabaseError("the register gave no number for a new pet")
        return Pet(pet_id, name, owner, tuple(label))

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self._database, timeout=5)


def _pet(row: tuple[int, str, str | None, str]) -> Pet:
    pet_id, name, owner, label = row
    return Pet(pet_id, name, owner, tuple(orjson.loads(label)))
