import asyncio

from openplaybook.egress.pace import Pace

LARGE = 2_000_000


async def test_one_piece_of_a_large_answer_passes_in_a_round_of_the_loop() -> None:
    pace, passed, rounds = Pace(), list[int](), 0

    async def read(number: int) -> None:
        for _ in range(3):
            await pace.keep(LARGE)
            passed.append(number)

    reading = [asyncio.create_task(read(number)) for number in range(4)]
    most = 0
    while not all(task.done() for task in reading):
        before = len(passed)
        await asyncio.sleep(0)
        rounds, most = rounds + 1, max(most, len(passed) - before)

    assert (most, len(passed)) == (1, 12)
    assert sorted(passed[:4]) == [0, 1, 2, 3]


async def test_a_small_answer_waits_for_nobody() -> None:
    pace = Pace()
    large = asyncio.create_task(pace.keep(LARGE))
    await asyncio.sleep(0)
    await pace.keep(1_000)

    assert not large.done()
    await large
