"""Plays cases: `python -m benchmarks.hostile.attacker HTTP_PORT GRPC_PORT SERVICE_URL`.

Reads one JSON object a line, `{"cases": [names], "at_once": n, "seconds": s}`: the cases are played in that order, so
many at once, again and again while `seconds` last (0: each once). Prints what came of each, and `{"over": true}` at the
end of each line's work.
"""

import asyncio
import contextlib
import itertools
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import astuple

import uvloop

from benchmarks.hostile.cases import CASES
from benchmarks.hostile.prey import Prey
from openplaybook.jsonvalues import JsonValue, dumps, loads

_LONGEST_S = 100.0
_NICENESS = 10
"""Attackers have a machine of their own in the world; here they give way to the server."""


async def play(name: str, prey: Prey) -> None:
    """Play one case and print what came of it."""
    own = Prey(
        prey.http, prey.grpc, prey.service, agent=prey.agent, playbook=prey.playbook, app=prey.app, desk=prey.desk
    )
    begun, fault = time.monotonic(), ""
    try:
        async with asyncio.timeout(_LONGEST_S):
            await CASES[name].attack(own)
    except TimeoutError:
        fault = f"not over after {_LONGEST_S:.0f} s"
    except Exception as error:  # noqa: BLE001 - told: a case must not end the attacker
        fault = f"{type(error).__name__}: {error}"
    told = [astuple(each) for each in own.told]
    _say({"case": name, "begun": begun, "ended": time.monotonic(), "told": told, "fault": fault})


async def work(names: list[str], at_once: int, seconds: float, prey: Prey) -> None:
    """Play cases as one line of input says."""
    until = time.monotonic() + seconds
    left: Iterator[str] = itertools.cycle(names) if seconds else iter(names)

    async def one() -> None:
        for name in left:
            if seconds and time.monotonic() > until:
                return
            await play(name, prey)

    async with asyncio.timeout(seconds + 5 if seconds else None):
        await asyncio.gather(*(one() for _ in range(at_once)))


async def main() -> None:
    """Obey until the input ends."""
    os.nice(_NICENESS)
    prey = Prey(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
    await prey.settle()
    _say({"over": True})
    while line := await asyncio.to_thread(sys.stdin.readline):
        asked = loads(line)
        with contextlib.suppress(TimeoutError):  # what is still under way when a mix is over is left
            await work(asked["cases"], asked["at_once"], asked["seconds"], prey)
        _say({"over": True})


def _say(value: JsonValue) -> None:
    sys.stdout.buffer.write(dumps(value) + b"\n")
    sys.stdout.flush()


if __name__ == "__main__":
    uvloop.run(main())
