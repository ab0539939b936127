"""Names whose servers do not answer keep nobody else waiting."""

import asyncio
from collections.abc import Sequence
from threading import Event

from openplaybook.egress.resolver import SystemResolver

HANGING = 40
"""More than the threads that a server has for everything else."""


async def test_names_that_hang_hold_up_neither_other_names_nor_other_work() -> None:
    go_on = Event()

    def lookup(host: str, port: int) -> Sequence[str]:
        if host != "good.example":
            go_on.wait()
        return (f"{host}:{port}",)

    resolver = SystemResolver(lookup)
    hanging = [asyncio.create_task(resolver.resolve(f"{each}.evil.example", 443)) for each in range(HANGING)]
    try:
        async with asyncio.timeout(10):
            assert await resolver.resolve("good.example", 443) == ("good.example:443",)
            assert await asyncio.to_thread(lambda: "done") == "done"
    finally:
        go_on.set()
    assert len(await asyncio.gather(*hanging)) == HANGING
