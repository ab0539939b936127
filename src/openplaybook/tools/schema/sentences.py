"""What is wrong with a value, in words a model can act on."""

from collections.abc import Iterable, Sequence
from itertools import islice

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps
from openplaybook.tools.schema.checked_formats import EXPECTED
from openplaybook.tools.schema.dialect import INJECTION, SESSION_ID, is_context_path
from openplaybook.tools.schema.faults import ValueFault

_MAX_MESSAGES = 5
_MAX_FAULTS = 100
"""That are looked at for so many sentences: several may read alike."""
_MAX_SHOWN = 80
_MAX_OF_ALTERNATIVE = 2
_MAX_LISTED = 20
GIVEN_UP = "was not checked: its pattern takes too many steps on this text"


def sentences(faults: Iterable[ValueFault], schema: JsonObject, value: JsonValue) -> tuple[str, ...]:
    """At most five sentences of what is wrong with `value` by `schema`; no more faults are asked for than are told."""
    teller = _FaultSentences(schema, value)
    return tuple(islice(dict.fromkeys(map(teller.sentence, islice(faults, _MAX_FAULTS))), _MAX_MESSAGES))


class _FaultSentences:
    """Tells of the faults of one value."""

    def __init__(self, schema: JsonObject, value: JsonValue) -> None:
        self._schema = schema
        self._value = value

    def sentence(self, fault: ValueFault) -> str:
        where = _argument_path(fault.where, self._value)
        details = fault.details
        value = _shown(fault.instance)
        if fault.gave_up:
            return f"{where or 'the value'} {GIVEN_UP}"
        match fault.keyword:
            case "required":
                name = str(details["property"])
                return f"{_joined(where, name)} is required{self._type_of_property(fault.place, name)}"
            case "type":
                return f"{where or 'the value'} must be {' or '.join(details['types'])}, got {value}"
            case "enum":
                return f"{where} must be one of {_listed(as_list(details['options']))}, got {value}"
            case "const":
                return f"{where} must be {_shown(details['expected_value'])}, got {value}"
            case "additionalProperties" | "unevaluatedProperties":
                unknown = _cut(", ".join(_joined(where, str(name)) for name in as_list(details["unexpected"])), 1_000)
                return f"{unknown} is not known{self._known_properties(fault.place)}"
            case "oneOf" | "anyOf" if meant := _meant(fault):
                return "; ".join(dict.fromkeys(map(self.sentence, meant)))
            case "oneOf" | "anyOf":
                return f"{where or 'the value'} fits none of the allowed forms: {_reasons(fault)}"
            case "format" if (expected := EXPECTED.get(str(details.get("format")))) is not None:
                return f"{where or 'the value'} must be {expected}, got {value}"
            case "pattern" if len(value) > _MAX_SHOWN:
                return f"{where or 'the value'} must match {_cut(str(details['pattern']), 200)}, got {value}"
            case "falseSchema":
                return f"{where or 'the value'} is not allowed"
            case _:
                return f"{where or 'the value'}: {_cut(fault.message(), 200)}"

    def _type_of_property(self, place: Sequence[str | int], name: str) -> str:
        parent = _at(self._schema, place[:-1])
        property_schema = as_object(as_object(as_object(parent).get("properties")).get(name))
        reference = str(property_schema.get("$ref", ""))
        if reference.startswith("#/"):
            property_schema = as_object(_at(self._schema, reference[2:].split("/")))
        types = property_schema.get("type")
        if isinstance(types, str):
            return f" ({types})"
        return f" ({' or '.join(str(item) for item in as_list(types))})" if types else ""

    def _known_properties(self, place: Sequence[str | int]) -> str:
        parent = _at(self._schema, place[:-1])
        properties = as_object(as_object(parent).get("properties"))
        sources = {name: as_object(child).get(INJECTION) for name, child in properties.items()}
        names = [name for name, source in sources.items() if source != SESSION_ID and not is_context_path(source)]
        return f"; allowed: {_cut(', '.join(names), 300)}" if names else "; no further values are allowed"


def _argument_path(path: Iterable[str | int], value: JsonValue) -> str:
    """An instance path as a model writes it: `requestBody.labels[0]`. A key such as "200" arrives as a number."""
    text = ""
    for part in path:
        if isinstance(value, list):
            text = f"{text}[{part}]"
            value = as_list(value)[int(part)]
        else:
            text = _joined(text, str(part))
            value = as_object(value).get(str(part))
    return text


def _joined(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name


def _at(schema: JsonValue, path: Iterable[str | int]) -> JsonValue:
    for part in path:
        if isinstance(schema, list):
            items = as_list(schema)
            schema = items[int(part)] if int(part) < len(items) else None
        else:
            schema = as_object(schema).get(str(part))
    return schema


def _meant(fault: ValueFault) -> Sequence[ValueFault]:
    """What is wrong with the one alternative that a value seems to be: another type, or another constant, than the
    others ask for rules these out. Nothing where it may be several."""
    left = [
        faults
        for faults in fault.context
        if not any(
            each.keyword in ("const", "enum") or (each.keyword == "type" and each.where == fault.where)
            for each in faults
        )
    ]
    return left[0][:_MAX_OF_ALTERNATIVE] if len(left) == 1 and len(fault.context) > 1 else ()


def _reasons(fault: ValueFault) -> str:
    """Why each alternative was refused, in one line."""
    first = (each for faults in fault.context for each in faults[:1])
    reasons = (GIVEN_UP if each.gave_up else each.message() for each in islice(first, _MAX_LISTED))
    return _cut("; ".join(reasons) or "more than one fits", 300)


def _listed(options: Sequence[JsonValue]) -> str:
    joined = ", ".join(_shown(option) for option in options[:_MAX_LISTED])
    return f"{joined}, …" if len(options) > _MAX_LISTED else joined


def _shown(value: JsonValue) -> str:
    if isinstance(value, str):
        # No more of a long text than is shown.
        value = value[: _MAX_SHOWN + 1]
    try:
        return _cut(dumps(value).decode(), _MAX_SHOWN)
    except TypeError:
        return _cut(str(value), _MAX_SHOWN)


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[:length]}…"
