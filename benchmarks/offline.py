"""CPU of a decision of the offline model, by the number of tools, and the memory that the model takes.

    python -m benchmarks.offline [--decisions 200]

Each decision is about other words, so nothing that was said is known from before. The peer is a prototype of the same
method, in Python with numpy, whose figures were measured once (see docs/performance.md); it is not run here. CPU is
user and system time of this process; figures are medians of the rounds. Memory is the resident set of a process that
has made decisions, and of one that has only imported what every model imports. Prints a row per measure (see
`benchmarks.rows`).
"""

import argparse
import asyncio
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from datetime import date
from itertools import count

from benchmarks.rows import Goal, cost, report
from openplaybook.models.base import (
    Declaration,
    DeclarationKind,
    Effect,
    ExampleDialogue,
    FunctionCall,
    FunctionResult,
    ModelTurn,
    UserText,
)
from openplaybook.models.offline import OfflineModel

ROUNDS = 5
PROTOTYPE = "a prototype of the method"
SINGLE_MS, MEMORY_MB = 45.0, 75.0
"""Of the prototype: a request with its encoder, and its whole process without one."""
GOAL = Goal(ours_at_most=60)
THINGS = (
    "order",
    "invoice",
    "parcel",
    "ticket",
    "booking",
    "contract",
    "meter",
    "car",
    "room",
    "table",
    "book",
    "flight",
    "course",
    "pet",
    "doctor",
    "claim",
    "card",
    "account",
    "recipe",
    "garden",
)
ACTS = ("show", "find", "track", "check", "list")
MEMORY = """
import asyncio, sys
if sys.argv[1] == "model":
    from benchmarks.offline import decisions
    asyncio.run(decisions(5, 20, taught=False))
else:
    import openplaybook.models.base
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmRSS")))
"""

_numbers = count(1000)


def declaration(thing: str, number: int) -> Declaration:
    """A tool that looks for one kind of thing."""
    properties = {
        f"{thing}_id": {"type": "integer", "description": f"Number of the {thing}"},
        "city": {"type": "string", "description": "Name of the city"},
        "day": {"type": "string", "format": "date", "description": "Day that is asked about"},
    }
    schema = {"type": "object", "properties": properties, "required": [f"{thing}_id"]}
    act = ACTS[number % len(ACTS)]
    description = f"{act.capitalize()} the {thing} of a customer"
    name = f"{act}_{thing}"
    return Declaration(name, description, schema, None, DeclarationKind.TOOL, name, name, effect=Effect.READS)


def example(declared: Declaration, thing: str) -> ExampleDialogue:
    """How somebody asks for it."""
    entries = (
        UserText(f"where is my {thing} 41 in Leeds?"),
        FunctionCall("1", declared.name, {f"{thing}_id": 41, "city": "Leeds"}),
        FunctionResult("1", declared.name, {"status": "open"}),
    )
    return ExampleDialogue(thing, entries)


def request(thing: str) -> str:
    """Words with a number that nobody has said before."""
    return f"I would like to know what happens with {thing} {next(_numbers)} in Bristol on December 3rd, please"


async def decisions(tools: int, times: int, *, taught: bool) -> float:
    """Milliseconds of CPU that a decision takes with so many tools, with an example of each or with none."""
    things = THINGS[:tools]
    declared = tuple(declaration(thing, number) for number, thing in enumerate(things))
    examples = tuple(map(example, declared, things)) if taught else ()
    model = OfflineModel(lambda: date(2026, 11, 20))

    def turn(number: int) -> ModelTurn:
        said = (UserText(request(things[number % tools])),)
        return ModelTurn("Desk", declared, "Help customers.", (), examples, said, "en")

    for number in range(10):
        await model.decide(turn(number))
    begin = time.process_time()
    for number in range(times):
        await model.decide(turn(number))
    return (time.process_time() - begin) / times * 1000


def resident_mb(what: str) -> float:
    """Of a process that has done this."""
    ran = subprocess.run([sys.executable, "-c", MEMORY, what], capture_output=True, text=True, check=True)
    return int(ran.stdout) / 1024


def medians(figures: Sequence[float]) -> float:
    """The middle one."""
    return statistics.median(figures)


def measure(times: int) -> None:
    """Print all rows."""
    for taught in (False, True):
        shown = "an example of each" if taught else "no examples"
        for tools in (1, 5, 20):
            taken = [asyncio.run(decisions(tools, times // ROUNDS, taught=taught)) for _ in range(ROUNDS)]
            title = f"offline: CPU of a decision, {tools} tool{'s' if tools > 1 else ''}, {shown}"
            report(cost(title, "ms", medians(taken), SINGLE_MS, PROTOTYPE, GOAL))
    for what, title in (("model", "a process with the model"), ("nothing", "the same without it")):
        report(cost(f"offline: memory of {title}", "MB", resident_mb(what), MEMORY_MB, PROTOTYPE))


def main() -> None:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int, default=200)
    measure(parser.parse_args().decisions)


if __name__ == "__main__":
    main()
