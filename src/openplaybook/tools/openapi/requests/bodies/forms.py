"""`application/x-www-form-urlencoded` (RFC 1866 §8.2.1, OAS 3.1.1 §4.8.15.2)."""

from collections.abc import Iterator, Mapping

from openplaybook.jsonvalues import JsonValue, as_object
from openplaybook.tools.openapi.requests.bodies.form_fields import FormField, values_of
from openplaybook.tools.openapi.requests.parameter_places import form_encoded

_DEFAULT = FormField()


def urlencoded(value: JsonValue, fields: Mapping[str, FormField]) -> str:
    """An object's members as a form: arrays repeat the name, nested objects are JSON, null is left out.

    A text is a form already, as some descriptions ask for it.
    """
    if isinstance(value, str):
        return value
    return "&".join(pair for pair in _pairs(value, fields) if pair)


def _pairs(value: JsonValue, fields: Mapping[str, FormField]) -> Iterator[str]:
    for name, member in as_object(value).items():
        field = fields.get(name, _DEFAULT)
        if field.style is not None:
            yield "" if member is None else field.style.write(name, member)
        else:
            for each in values_of(member):
                yield f"{form_encoded(name)}={form_encoded(field.write(each))}"
