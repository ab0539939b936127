"""What every worker does: makes calls when told to, and says what CPU they took.

Reads lines of JSON, `{"kind": "get" | "post", "calls": N, "concurrency": N}`, and answers each with the microseconds
of CPU (user and system, of this process) that a call took. Imports nothing but uvloop, since it runs in the
environments of the peers too. Variables: BENCH_DOCUMENT, the OpenAPI document; BENCH_ANSWER, what the service answers;
BENCH_PET, the body to post; BENCH_URL, where the service is.
"""

import asyncio
import gc
import json
import os
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

import uvloop

Calls: TypeAlias = Mapping[str, Callable[[], Awaitable[object]]]
"""By kind: makes one call and gives the JSON of the answer."""

DOCUMENT: dict[str, Any] = json.loads(os.environ["BENCH_DOCUMENT"])
ANSWER: dict[str, Any] = json.loads(os.environ["BENCH_ANSWER"])
PET: dict[str, Any] = json.loads(os.environ["BENCH_PET"])
URL: str = os.environ["BENCH_URL"]
GET_ARGUMENTS: dict[str, Any] = {"petId": 3, "label": ["dog", "brown"]}


def work(prepare: Callable[[], Awaitable[Calls]]) -> None:
    """Serve orders until there are no more; `prepare` runs in the event loop of the calls."""
    uvloop.run(_work(prepare))


async def _work(prepare: Callable[[], Awaitable[Calls]]) -> None:
    calls = await prepare()
    for line in sys.stdin:
        order = json.loads(line)
        used = await _timed(calls[order["kind"]], order["calls"], order["concurrency"])
        sys.stdout.write(f"{used}\n")
        sys.stdout.flush()


async def _timed(call: Callable[[], Awaitable[object]], count: int, concurrency: int) -> float:
    async def some(times: int) -> None:
        for _ in range(times):
            answer = await call()
            if answer != ANSWER:
                raise RuntimeError(f"a call gave {answer!r}")

    # Connections that were closed meanwhile are opened again before the clock starts.
    await asyncio.gather(*(some(2) for _ in range(concurrency)))
    gc.collect()
    each = count // concurrency
    begun = time.process_time()
    await asyncio.gather(*(some(each) for _ in range(concurrency)))
    return (time.process_time() - begun) / (each * concurrency) * 1e6
