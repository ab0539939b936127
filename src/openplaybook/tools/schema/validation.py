"""Checks values against a JSON Schema (2020-12) and says what is wrong in words a model can act on."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import cast

import jsonschema_rs

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps
from openplaybook.tools.schema.dialect import INJECTION, SESSION_ID, is_context_path
from openplaybook.tools.schema.expansion import MAX_EXPANSION, expands_too_far
from openplaybook.tools.schema.formats import EXPECTED
from openplaybook.tools.schema.patterns import OPTIONS, with_few_patterns

_MAX_MESSAGES = 5
_MAX_SHOWN = 80
_MAX_OF_ALTERNATIVE = 2


class InvalidSchema(Exception):
    """A schema is not valid JSON Schema (2020-12); the message says where."""


class Validator:
    """A schema, compiled when it is first used.

    `formats` has the check of every format that is checked; without it none is.
    """

    def __init__(self, schema: JsonObject, *, formats: Mapping[str, Callable[[str], bool]] | None = None) -> None:
        self._schema = schema
        self._formats = formats

    def problems(self, value: JsonValue) -> Sequence[str]:
        """What is wrong with `value`, at most five sentences; empty when it fits. Raises `InvalidSchema`."""
        if self._compiled.is_valid(value):
            return ()
        found = (self._sentence(error, value) for error in self._compiled.iter_errors(value))
        return tuple(islice(dict.fromkeys(found), _MAX_MESSAGES))

    def compile(self) -> None:
        """Compile now; raises `InvalidSchema`."""
        _ = self._compiled

    @cached_property
    def _compiled(self) -> jsonschema_rs.Draft202012Validator:
        if expands_too_far(self._schema):
            raise InvalidSchema(f"refers to more than {MAX_EXPANSION:,} schemas in place of one")
        try:
            return jsonschema_rs.Draft202012Validator(
                with_few_patterns(self._schema),
                offline=True,
                pattern_options=OPTIONS,
                validate_formats=self._formats is not None,
                formats=dict(self._formats) if self._formats is not None else None,
            )
        except (ValueError, jsonschema_rs.ReferencingError) as error:
            first_line = str(error).partition("\n")[0]
            raise InvalidSchema(first_line[:300] or "not a JSON Schema") from error

    def _sentence(self, error: jsonschema_rs.ValidationError, value: JsonValue) -> str:
        where = _argument_path(error.instance_path, value)
        details = as_object(error.kind.as_dict())
        shown = _shown(error.instance)
        match error.kind.name:
            case "required":
                name = str(details["property"])
                return f"{_joined(where, name)} is required{self._type_of_property(error.schema_path, name)}"
            case "type":
                return f"{where or 'the value'} must be {' or '.join(details['types'])}, got {shown}"
            case "enum":
                return f"{where} must be one of {_listed(as_list(details['options']))}, got {shown}"
            case "const":
                return f"{where} must be {_shown(details['expected_value'])}, got {shown}"
            case "additionalProperties" | "unevaluatedProperties":
                unknown = ", ".join(_joined(where, str(name)) for name in as_list(details["unexpected"]))
                return f"{unknown} is not known{self._known_properties(error.schema_path)}"
            case "oneOf" | "anyOf" if meant := _meant(error, details):
                return "; ".join(dict.fromkeys(self._sentence(each, value) for each in meant))
            case "oneOf" | "anyOf":
                return f"{where or 'the value'} fits none of the allowed forms: {_alternatives(details)}"
            case "format" if (expected := EXPECTED.get(str(details.get("format")))) is not None:
                return f"{where or 'the value'} must be {expected}, got {shown}"
            case "falseSchema":
                return f"{where or 'the value'} is not allowed"
            case _:
                return f"{where or 'the value'}: {_cut(error.message, 200)}"

    def _type_of_property(self, schema_path: Iterable[str | int], name: str) -> str:
        parent = _at(self._schema, list(schema_path)[:-1])
        property_schema = as_object(as_object(as_object(parent).get("properties")).get(name))
        reference = str(property_schema.get("$ref", ""))
        if reference.startswith("#/"):
            property_schema = as_object(_at(self._schema, reference[2:].split("/")))
        types = property_schema.get("type")
        if isinstance(types, str):
            return f" ({types})"
        return f" ({' or '.join(str(item) for item in as_list(types))})" if types else ""

    def _known_properties(self, schema_path: Iterable[str | int]) -> str:
        parent = _at(self._schema, list(schema_path)[:-1])
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


def _meant(error: jsonschema_rs.ValidationError, details: JsonObject) -> list[jsonschema_rs.ValidationError]:
    """What is wrong with the one alternative that a value seems to be: another type, or another constant, than the
    others ask for rules these out. Nothing where it may be several."""
    context = cast(list[list[jsonschema_rs.ValidationError]], as_list(details.get("context")))
    own = list(error.instance_path)
    left = [
        errors
        for errors in context
        if not any(
            each.kind.name in ("const", "enum") or (each.kind.name == "type" and list(each.instance_path) == own)
            for each in errors
        )
    ]
    return left[0][:_MAX_OF_ALTERNATIVE] if len(left) == 1 and len(context) > 1 else []


def _alternatives(details: JsonObject) -> str:
    """Why each alternative was refused, in one line."""
    return _cut("; ".join(_reasons(as_list(details.get("context")))) or "more than one fits", 300)


def _reasons(context: list[JsonValue]) -> Iterator[str]:
    for errors in context:
        for error in islice(cast(list[jsonschema_rs.ValidationError], errors), 1):
            yield error.message


def _listed(options: Sequence[JsonValue]) -> str:
    shown = ", ".join(_shown(option) for option in options[:20])
    return f"{shown}, …" if len(options) > 20 else shown


def _shown(value: JsonValue) -> str:
    try:
        return _cut(dumps(value).decode(), _MAX_SHOWN)
    except TypeError:
        return _cut(str(value), _MAX_SHOWN)


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[:length]}…"
