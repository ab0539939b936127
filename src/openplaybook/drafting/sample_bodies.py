"""Bodies of samples by media type, as values that a schema can be drawn from."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import TypeAlias

from openplaybook.drafting.parameter_schemas import typed
from openplaybook.drafting.samples import FORM_TYPE, ApiExchange, Content
from openplaybook.drafting.schema_inference import SeenValue
from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from openplaybook.tools.openapi.requests.bodies import is_json

Contents: TypeAlias = Sequence[tuple[int, Content]]
"""Bodies with the numbers of their samples."""


def by_media_type(bodies: Sequence[tuple[ApiExchange, Content | None]]) -> dict[str, Contents]:
    """The bodies that are there, by media type."""
    contents: dict[str, list[tuple[int, Content]]] = {}
    for exchange, content in bodies:
        if content is not None:
            contents.setdefault(content.media_type, []).append((exchange.number, content))
    return dict(contents)


def values_of(media_type: str, contents: Contents) -> list[SeenValue] | None:
    """The JSON values of bodies; None for bodies that are text."""
    if media_type == FORM_TYPE:
        return _form_values([(sample, as_object(content.value)) for sample, content in contents])
    if contents[0][1].is_json:
        return [(sample, content.value) for sample, content in contents]
    return None


def known_type(content: Mapping[str, JsonValue], media_type: str) -> str | None:
    """The key under which a `content` describes a media type: the type itself, or a range that holds it."""
    for key in content:
        if key.partition(";")[0].strip().lower() == media_type:
            return key
    ranges = (f"{media_type.partition('/')[0]}/*", "*/*")
    for key in content:
        if key in ranges or (is_json(key) and is_json(media_type)):
            return key
    return None


def phrase(status: str) -> str:
    """What a status says in words."""
    try:
        return HTTPStatus(int(status)).phrase
    except ValueError:
        return f"Status {status}"


def _form_values(forms: Sequence[tuple[int, JsonObject]]) -> list[SeenValue]:
    """Forms as objects; a field that is ever repeated is an array in all of them."""
    repeated = {name for _, form in forms for name, texts in form.items() if len(texts) > 1}
    fields: dict[str, list[SeenValue]] = {}
    for sample, form in forms:
        for name, texts in form.items():
            fields.setdefault(name, []).extend((sample, text) for text in texts)
    objects: dict[int, JsonObject] = {sample: {} for sample, _ in forms}
    for name, texts in fields.items():
        for sample, value in typed(texts):
            if name in repeated:
                objects[sample].setdefault(name, []).append(value)
            else:
                objects[sample][name] = value
    return list(objects.items())
