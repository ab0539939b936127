"""Runs benchmarks: `python -m benchmarks [NAME …]`, all of them without a name.

Each is a module of this package, run in a process of its own, that prints its rows. They are shown as they come, kept
in `benchmarks/results/NAME.json` and written into `docs/performance.md`. A benchmark that fails leaves its table as it
was; the others go on, and the exit status is 1.
"""

import argparse
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict

import orjson

from benchmarks.document import figure, table, with_table
from benchmarks.environments import ROOT
from benchmarks.machine import Machine, this_machine
from benchmarks.rows import MISSED, Row, parse

NAMES = (
    "turns",
    "durability",
    "pauses",
    "startup",
    "models",
    "offline",
    "openapi_load",
    "openapi_call",
    "executions",
    "code",
    "codec",
    "storage",
    "packages",
    "agents",
    "hostile",
    "retrieval",
    "retrieval.imports",
    "connectors",
    "console",
)

_RESULTS = ROOT / "benchmarks" / "results"
_DOCUMENT = ROOT / "docs" / "performance.md"


def run(name: str) -> Sequence[Row] | None:
    """The rows of one benchmark, shown as they come; None when it failed. One that only missed a goal has not."""
    rows: list[Row] = []
    command = [sys.executable, "-m", f"benchmarks.{name}"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None, "it was asked for"
        for line in process.stdout:
            rows.append(parse(line))
            _say(shown(rows[-1]))
    return rows if process.returncode in (0, MISSED) else None


def shown(row: Row) -> str:
    """A row as a sentence."""
    verdict = {True: f", goal {row.goal} met", False: f", goal {row.goal} MISSED", None: ""}[row.is_met]
    figures = f"{figure(row.ours)} {row.unit}, {figure(row.peer)} {row.unit} with {row.against}"
    return f"{row.name}: {figures}: {figure(row.ratio)}×{verdict}"


def keep(name: str, rows: Sequence[Row], machine: Machine) -> None:
    """Write the results and the table."""
    _RESULTS.mkdir(exist_ok=True)
    results = {"machine": asdict(machine), "rows": [asdict(row) for row in rows]}
    (_RESULTS / f"{name}.json").write_bytes(orjson.dumps(results, option=orjson.OPT_INDENT_2) + b"\n")
    document = _DOCUMENT.read_text(encoding="utf-8")
    _DOCUMENT.write_text(with_table(document, name, table(rows, machine.words())), encoding="utf-8")


def main() -> int:
    """Run what the command line names; 1 when something failed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(NAMES))
    names: Sequence[str] = parser.parse_args().names or NAMES
    if unknown := set(names).difference(NAMES):
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    failed: list[str] = []
    for number, name in enumerate(names, start=1):
        _say(f"==> {name} ({number} of {len(names)})")
        machine = this_machine()
        rows = run(name)
        if rows is None:
            failed.append(name)
        else:
            keep(name, rows, machine)
    if failed:
        _say(f"==> Failed: {', '.join(failed)}; the other results and tables are written.")
        return 1
    _say("==> benchmarks/results and docs/performance.md are written.")
    return 0


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
