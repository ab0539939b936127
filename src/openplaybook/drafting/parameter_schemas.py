"""Parameters as samples show them: described when they are new, widened when they are known."""

import re
from collections.abc import Sequence
from urllib.parse import unquote_plus

from openplaybook.drafting.observed_parameters import ObservedParameter
from openplaybook.drafting.schema_inference import SeenValue, schema_of
from openplaybook.drafting.text_formats import is_integer, is_number
from openplaybook.drafting.widener import Widener
from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from openplaybook.tools.schema.dialect import is_true

_ITEM = re.compile(r"[\w.:@-]+")
_FREE_TEXT = frozenset({"q", "query", "search", "text", "name", "title", "address", "location", "message", "term"})
_DELIMITERS = {"spaceDelimited": "%20", "pipeDelimited": "|"}


def described(observed: ObservedParameter, *, required: bool) -> JsonObject:
    """A Parameter Object (OAS 3.0.3 §4.7.12) in the words of 3.0."""
    head: JsonObject = {"name": observed.name, "in": observed.place}
    if required or observed.place == "path":
        head["required"] = True
    if _is_ever_empty(observed):
        head["allowEmptyValue"] = True
    if observed.members:
        objects = _objects(observed)
        return {**head, "style": "deepObject", "explode": True, "schema": schema_of(objects, observed.name)}
    if observed.place == "query" and _is_repeated(observed):
        return {**head, "style": "form", "explode": True, "schema": _array(_flat(observed), observed.name)}
    if observed.place == "query" and _is_listed(observed):
        items = [(each.sample, _decoded(item)) for each in observed.occurrences for item in each.texts[0].split(",")]
        return {**head, "style": "form", "explode": False, "schema": _array(items, observed.name)}
    return {**head, "schema": schema_of(typed(_flat(observed)), observed.name) or {"type": "string"}}


def widened(parameter: JsonObject, observed: ObservedParameter, widener: Widener, where: str) -> None:
    """Widen a known parameter, in its place. One that is described by a media type, or is an object, stays."""
    known = parameter.get("schema")
    schema = as_object(known)
    if _is_ever_empty(observed) and not is_true(parameter.get("allowEmptyValue")):
        parameter["allowEmptyValue"] = True
        widener.remark(where, "empty values are allowed now")
    kind = schema.get("type")
    if not isinstance(known, dict) or kind == "object" or observed.members:
        return
    if kind == "array":
        texts = _items(parameter, observed)
        inner = as_object(schema.get("items"))
        items = _widened_texts(inner, texts, widener, f"{where}[]", observed.name)
        if items is not inner:
            parameter["schema"] = {**schema, "items": items}
    else:
        parameter["schema"] = _widened_texts(schema, _flat(observed), widener, where, observed.name)


def _widened_texts(schema: JsonObject, seen: list[SeenValue], widener: Widener, where: str, name: str) -> JsonObject:
    """A text may be read in several ways, so a schema is widened to text only where none of them fits."""
    kind = schema.get("type")
    if kind == "string" or not seen:
        return widener.widen(schema, seen, where, name)
    values = typed(seen)
    if kind in ("integer", "number", "boolean") and any(isinstance(value, str) for _, value in values):
        rest = {key: value for key, value in schema.items() if key in ("description", "title", "default", "example")}
        widener.remark(where, f"{kind} became string")
        return {**rest, "type": "string"}
    return widener.widen(schema, values, where, name)


def typed(seen: Sequence[SeenValue]) -> list[SeenValue]:
    """Texts as the JSON values that all of them can be: integers, numbers, booleans, or texts."""
    texts = [str(value) for _, value in seen]
    if all(map(is_integer, texts)):
        return [(sample, int(value)) for sample, value in seen]
    if all(map(is_number, texts)):
        return [(sample, float(value)) for sample, value in seen]
    if all(text in ("true", "false") for text in texts):
        return [(sample, value == "true") for sample, value in seen]
    return [*seen]


def _is_ever_empty(observed: ObservedParameter) -> bool:
    return observed.place == "query" and any("" in each.texts for each in observed.occurrences)


def _is_repeated(observed: ObservedParameter) -> bool:
    return observed.name.endswith("[]") or any(len(each.texts) > 1 for each in observed.occurrences)


def _is_listed(observed: ObservedParameter) -> bool:
    """Whether values are lists with commas between their items; a comma that is encoded belongs to a text."""
    texts = [text for each in observed.occurrences for text in each.texts]
    if observed.name.lower() in _FREE_TEXT or not any("," in text for text in texts):
        return False
    return all(_ITEM.fullmatch(_decoded(item)) for text in texts for item in text.split(","))


def _array(items: list[SeenValue], name: str) -> JsonObject:
    return {"type": "array", "items": schema_of(typed(items), name) or {"type": "string"}}


def _flat(observed: ObservedParameter) -> list[SeenValue]:
    is_query = observed.place == "query"
    return [(each.sample, _decoded(text) if is_query else text) for each in observed.occurrences for text in each.texts]


def _items(parameter: JsonObject, observed: ObservedParameter) -> list[SeenValue]:
    """The items of a known array parameter, by its style."""
    is_exploded = parameter.get("explode", parameter.get("style", "form") == "form" and observed.place == "query")
    if is_exploded is True or is_exploded == "true":
        return _flat(observed)
    delimiter = _DELIMITERS.get(str(parameter.get("style")), ",")
    items: list[SeenValue] = []
    for each in observed.occurrences:
        for text in each.texts:
            pieces = text.replace("%7C", "|").replace("+", "%20").split(delimiter)
            items.extend((each.sample, _decoded(piece)) for piece in pieces)
    return items


def _objects(observed: ObservedParameter) -> list[SeenValue]:
    """The objects that were written member by member, each member's type settled over all samples."""
    objects: dict[int, dict[str, JsonValue]] = {each.sample: {} for each in observed.occurrences}
    for member in observed.members:
        for sample, value in typed(_flat(member)):
            objects[sample][member.name] = value
    return list(objects.items())


def _decoded(text: str) -> str:
    return unquote_plus(text)
