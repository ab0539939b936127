"""Many changes of resources in few statements: new records, and records that go.

An import of thousands of resources is one transaction, for which the writes of all turns wait. Each statement is a
moment in which the interpreter is given away and has to be got back; a few large ones leave it to others meanwhile.
What a bulk cannot do in the same way as one change after the other is left to that way, errors too.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from openplaybook.storage.base import Change, Delete, Put, Record

_FEWEST = 16
_MOST = 500
"""Changes of a bulk. An SQLite of 2020 takes 32,766 values in a statement, and a record has eight."""
_COLUMNS = "name, kind, parent, root, unique_key, version, created_us, updated_us, body"


def bulks(changes: Sequence[Change]) -> Iterator[Sequence[Change]]:
    """The changes in their order, in parts; those of more than one change are all of one kind."""
    for kind, run in groupby(changes, type):
        alike = list(run)
        size = _MOST if kind in (Put, Delete) and len(alike) >= _FEWEST else 1
        for start in range(0, len(alike), size):
            yield alike[start : start + size]


def insert(
    connection: sqlite3.Connection, puts: Sequence[Put], written: Counter[str], now_us: int
) -> Sequence[Record] | None:
    """The records of these changes, where all of them are new ones that nothing stands against; else None, and nothing
    is done."""
    if not _are_new(connection, puts):
        return None
    row = "(?, ?, ?, ?, ?, 1, ?, ?, ?)"
    values = [
        value
        for put in puts
        for value in (put.name, put.kind, put.parent, put.root, put.unique_key, now_us, now_us, put.body)
    ]
    rows = ", ".join([row] * len(puts))
    cursor = connection.execute(f"INSERT INTO record ({_COLUMNS}) VALUES {rows}", values)
    assert cursor.lastrowid is not None, "the position is the row's number"
    written.update(put.root for put in puts)
    # Positions are given one after the other.
    first = cursor.lastrowid - len(puts) + 1
    return [
        Record(put.name, put.kind, put.parent, put.root, put.body, 1, first + number, now_us, now_us)
        for number, put in enumerate(puts)
    ]


def delete(connection: sqlite3.Connection, deletes: Sequence[Delete], written: Counter[str]) -> bool:
    """Whether these records are deleted; False, and nothing done, where one is missing, is another version, is a root,
    or goes with what is beneath it."""
    names = [each.name for each in deletes]
    if len({*names}) < len(names) or any(each.tree for each in deletes):
        return False
    rows = connection.execute(
        "SELECT name, version, root, position FROM record WHERE name IN (SELECT value FROM json_each(?))",
        (json.dumps(names),),
    )
    existing = {name: (version, root, position) for name, version, root, position in rows.fetchall()}
    for each in deletes:
        version, root, _ = existing.get(each.name, (0, "", 0))
        if not version or each.expect not in (None, version) or root == each.name:
            return False
    positions = json.dumps([position for _, _, position in existing.values()])
    connection.execute("DELETE FROM record WHERE position IN (SELECT value FROM json_each(?))", (positions,))
    written.update(root for _, root, _ in existing.values())
    return True


def _are_new(connection: sqlite3.Connection, puts: Sequence[Put]) -> bool:
    names = [put.name for put in puts]
    keys = [(put.parent, put.kind, put.unique_key) for put in puts if put.unique_key is not None]
    if len({*names}) < len(names) or len({*keys}) < len(keys):
        return False
    if any(put.expect not in (None, 0) for put in puts) or any("\0" in text for key in keys for text in key if text):
        return False
    standing = connection.execute(
        "SELECT EXISTS (SELECT 1 FROM record WHERE name IN (SELECT value FROM json_each(?)))", (json.dumps(names),)
    )
    if standing.fetchall()[0][0]:
        return False
    taken = connection.execute(
        "SELECT EXISTS (SELECT 1 FROM json_each(?) AS wanted JOIN record AS r"
        " ON r.parent = json_extract(wanted.value, '$[0]') AND r.kind = json_extract(wanted.value, '$[1]')"
        " AND r.unique_key = json_extract(wanted.value, '$[2]'))",
        (json.dumps(keys),),
    )
    return not taken.fetchall()[0][0]
