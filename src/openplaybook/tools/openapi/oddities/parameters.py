"""What is odd about a parameter by itself."""

from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.tools.openapi.oddities.misspellings import Spelling
from openplaybook.tools.openapi.oddities.object_shapes import MISPLACED
from openplaybook.tools.openapi.oddities.oddity_list import OddityList, Place, cut
from openplaybook.tools.openapi.requests.parameter_places import ParameterPlace as Where

_PLACES = frozenset(place.value for place in Where)
_PLACES_OF_2_0 = (_PLACES - {Where.COOKIE.value}) | {"body", "formData"}
_COLLECTIONS = frozenset({"csv", "ssv", "tsv", "pipes", "multi"})
_REPEATABLE = frozenset({"query", "formData"})
"""Places where OpenAPI 2.0 lets an array repeat its parameter."""


def tell_parameter(
    source: JsonObject, place: Place, found: OddityList, spelling: Spelling, *, is_swagger: bool
) -> None:
    """Tell of places that are none, and of what is guessed for want of a schema."""
    where = source.get("in")
    known = _PLACES_OF_2_0 if is_swagger else _PLACES
    if not isinstance(where, str) or where not in known:
        meant = spelling.meant(where, known) if isinstance(where, str) else ""
        hint = f"; did you mean {meant}?" if meant else ""
        found.tell((place, ".in"), f"in is {cut(where)!r}, which is not one of {', '.join(sorted(known))}{hint}")
    elif is_swagger:
        _tell_collection(source, place, found)
    else:
        _tell_schema(source, place, found)


def _tell_schema(source: JsonObject, place: Place, found: OddityList) -> None:
    name = cut(source.get("name"))
    contents = as_object(source.get("content"))
    if len(contents) > 1:
        first = cut(next(iter(contents)))
        found.tell((place, ".content"), f"{name} has several media types, where one is allowed; {first} is used")
    beside = sorted(MISPLACED & source.keys())
    if beside and "schema" in source:
        listed = ", ".join(beside)
        found.tell(place, f"{name}: {listed} next to schema is ignored; since OpenAPI 3 it belongs in schema")
    elif "schema" not in source and not contents:
        reason = f"; {', '.join(beside)} next to it is ignored; since OpenAPI 3 it belongs in schema" if beside else ""
        found.tell(place, f"{name} has no schema and is taken as a text{reason}")


def _tell_collection(source: JsonObject, place: Place, found: OddityList) -> None:
    written = source.get("collectionFormat")
    if written is None or source.get("type") != "array":
        return
    at, name = (place, ".collectionFormat"), cut(source.get("name"))
    if not isinstance(written, str) or written not in _COLLECTIONS:
        allowed = ", ".join(sorted(_COLLECTIONS))
        found.tell(at, f"{name}: the collectionFormat {cut(written)!r} is not one of {allowed}; csv is used")
    elif written == "multi" and str(source.get("in")) not in _REPEATABLE:
        found.tell(at, f"{name}: the collectionFormat multi is for queries and forms; csv is used")
