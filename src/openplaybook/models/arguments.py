"""The arguments of a call as providers write them."""

from openplaybook.jsonvalues import JsonValue, as_object, loads


def arguments(given: JsonValue) -> JsonValue:
    """The object in a JSON text, no arguments for an empty text or none, else what was given."""
    if not isinstance(given, str):
        return {} if given is None else given
    if not given.strip():
        return {}
    try:
        value = loads(given)
    except ValueError:
        return given
    return as_object(value) if isinstance(value, dict) else given
