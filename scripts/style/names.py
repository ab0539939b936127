"""Names that identify, and files that hold a whole idea."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from scripts.style.graph import import_graph
from scripts.style.measures import Measure
from scripts.style.source import SourceFile

NOUNS = frozenset({"encoding", "heading", "spelling", "string", "warning"})
"""Words of the field that end like a gerund, and are none."""

_SHORT = 40
"""Lines under which a file is half an idea."""
_SLIVER = 60
"""Lines under which a file with a single importer belongs to that importer."""
_MOST_MODULES = 40
"""Modules of a folder."""
_SHAPES = frozenset({"base", "errors", "kind", "register"})
"""Files that each room, or each kind of tool, has of its own: a port, its exceptions, its record, its way in."""


def name_measures(package: Sequence[SourceFile], kept: Mapping[str, str]) -> Iterator[Measure]:
    """What the names of modules and classes are measured by, and slivers; `kept` are modules that are small for a
    reason."""
    modules = [file for file in package if not file.is_package]
    by_name = _grouped((file.name, file.module) for file in modules)
    shared = [module for group in by_name.values() if len(group) > 1 for module in group]
    yield Measure("modules that share a file name, %", _percent(len(shared), len(modules)), 0, 33.3, _told(by_name))
    classes = _grouped((name, file.module) for file in package for name in file.public_classes)
    yield Measure("public class names used twice", _twice(classes), 0, 0, _told(classes))
    gerunds = [file.module for file in modules if file.name.endswith("ing")]
    yield Measure("modules called *-ing, %", _percent(len(gerunds), len(modules)), 0, 4, gerunds)
    others = [module for module in gerunds if not NOUNS & set(module.rpartition(".")[2].split("_"))]
    yield Measure("modules called by a gerund", len(others), 0, 0, others)
    folders = Counter(file.module.rpartition(".")[0] for file in modules)
    full = [f"{folder}: {count}" for folder, count in folders.items() if count > _MOST_MODULES]
    yield Measure("modules of a folder, most", max(folders.values(), default=0), 0, _MOST_MODULES, full)
    short = [f"{file.module}: {file.lines} lines" for file in modules if file.lines < _SHORT]
    yield Measure("files under 40 lines, %", _percent(len(short), len(modules)), 0, 10, short)
    found = [f"{module}, which only {importer} imports" for module, importer in slivers(package, kept)]
    yield Measure("slivers", len(found), 0, 0, found)
    stale = sorted(set(kept) - {module for module, _ in slivers(package, {})})
    yield Measure("small modules kept for nothing", len(stale), 0, 0, stale)


def slivers(package: Sequence[SourceFile], kept: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Modules under 60 lines that one other module imports, and that module."""
    importers: dict[str, list[str]] = defaultdict(list)
    for importer, imported in import_graph(package).items():
        for module in imported:
            importers[module].append(importer)
    for file in package:
        is_small = file.lines < _SLIVER and not file.is_package and file.name not in _SHAPES
        if is_small and len(importers[file.module]) == 1 and file.module not in kept:
            yield file.module, importers[file.module][0]


def _grouped(pairs: Iterator[tuple[str, str]]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = defaultdict(list)
    for name, module in pairs:
        groups[name].append(module)
    return groups


def _twice(groups: Mapping[str, Sequence[str]]) -> int:
    return sum(len(group) > 1 for group in groups.values())


def _told(groups: Mapping[str, Sequence[str]]) -> list[str]:
    many = sorted(groups.items(), key=lambda item: -len(item[1]))
    return [f"{name}: {', '.join(modules)}" for name, modules in many if len(modules) > 1]


def _percent(part: int, whole: int) -> float:
    return 100 * part / max(1, whole)
