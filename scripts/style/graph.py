"""Import cycles among the modules of one package."""

from collections.abc import Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

from scripts.style.source import SourceFile


def import_graph(files: Sequence[SourceFile]) -> dict[str, set[str]]:
    """Module → modules it imports, at the top and inside functions alike."""
    modules = {file.module for file in files}
    graph: dict[str, set[str]] = {}
    for file in files:
        names = (full if (full := f"{item.module}.{item.name}") in modules else item.module for item in file.imports)
        graph[file.module] = {name for name in names if name in modules and name != file.module}
    return graph


def cycles(graph: Mapping[str, set[str]]) -> Iterator[list[str]]:
    """Cycles, shortest description first found; each one's last edge is left out before looking for the next."""
    left = {module: set(targets) for module, targets in graph.items()}
    while True:
        try:
            TopologicalSorter(left).prepare()
        except CycleError as error:
            # graphlib lists the cycle against the direction of import, first and last alike.
            cycle: list[str] = list(reversed(error.args[1]))
            left[cycle[0]].discard(cycle[1])
            yield cycle
        else:
            return
