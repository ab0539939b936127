"""What is odd about the parameters of operations: names that the path has otherwise, and what is declared twice."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from openplaybook.jsonvalues import JsonObject, as_list
from openplaybook.tools.openapi.description.json_references import UnresolvableReference, resolve
from openplaybook.tools.openapi.description.operation_index import OperationEntry
from openplaybook.tools.openapi.oddities.misspellings import meant
from openplaybook.tools.openapi.oddities.oddity_list import OddityList, Place, cut
from openplaybook.tools.openapi.requests.parameter_places import (
    ParameterPlace,
    parameter_name,
    path_expressions,
    path_pieces,
)

_PATH = ParameterPlace.PATH.value
_MOST_COMPARED = 50
"""Parameters of one operation that are compared with the names of its path."""


@dataclass(frozen=True, slots=True)
class _Declared:
    """A parameter where it is declared."""

    name: str
    where: str
    place: Place


def tell_operation(root: JsonObject, entry: OperationEntry, path_item: Place, oddities: OddityList) -> None:
    """Tell of the parameters of an operation; `path_item` is where its path stands."""
    own = (path_item, f".{entry.method.lower()}")
    shared = list(_declared(root, entry.path_item, path_item))
    declared = list(_declared(root, entry.operation, own))
    for listed in (shared, declared):
        _tell_repeated(listed, oddities)
    _tell_bodies(declared or shared, oddities)
    # An operation's own parameter goes before that of its path.
    every = {(each.where, each.name): each for each in (*shared, *declared)}
    _tell_path(entry, list(every.values()), own, oddities)


def _declared(root: JsonObject, holder: JsonObject, place: Place) -> Iterator[_Declared]:
    for number, parameter in enumerate(as_list(holder.get("parameters"))):
        try:
            source = resolve(root, parameter)
        except UnresolvableReference:
            # Told where the operation is compiled.
            continue
        at = ((place, ".parameters"), f"[{number}]")
        yield _Declared(str(source.get("name")), str(source.get("in")), at)


def _tell_repeated(listed: Sequence[_Declared], oddities: OddityList) -> None:
    earlier: set[tuple[str, str]] = set()
    for each in listed:
        if (each.where, each.name) in earlier:
            oddities.tell(each.place, f"{cut(each.name)} in {cut(each.where)} is declared before; the last one counts")
        earlier.add((each.where, each.name))


def _tell_bodies(listed: Sequence[_Declared], oddities: OddityList) -> None:
    """That a body of OpenAPI 2.0 goes before others, and before the fields of a form."""
    bodies = [each for each in listed if each.where == "body"]
    fields = [each for each in listed if each.where == "formData"]
    for each in (*bodies[1:], *(fields if bodies else ())):
        oddities.tell(each.place, f"{cut(each.name)} is not sent: the body is {cut(bodies[0].name)}")


def _tell_path(entry: OperationEntry, parameters: Sequence[_Declared], place: Place, oddities: OddityList) -> None:
    declared = {each.name: each for each in parameters if each.where == _PATH}
    named = dict.fromkeys(parameter_name(expression, declared) for expression in path_expressions(entry.path))
    missing = [name for name in named if name and name not in declared]
    unnamed = {name: each for name, each in declared.items() if name not in named}
    for name in missing:
        fault = f"{{{cut(name)}}} of the path is not declared"
        other = _meant(name, unnamed, is_only=len(missing) == len(unnamed) == 1)
        if other is None:
            elsewhere = next((each.where for each in parameters if each.name == name), "")
            more = f" in path, only in {cut(elsewhere)}" if elsewhere else " as a parameter"
            oddities.tell((place, ".parameters"), f"{fault}{more}; it is taken as a text")
            continue
        del unnamed[other.name]
        case = ": names are case-sensitive" if other.name.lower() == name.lower() else ""
        effect = f"{cut(name)} is taken as a text, and {cut(other.name)} is not sent"
        oddities.tell(other.place, f"{fault}, declared is {cut(other.name)}{case}; {effect}")
    for name, each in unnamed.items():
        oddities.tell(
            each.place, f"{cut(name)} is declared in path, and the path has no {{{cut(name)}}}; it is not sent"
        )
    if any("{" in piece or "}" in piece for piece in path_pieces(entry.path)[::2]):
        oddities.tell(place[0] if place else None, "a brace of the path has no other half and is sent as it is")


def _meant(name: str, unnamed: Mapping[str, _Declared], *, is_only: bool) -> _Declared | None:
    """The declared parameter that seems to be meant by a name in the path."""
    close = meant(name, islice(unnamed, _MOST_COMPARED))
    if close:
        return unnamed[close]
    return next(iter(unnamed.values())) if is_only else None
