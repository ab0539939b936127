"""CPU and memory of making tools of real OpenAPI documents, against google-adk, fastmcp and haystack's openapi-llm.

    OPENPLAYBOOK_CORPUS=… python -m benchmarks.openapi_load

40 documents of the corpus, GitHub's and Kubernetes', each loaded by each library in a process of its own, one after
the other; what counts is from the text to tools whose declarations are written out as JSON, after all imports. A
library that cannot load a document, or not within 90 s of CPU and 6 GB, is left out of the figures about that document,
and the row of loaded documents says so. Prints a row per measure (see `benchmarks.rows`).
"""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.environments import ROOT, environment, ours, versions
from benchmarks.figures import median
from benchmarks.openapi_load.documents import GITHUB, KUBERNETES, Document, chosen
from benchmarks.processes import cores
from benchmarks.rows import NO_GOAL, Goal, cost, rate, report

_SCRIPTS = Path(__file__).parent / "workers"
_MOST_CPU_S, _MOST_BYTES = 90, 6 * 1024**3
_OURS = "ours"
_PEERS = {
    "adk": ("adk", "google-adk"),
    "fastmcp_tools": ("fastmcp", "fastmcp"),
    "haystack": ("openapi-llm", "openapi-llm"),
}
"""By script: its environment and its package."""
_SEEN = 150
"""Characters of a failure that are shown."""


@dataclass(frozen=True, slots=True)
class Load:
    """What one library made of one document."""

    tools: int
    cpu_s: float
    growth_mb: float
    """Of the process that asked for the tools; what a child process needed is returned when it ends."""


def load(binaries: Path, script: str, document: Document) -> Load | None:
    """What a library makes of a document; None when it does not load it."""
    done = subprocess.run(
        [str(binaries / "python"), str(_SCRIPTS / f"{script}.py"), str(document.text)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "HOME": os.environ["HOME"]},
        preexec_fn=_limited,
        check=False,
    )
    if done.returncode != 0:
        why = done.stderr.strip().rpartition("\n")[2] or f"status {done.returncode}"
        sys.stderr.write(f"  {script:14} {document.name}: {why[:_SEEN]}\n")
        return None
    told = json.loads(done.stdout.strip().rpartition("\n")[2])
    sys.stderr.write(
        f"  {script:14} {document.name}: {told['tools']} of {document.operations} in {told['cpu_s']:.3f} s, "
        f"{told['growth_mb']:.0f} MB, {told['bytes'] / 1e6:.2f} MB of declarations\n"
    )
    return Load(told["tools"], told["cpu_s"], told["growth_mb"])


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (_MOST_CPU_S, _MOST_CPU_S))
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_BYTES, _MOST_BYTES))
    os.sched_setaffinity(0, {cores()[0]})


Loads = Mapping[str, Load | None]
"""By document; None where it was not loaded."""


def compare(own: Loads, peer: Loads, against: str, median_goal: Goal) -> None:
    """Print the rows against one peer."""
    report(rate(f"openapi_load: documents loaded, of {len(own)}", "", _loaded(own), _loaded(peer), against))
    report(rate("openapi_load: tools made of them", "", _tools(own), _tools(peer), against))
    pairs = [(a, b) for a, b in ((own[name], peer[name]) for name in own) if a and b]
    cpu = median([a.cpu_s * 1000 for a, _ in pairs]), median([b.cpu_s * 1000 for _, b in pairs])
    what = f"openapi_load: CPU of a document, median of the {len(pairs)} that both load"
    report(cost(what, "ms", cpu[0], cpu[1], against, median_goal))
    for name, goals in ((GITHUB, (Goal(ours_at_most=0.15), Goal(ours_at_most=90))), (KUBERNETES, (NO_GOAL, NO_GOAL))):
        a, b = own[name], peer[name]
        if a and b:
            report(cost(f"openapi_load: CPU, {name}", "s", a.cpu_s, b.cpu_s, against, goals[0]))
            # A peer that already held what it needed may not have grown at all.
            mine, theirs = max(a.growth_mb, 0.1), max(b.growth_mb, 0.1)
            report(cost(f"openapi_load: memory, {name}", "MB", mine, theirs, against, goals[1]))


def _loaded(loads: Loads) -> int:
    return sum(each is not None for each in loads.values())


def _tools(loads: Loads) -> int:
    return sum(each.tools for each in loads.values() if each)


def measure(environments: Mapping[str, Path], documents: Sequence[Document]) -> Mapping[str, Loads]:
    """What each library makes of each document, by script."""
    found: dict[str, dict[str, Load | None]] = {script: {} for script in environments}
    for number, document in enumerate(documents, start=1):
        sys.stderr.write(f"{number} of {len(documents)}\n")
        for script, binaries in environments.items():
            found[script][document.name] = load(binaries, script, document)
    return found


def main() -> None:
    """Measure all."""
    environments = {_OURS: ours()} | {script: environment(name) for script, (name, _) in _PEERS.items()}
    with TemporaryDirectory(prefix="load-") as folder:
        try:
            documents = chosen(Path(folder))
        except LookupError as error:
            sys.exit(str(error))
        found = measure(environments, documents)
    for script, (_, package) in _PEERS.items():
        version = versions(environments[script], [package])[package]
        goal = Goal(ratio_at_least=10) if package == "fastmcp" else NO_GOAL
        compare(found[_OURS], found[script], f"{package} {version}", goal)


if __name__ == "__main__":
    main()
