"""The types of schemas: those that are none, and those that are read as another."""

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list
from openplaybook.tools.openapi.oddities.misspellings import Spelling
from openplaybook.tools.openapi.oddities.oddity_list import OddityList, Place, cut, kind
from openplaybook.tools.schema.keyword_values import TYPES, json_type

_FILE = "file"


def tell_types(members: JsonObject, place: Place, found: OddityList, spelling: Spelling, *, has_files: bool) -> None:
    """Tell of what `type` says that JSON Schema does not know; `has_files`: OpenAPI 2.0 knows the type file."""
    declared = members["type"]
    at = (place, ".type")
    if isinstance(declared, list):
        for number, name in enumerate(as_list(declared)):
            if not isinstance(name, str) or name not in TYPES:
                _tell((at, f"[{number}]"), name, found, spelling, is_only=len(as_list(declared)) == 1)
    elif not (has_files and declared == _FILE) and declared is not None:
        _tell(at, declared, found, spelling, is_only=True)


def _tell(at: Place, name: JsonValue, found: OddityList, spelling: Spelling, *, is_only: bool) -> None:
    if isinstance(name, str) and (read := json_type(name)):
        found.tell(at, f"the type {cut(name)!r} is not a type of JSON Schema; it is read as {read}")
        return
    effect = "so any value is taken" if is_only else "so it is left out"
    if name is None:
        found.tell(at, f"the type null is not known, {effect}; did you mean 'null'?")
    elif isinstance(name, str):
        meant = spelling.meant(name, TYPES)
        hint = f"; did you mean {meant}?" if meant else ""
        found.tell(at, f"the type {cut(name)!r} is not known, {effect}{hint}")
    else:
        found.tell(at, f"a type is a text, not {kind(name)}, {effect}")
