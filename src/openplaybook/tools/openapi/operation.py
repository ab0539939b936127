"""One operation, compiled: what the model may call it with, and how a call becomes a request."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import quote

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.openapi.bodies import Body
from openplaybook.tools.openapi.index import Entry
from openplaybook.tools.openapi.parameters import BODY_ARGUMENT, Parameter, Place
from openplaybook.tools.openapi.schemas import DocumentSchemas
from openplaybook.tools.schema.validation import Validator

IDEMPOTENT = frozenset({"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"})
"""Methods that may be repeated (RFC 9110 §9.2.2)."""

_LITERAL = "/:?@!$&'()*+,;=%"

IDEMPOTENCY_KEY = "idempotency-key"
"""A header parameter of this name says that the service recognises a repeated request."""


@dataclass(frozen=True)
class Operation:
    """An operation that can be called."""

    entry: Entry
    server: str
    """Base URL without a slash at its end."""
    parameters: Sequence[Parameter]
    body: Body | None
    text_types: frozenset[str]
    """Media types other than JSON that its answers declare."""
    schemas: DocumentSchemas

    @property
    def safe_to_repeat(self) -> bool:
        """Whether sending it twice is as good as once: by its method, or by the key it carries."""
        return self.entry.method in IDEMPOTENT or self.key_parameter is not None

    @cached_property
    def key_parameter(self) -> Parameter | None:
        """The header that carries the call's idempotency key."""
        return next((each for each in self.parameters if is_key(each)), None)

    @cached_property
    def template(self) -> tuple[str | Parameter, ...]:
        """The path as literal pieces and the parameters between them."""
        in_path = {each.name: each for each in self.parameters if each.place is Place.PATH}
        pieces = re.split(r"\{([^{}]*)\}", self.entry.path)
        return tuple(
            in_path[piece] if position % 2 else quote(piece, safe=_LITERAL) for position, piece in enumerate(pieces)
        )

    @cached_property
    def elsewhere(self) -> tuple[Parameter, ...]:
        """Parameters outside the path."""
        return tuple(each for each in self.parameters if each.place is not Place.PATH)

    @cached_property
    def filled(self) -> tuple[Parameter, ...]:
        """Parameters into which something may be filled that the model did not give."""
        return tuple(each for each in self.parameters if self.schemas.filler.concerns(each.schema))

    @cached_property
    def fills_body(self) -> bool:
        """Whether something may be filled into the body."""
        return self.body is not None and self.schemas.filler.concerns(self.body.schema)

    @cached_property
    def validator(self) -> Validator:
        """Checks arguments after they were filled: hidden ones and what is required included."""
        return Validator(self._full_schema())

    def input_schema(self) -> JsonObject:
        """The arguments as the model sees them; raises what converting a definition raises."""
        visible = self.schemas.visible
        properties: JsonObject = {}
        required: list[str] = []
        for each in self.parameters:
            if visible.is_hidden(each.schema) or is_key(each):
                continue
            properties[each.argument] = visible.visible(each.schema)
            if each.required and not visible.has_own_value(each.schema):
                required.append(each.argument)
        if self.body is not None and not visible.is_hidden(self.body.schema):
            properties[BODY_ARGUMENT] = visible.visible(self.body.schema)
            if self.body.required and not self._body_makes_itself(self.body):
                required.append(BODY_ARGUMENT)
        names = self.schemas.inputs.closure(self._references())
        return _object(properties, required, {name: visible.definition(name) for name in names})

    def _body_makes_itself(self, body: Body) -> bool:
        """Whether a body can come about without the model: nothing in it is required of it, something is filled in."""
        seen = self.schemas.inputs.look_through(body.schema)
        return self.fills_body and not self.schemas.visible.visible(seen).get("required")

    def _full_schema(self) -> JsonObject:
        properties = {each.argument: each.schema for each in self.parameters}
        required = [each.argument for each in self.parameters if each.required]
        if self.body is not None:
            properties[BODY_ARGUMENT] = self.body.schema
            if self.body.required:
                required.append(BODY_ARGUMENT)
        names = self.schemas.inputs.closure(self._references())
        return _object(properties, required, {name: self.schemas.inputs.definition(name) for name in names})

    def _references(self) -> tuple[str, ...]:
        names = [name for each in self.parameters for name in each.references]
        return tuple(dict.fromkeys([*names, *(self.body.references if self.body is not None else ())]))


def is_key(parameter: Parameter) -> bool:
    """Whether a parameter carries the call's idempotency key, which is ours to set."""
    return parameter.place is Place.HEADER and parameter.name.lower() == IDEMPOTENCY_KEY


def _object(properties: JsonObject, required: list[str], definitions: JsonObject) -> JsonObject:
    schema: JsonObject = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    schema["additionalProperties"] = False
    if definitions:
        schema["$defs"] = definitions
    return schema
