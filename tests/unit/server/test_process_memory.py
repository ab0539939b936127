import gc
import platform
import subprocess
import sys

import pytest

from openplaybook.server.process_memory import spared_collection

HELD_MIB = """
import asyncio, resource, threading
from openplaybook.server import process_memory as memory

memory._TRIMMED_S = 0.001
kept = []
all_there = threading.Barrier(3)


def held():
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize() >> 20


def work():
    large = []
    for _ in range(2000):
        large.append(b"a" * 100_000)
        kept.append(b"a" * 600)
    all_there.wait()


async def main():
    memory.share_heaps()
    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    before = held()
    async with memory.trimmed_memory():
        for _ in range(1000):
            await asyncio.sleep(0.01)
            if held() < before / 2:
                break
    print(before, held())


asyncio.run(main())
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="not run: needs glibc")
def test_free_memory_is_given_back_although_small_blocks_lie_behind_it() -> None:
    told = subprocess.run([sys.executable, "-c", HELD_MIB], capture_output=True, check=True, timeout=60)
    before, after = map(int, told.stdout.split())

    assert before > 150
    assert after < before / 2


async def test_a_million_new_objects_set_off_no_look_at_all_of_them() -> None:
    rounds: list[int] = []

    def heard(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            rounds.append(info["generation"])

    before = gc.get_threshold()
    async with spared_collection():
        gc.callbacks.append(heard)
        try:
            kept: list[list[int]] = [[] for _ in range(1_000_000)]
        finally:
            gc.callbacks.remove(heard)

    assert len(kept) == 1_000_000
    assert rounds
    assert 2 not in rounds
    assert gc.get_threshold() == before
