"""Everything odd about a description, or about the part of it that is used."""

from collections.abc import Sequence

from openplaybook.documents.garbage_collection import without_collection
from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.tools.base import Problem
from openplaybook.tools.openapi.description.json_references import UnresolvableReference, resolve
from openplaybook.tools.openapi.description.operation_index import OperationEntry
from openplaybook.tools.openapi.description.swagger import is_swagger
from openplaybook.tools.openapi.oddities.declared_parameters import tell_operation
from openplaybook.tools.openapi.oddities.description_search import DescriptionSearch
from openplaybook.tools.openapi.oddities.object_shapes import METHODS, PATH_ITEM
from openplaybook.tools.openapi.oddities.oddity_list import OddityList, Place

_DESCRIPTION = "description"


def oddities(root: JsonObject, entries: Sequence[OperationEntry], *, is_whole: bool = True) -> list[Problem]:
    """What is odd about `entries`, the operations that are used, and what is shared by all, as remarks.

    `is_whole`: they are all that the description has, so that paths without any are looked at too.
    """
    collected = OddityList()
    with without_collection():
        by_path: dict[str, list[OperationEntry]] = {}
        for entry in entries:
            by_path.setdefault(entry.path, []).append(entry)
        search = DescriptionSearch(collected, is_swagger=is_swagger(root))
        for path, item in as_object(root.get("paths")).items():
            used = by_path.get(path, [])
            if (used or is_whole) and not path.startswith("x-") and not collected.is_full:
                _tell_path(root, item, used, ((None, ".paths"), f".{path}"), (collected, search))
        search.look(root, _DESCRIPTION, None)
    return list(dict.fromkeys(collected.problems))


def _tell_path(
    root: JsonObject,
    item: object,
    used: Sequence[OperationEntry],
    place: Place,
    report: tuple[OddityList, DescriptionSearch],
) -> None:
    collected, search = report
    try:
        path_item = used[0].path_item if used else resolve(root, as_object(item))
    except UnresolvableReference:
        # Told where operations are listed.
        return
    search.look(path_item, PATH_ITEM, place)
    for entry in used:
        tell_operation(root, entry, place, collected)
        search.look(entry.operation, "operation", (place, f".{entry.method.lower()}"))
    _tell_methods(path_item, place, collected)


def _tell_methods(path_item: JsonObject, place: Place, collected: OddityList) -> None:
    """Operations under a name that is no method."""
    for name, value in path_item.items():
        if name.lower() not in METHODS and "responses" in as_object(value):
            collected.tell((place, f".{name}"), f"{name} is not a method that can be called; it is left out")
