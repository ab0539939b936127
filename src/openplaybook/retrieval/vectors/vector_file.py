"""Vectors of one store in a folder: a matrix that is mapped, and a table that says whose its rows are.

A row is written before the table tells of it, and a row that was given up is used again only when the table no longer
has it: after a crash nothing is taken for what it is not. All of it is derived, and made anew where it is missing.
"""

import os
import shutil
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from openplaybook.retrieval.catalog.base import ChangeMark
from openplaybook.retrieval.index.near_passages import PassageKey

_FORM: Final = 1
"""Grows when files are written otherwise: those of another form are made anew."""
_TABLE: Final = "rows.db"
_MATRIX: Final = "matrix.f32"
_GROWTH: Final = 1024
"""Rows by which the matrix grows."""
_SCHEMA: Final = """
CREATE TABLE state (form INTEGER, model TEXT, incarnation TEXT, sequence INTEGER, dimensions INTEGER);
CREATE TABLE vector (
    number INTEGER PRIMARY KEY, document TEXT NOT NULL, passage INTEGER NOT NULL, digest BLOB NOT NULL
);
CREATE INDEX of_document ON vector (document);
"""


@dataclass(frozen=True, slots=True)
class DocumentVectors:
    """What a change of a document means for its vectors."""

    id: str
    digests: Sequence[bytes]
    """Of what is embedded, of each passage; empty for a document that was deleted."""
    vectors: Mapping[int, bytes]
    """New vectors, by the position of their passage; the others are kept."""


class VectorFile:
    """Open files of a store. Written by one thread at a time, and searched by any."""

    def __init__(self, folder: Path, table: sqlite3.Connection) -> None:
        """Use `open_vectors` or `new_vectors`."""
        self._folder = folder
        self._table = table
        ((self.model, incarnation, sequence, self._dimensions),) = table.execute(
            "SELECT model, incarnation, sequence, dimensions FROM state"
        ).fetchall()
        self.mark = ChangeMark(incarnation, sequence)
        rows = cast(
            "list[tuple[int, str, int]]", table.execute("SELECT number, document, passage FROM vector").fetchall()
        )
        self._keys: list[PassageKey | None] = [None] * (1 + max((number for number, _, _ in rows), default=-1))
        for number, document, passage in rows:
            self._keys[number] = (document, passage)
        self._free = [number for number, key in enumerate(self._keys) if key is None]
        self._matrix = self._mapped()

    @property
    def passages(self) -> int:
        """How many passages have a vector."""
        return len(self._keys) - len(self._free)

    def digests(self, documents: Sequence[str]) -> Mapping[PassageKey, bytes]:
        """What the vectors of some documents were made of."""
        found: dict[PassageKey, bytes] = {}
        for document in documents:
            rows = self._table.execute("SELECT passage, digest FROM vector WHERE document = ?", (document,))
            found.update({(document, passage): digest for passage, digest in rows.fetchall()})
        return found

    def apply(self, changes: Sequence[DocumentVectors], sequence: int, dimensions: int) -> None:
        """Take changes up to that one, all or none; after an error the file is to be opened again.

        `dimensions` are those of the new vectors, 0 where there are none.
        """
        self._dimensions = self._dimensions or dimensions
        if dimensions and dimensions != self._dimensions:
            raise ValueError(f"the model {self.model} gave vectors of {self._dimensions} numbers, and now {dimensions}")
        gone: list[int] = []
        added: list[tuple[int, PassageKey, bytes, bytes]] = []
        for change in changes:
            self._plan(change, gone, added)
        self._write([(number, vector) for number, _, _, vector in added])
        with self._table:
            self._table.execute("BEGIN")
            self._table.executemany("DELETE FROM vector WHERE number = ?", [(number,) for number in gone])
            self._table.executemany(
                "INSERT INTO vector VALUES (?, ?, ?, ?)", [(number, *key, digest) for number, key, digest, _ in added]
            )
            self._table.execute("UPDATE state SET sequence = ?, dimensions = ?", (sequence, self._dimensions))
        for number in gone:
            self._keys[number] = None
        self._free += gone
        for number, key, _, _ in added:
            self._keys[number] = key
        self.mark = ChangeMark(self.mark.incarnation, sequence)

    def nearest(self, question: bytes, most: int) -> Sequence[PassageKey]:
        """Passages whose vectors have the largest inner product with that of a question, largest first."""
        asked = np.frombuffer(question, "<f4")
        matrix, free = self._matrix, list(self._free)
        if matrix is None:
            return []
        # Rows may be added meanwhile.
        keys = self._keys[: len(matrix)]
        if len(asked) != matrix.shape[1]:
            raise ValueError(f"vectors have {matrix.shape[1]} numbers, and that of the question {len(asked)}")
        scores = matrix[: len(keys)] @ asked
        scores[free] = -np.inf
        most = min(most, len(keys) - len(free))
        if not most:
            return []
        if most < len(keys):
            best = np.argpartition(scores, len(keys) - most)[len(keys) - most :]
        else:
            best = np.arange(len(keys))
        ordered = cast("list[int]", best[np.argsort(-scores[best], kind="stable")].tolist())
        return [key for number in ordered if (key := keys[number]) is not None]

    def close(self) -> None:
        """Let go of the files."""
        self._table.close()
        self._matrix = None

    def _plan(
        self, change: DocumentVectors, gone: list[int], added: list[tuple[int, PassageKey, bytes, bytes]]
    ) -> None:
        rows = self._table.execute("SELECT number, passage FROM vector WHERE document = ?", (change.id,)).fetchall()
        gone += [number for number, passage in rows if passage >= len(change.digests) or passage in change.vectors]
        for passage, vector in change.vectors.items():
            number = self._free.pop() if self._free else self._new_row()
            added.append((number, (change.id, passage), change.digests[passage], vector))

    def _new_row(self) -> int:
        self._keys.append(None)
        return len(self._keys) - 1

    def _write(self, rows: Sequence[tuple[int, bytes]]) -> None:
        if not rows:
            return
        width = 4 * self._dimensions
        with (self._folder / _MATRIX).open("r+b") as file:
            wanted = -(-len(self._keys) // _GROWTH) * _GROWTH * width
            if file.seek(0, os.SEEK_END) < wanted:
                file.truncate(wanted)
            for number, vector in rows:
                file.seek(number * width)
                file.write(vector)
            file.flush()
            os.fdatasync(file.fileno())
        if self._matrix is None or len(self._matrix) * width < wanted:
            self._matrix = self._mapped()

    def _mapped(self) -> "NDArray[np.float32] | None":
        path = self._folder / _MATRIX
        rows = path.stat().st_size // (4 * self._dimensions) if self._dimensions else 0
        if rows < len(self._keys):
            raise ValueError(f"{path} has {rows} vectors, and its table tells of {len(self._keys)}")
        return np.memmap(path, "<f4", "r", shape=(rows, self._dimensions)) if rows else None


def open_vectors(folder: Path, model: str, incarnation: str) -> VectorFile | None:
    """The vectors in a folder; None where there are none, or damaged ones, or those of another model or store."""
    if not (folder / _TABLE).exists():
        return None
    try:
        table = sqlite3.connect(folder / _TABLE, check_same_thread=False, isolation_level=None)
        known = table.execute("SELECT form, model, incarnation FROM state").fetchall()
        if known == [(_FORM, model, incarnation)]:
            return VectorFile(folder, table)
        table.close()
    except (sqlite3.DatabaseError, OSError, ValueError):
        # Whatever is wrong with them, they can be made anew.
        return None
    return None


def new_vectors(folder: Path, model: str, incarnation: str) -> VectorFile:
    """No vectors, in the place of whatever is in the folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / _MATRIX).touch()
    table = sqlite3.connect(folder / _TABLE, check_same_thread=False, isolation_level=None)
    table.executescript(_SCHEMA)
    table.execute("INSERT INTO state VALUES (?, ?, ?, 0, 0)", (_FORM, model, incarnation))
    return VectorFile(folder, table)
