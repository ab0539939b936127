"""Measures what hostile requests do to ordinary turns.

    python -m benchmarks.hostile [--quick] [--case NAME …] [--alone [--after NAME]]

A quiet time first, then all cases one after the other (those that are known to have hurt before come first), then a
crowd: three who play them mixed; at the end SIGTERM while they go on. It takes a quarter of an hour. `--case` plays the
cases whose names begin so, each alone, and `--alone` all of them; both print lines and no rows. The exit status is 3
when a goal was missed, and 1 when a case that was played alone did what it must not.
"""

import argparse
import signal
import sys
import time
from collections.abc import Sequence

from benchmarks.figures import quantile
from benchmarks.hostile.cases import CASES, FIRST
from benchmarks.hostile.plans import Played, Scene, alone, mixed, scene
from benchmarks.hostile.verdict import Verdict, rows
from benchmarks.rows import MISSED, report

_PER_S = 20.0
"""Ordinary turns a second."""
_QUIET_S, _REPLAYED_S, _MIXED_S = 15.0, 1200.0, 60.0
_QUICK = (5.0, 40.0, 15.0)
_SHOWN = 110


def tell(place: Scene, played: Played) -> None:
    """A line about one case that was played alone."""
    cost = place.costs[played.name]
    lost = "" if place.target.is_alive else f" DEAD, status {place.target.process.status()}"
    turns = f", turns p99 {quantile(cost.turns_s, 0.99) * 1000:.0f} ms" if cost.turns_s else ""
    wrong = f", {len(cost.wrong)} ordinary turns WRONG: {cost.wrong[0][:80]}" if cost.wrong else ""
    fault = f" ({played.fault[:120]})" if played.fault else ""
    refused = played.told[-1] if played.told and played.told[-1].status not in ("200", "OK") else None
    last = refused.text[:_SHOWN].replace("\n", " ") if refused is not None else ""
    _say(
        f"{played.name:30} {played.ended - played.begun:6.2f} s, slowest {cost.slowest_s:5.2f} s, "
        f"CPU {cost.cpu_s:5.2f} s, health waited {cost.gap_s * 1000:4.0f} ms, {cost.memory_mb:4.0f} MB{turns}{wrong}: "
        f"{played.statuses}{fault}{lost} {last}"
    )


def play_alone(names: Sequence[str]) -> int:
    """Play cases one after the other, with a new server where one died; 1 when something was violated."""
    violated = 0
    left = names
    while left:
        with scene(_PER_S / 4) as place:
            left = alone(place, left, tell, float("inf"))
            for violation in place.violations:
                _say(f"  VIOLATION {violation.case}: {violation.what}")
            violated += len(place.violations)
            if not place.target.is_alive:
                violated += 1
                _say(f"  the server died: {place.target.process.log_end()[-800:]}")
    return 1 if violated else 0


def measure(quiet_s: float, replayed_s: float, mixed_s: float) -> Verdict:
    """A whole run."""
    with scene(_PER_S) as place:
        place.settle()
        quiet = place.window(lambda: time.sleep(quiet_s))
        _say(f"quiet: {quiet.words()}")
        names = [*FIRST, *(name for name in CASES if name not in FIRST)]
        left: list[str] = []
        replay = place.window(lambda: left.extend(alone(place, names, tell, replayed_s)))
        _say(f"one after the other, {len(left)} of {len(names)} left out: {replay.words()}")
        crowd = place.window(lambda: mixed(place, names, mixed_s))
        _say(f"a crowd: {crowd.words()}")
        was_alive = place.target.is_alive
        ended_s = place.target.end()
        for violation in place.violations:
            _say(f"  VIOLATION {violation.case}: {violation.what}")
        share = 1 - len(left) / len(names)
        return Verdict(quiet, replay, crowd, place, played=share, was_alive=was_alive, ended_s=ended_s)


def main() -> int:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hostile", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="about a minute: the first cases, a short crowd")
    parser.add_argument("--alone", action="store_true", help="all cases one after the other, without a mix")
    parser.add_argument("--after", default="", metavar="NAME", help="with --alone: only the cases after that one")
    parser.add_argument("--case", action="append", default=[], metavar="NAME", help="cases whose names begin so, alone")
    arguments = parser.parse_args()
    chosen = [name for name in CASES if any(name.startswith(asked) for asked in arguments.case)]
    if arguments.case and not chosen:
        parser.error(f"no case begins with {' or '.join(arguments.case)}; there are {', '.join(CASES)}")
    if chosen or arguments.alone:
        names = chosen or list(CASES)
        return play_alone(names[names.index(arguments.after) + 1 :] if arguments.after else names)
    verdict = measure(*(_QUICK if arguments.quick else (_QUIET_S, _REPLAYED_S, _MIXED_S)))
    found = rows(verdict)
    for row in found:
        report(row)
    return 0 if all(row.is_met is not False for row in found) else MISSED


def _ended(number: int, frame: object) -> None:
    raise SystemExit(128 + number)


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    # So that what was started is ended as well.
    signal.signal(signal.SIGTERM, _ended)
    sys.exit(main())
