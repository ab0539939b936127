"""A process that is killed while it indexes loses nothing that it acknowledged, and leaves no document in parts."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE
from collections import Counter
from pathlib import Path

import pytest

import openplaybook
from openplaybook.retrieval.base import SearchRequest
from tests.integration.retrieval.index_until_killed import BATCH, PASSAGES, opened
from tests.kit.followed_store import STORE, all_found
from tests.kit.thoroughness import sample

ROUNDS = range(40)

_PROGRAM = Path(__file__).with_name("index_until_killed.py")


async def _killed(place: Path, first: int, *, lines: int, seconds: float) -> set[int]:
    """Batches that a process acknowledged before it was killed, so long after so many of them."""
    source, root = Path(openplaybook.__file__).parents[1], Path(__file__).parents[3]
    path = os.pathsep.join((str(source), str(root)))
    process = await asyncio.create_subprocess_exec(
        sys.executable, _PROGRAM, place, str(first), env={**os.environ, "PYTHONPATH": path}, stdout=PIPE
    )
    assert process.stdout is not None
    told = [await process.stdout.readline() for _ in range(lines)]
    await asyncio.sleep(seconds)
    process.kill()
    told += (await process.stdout.read()).splitlines(keepends=True)
    await process.wait()
    return {int(line) for line in told if line.endswith(b"\n")}


@pytest.mark.sweep
@pytest.mark.parametrize("number", sample(ROUNDS, 13))
async def test_what_was_acknowledged_before_a_kill_is_found_and_no_document_is_in_parts(
    tmp_path: Path, number: int
) -> None:
    acknowledged = await _killed(tmp_path, 0, lines=1 + number % 7, seconds=number / 100)
    acknowledged |= await _killed(tmp_path, 1000, lines=1 + number % 3, seconds=number / 250)
    engine = await opened(tmp_path)
    held = (await engine.statistics(STORE)).documents
    await all_found(engine, held)
    batches = Counter[int]()
    while hits := (await engine.search(STORE, SearchRequest("", limit=100, offset=batches.total()))).hits:
        batches.update(int(hit.document.split("-")[0]) for hit in hits)
    assert {*batches.values()} == {BATCH}
    assert acknowledged <= batches.keys()
    for batch in sample(sorted(batches), 5):
        every = SearchRequest(f"batch{batch}", limit=100, most_per_document=0)
        first = await engine.search(STORE, every)
        second = await engine.search(STORE, SearchRequest(every.text, limit=100, offset=100, most_per_document=0))
        assert first.total == BATCH
        assert len(first.hits + second.hits) == BATCH * PASSAGES
    await engine.close()
