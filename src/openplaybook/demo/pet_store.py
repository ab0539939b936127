"""The pets register of the demo: SQLite tables, filled with a few pets and records of the vet when they are new.

The service serves the pets; the records are read through a connection.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import orjson

from openplaybook.jsonvalues import JsonObject

_PETS = """
CREATE TABLE IF NOT EXISTS pets (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    owner TEXT,
    label TEXT NOT NULL
)
"""
_RECORDS = """
CREATE TABLE IF NOT EXISTS vet_records (
    pet TEXT COLLATE NOCASE PRIMARY KEY,
    last_visit DATE NOT NULL,
    reason TEXT NOT NULL,
    weight_kg DECIMAL(5, 2) NOT NULL,
    vaccinated_until DATE
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


_FIRST_RECORDS = (
    ("Bella", "2026-01-12", "vaccination", "6.4", "2029-01-12"),
    ("Milo", "2026-01-20", "check-up", "4.1", "2027-05-02"),
    ("Luna", "2026-03-09", "vaccination", "3.9", "2029-03-09"),
    ("Oscar", "2026-02-17", "sore paw", "31.2", "2028-08-30"),
    ("Kiwi", "2026-02-24", "check-up", "0.1", None),
    ("Shadow", "2026-03-11", "check-up", "4.6", None),
    ("Hazel", "2026-01-30", "teeth", "1.7", "2026-11-08"),
    ("Bruno", "2026-03-15", "teeth", "24.8", "2027-10-01"),
)


class PetStore:
    """The register in a SQLite file; every call opens it for itself, so calls may come from any thread."""

    def __init__(self, database: Path) -> None:
        """Open `database`, creating and filling it when it is new; `sqlite3.Error` when that cannot be done."""
        self._database = database
        with closing(self._connect()) as connection, connection:
            connection.execute("BEGIN IMMEDIATE")
            for table in (_PETS, _RECORDS):
                connection.execute(table)
            if connection.execute("SELECT count(*) FROM vet_records").fetchone()[0] == 0:
                connection.executemany("INSERT INTO vet_records VALUES (?, ?, ?, ?, ?)", _FIRST_RECORDS)
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
