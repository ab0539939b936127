"""Which file of an app's package is what."""

from collections.abc import Collection
from dataclasses import dataclass

from openplaybook.packages.ces.app_layout import COLLECTIONS, ENDINGS
from openplaybook.packages.errors import DuplicateName, MalformedFile
from openplaybook.packages.package_formats import APP as APP_FORMAT


@dataclass(frozen=True, slots=True)
class AppContents:
    """The files of resources, sorted by what they are."""

    app: str
    """The root file."""
    resources: dict[str, tuple[str, ...]]
    """By collection, the main files of its resources."""


def sort_files(paths: Collection[str]) -> AppContents:
    """Tell the files of a package apart by their paths. Raises `PackageError` for a folder of unclear meaning."""
    app = next(root for root in APP_FORMAT.roots if root in paths)
    return AppContents(app, {collection: _resources(collection, paths) for collection in COLLECTIONS})


def _resources(collection: str, paths: Collection[str]) -> tuple[str, ...]:
    """Main files of the resources in a collection: one in each folder, or right below the collection."""
    folders: dict[str, list[str]] = {}
    files: list[str] = []
    for path in paths:
        parts = path.split("/")
        if parts[0] == collection and len(parts) > 2:
            folders.setdefault(f"{collection}/{parts[1]}", []).append(path)
        elif parts[0] == collection and len(parts) == 2 and path.endswith(ENDINGS):
            files.append(path)
    found = (_main(folder, inside) for folder, inside in folders.items())
    return tuple(sorted([*files, *found]))


def _main(folder: str, inside: list[str]) -> str:
    """The file of the resource itself: named like its folder, or the only one there that may be one."""
    name = folder.rsplit("/", 1)[-1]
    expected = [path for ending in ENDINGS if (path := f"{folder}/{name}{ending}") in inside]
    if expected:
        return expected[0]
    depth = folder.count("/") + 1
    candidates = [path for path in inside if path.count("/") == depth and path.endswith(ENDINGS)]
    if not candidates:
        raise MalformedFile(folder, f"lacks its file {name}.json or {name}.yaml")
    if len(candidates) > 1:
        raise DuplicateName(folder, f"holds several files of a resource and none is {name}.json or {name}.yaml")
    return candidates[0]
