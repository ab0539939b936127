"""Writes to the database named on the command line without end, and prints each write once it was awaited."""

import asyncio
import itertools
import sys
from pathlib import Path

from openplaybook.storage.base import BeginTurn, Put, Started, TurnState
from openplaybook.storage.sqlite import SqliteStore

WRITERS = 8
FAR_US = 2**60


async def main() -> None:
    store = SqliteStore(Path(sys.argv[1]))
    await store.open()
    await asyncio.gather(*(write(store, f"agents/a/sessions/{number}") for number in range(WRITERS)))


async def write(store: SqliteStore, session: str) -> None:
    """Turns of four writes each, beside a record and a blob that count them."""
    for number in itertools.count(1):
        begun = await store.begin_turn(BeginTurn(session, "a", f"t{number}", f"k{number}", "", "o", FAR_US, FAR_US))
        assert isinstance(begun, Started)
        said(session, "begun", number)
        for seq in range(2):
            await store.append(begun.lease, [("row", b"x" * 1000)])
            said(session, "rows", number, seq + 1)
        await store.finish_turn(begun.lease, state=TurnState.DONE, response=b"r", session_state=str(number).encode())
        said(session, "done", number)
        (record,) = await store.apply([Put(session, "kind", "parent", "a", b"")])
        said(session, "record", record.version)
        await store.put_blob(session, str(number).encode())
        said(session, "blob", number)


def said(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


asyncio.run(main())
