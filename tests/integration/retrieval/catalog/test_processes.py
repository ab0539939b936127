"""Several processes at once, and processes that are killed."""

import asyncio
from collections import Counter

import pytest

from tests.kit.thoroughness import sample

from .kit import STORE, Opener, Place, all_changes, all_ids, putting
from .put_until_killed import BATCH

ROUNDS = range(30)


async def test_two_processes_write_and_a_third_misses_nothing(place: Place, open_catalog: Opener) -> None:
    catalog = await open_catalog()
    writers = [await putting(place, prefix, 12) for prefix in ("left", "right")]
    ends = asyncio.gather(*(writer.communicate() for writer in writers))
    followed: list[tuple[int, str]] = []
    while not ends.done() or len(followed) < 2 * 12 * BATCH:
        some = await catalog.changes(STORE, followed[-1][0] if followed else 0, limit=70)
        followed += [(change.sequence, change.id) for change in some]
        if ends.done() and not some:
            break
    await ends
    assert [writer.returncode for writer in writers] == [0, 0]
    expected = {f"{prefix}-{batch}-{n}" for prefix in ("left", "right") for batch in range(12) for n in range(BATCH)}
    assert sorted(id for _, id in followed) == sorted(expected)
    assert [sequence for sequence, _ in followed] == [*range(1, len(expected) + 1)]
    assert {*await all_ids(catalog)} == expected


@pytest.mark.sweep
@pytest.mark.parametrize("number", sample(ROUNDS, 15))
async def test_what_was_awaited_before_a_kill_is_there_and_no_batch_is_in_parts(
    place: Place, open_catalog: Opener, number: int
) -> None:
    writer = await putting(place, "x", 0)
    assert writer.stdout is not None
    lines = [await writer.stdout.readline() for _ in range(1 + number % 10)]
    # Somewhere in the next put.
    await asyncio.sleep(number / 10_000)
    writer.kill()
    lines += (await writer.stdout.read()).splitlines(keepends=True)
    await writer.wait()
    acknowledged = {int(line) for line in lines if line.endswith(b"\n")}
    catalog = await open_catalog()
    changes = await all_changes(catalog)
    assert [change.sequence for change in changes] == [*range(1, len(changes) + 1)]
    batches = Counter(int(change.id.split("-")[1]) for change in changes)
    assert {*batches.values()} == {BATCH}
    assert acknowledged <= batches.keys()
    assert len(batches) <= len(acknowledged) + 1
    held = await catalog.statistics(STORE)
    assert held.documents == held.passages == len(changes) == len(await all_ids(catalog))
