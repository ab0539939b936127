"""One operation, compiled: what the model may call it with, and how a call becomes a request."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.tools.openapi.description.json_references import UnresolvableReference
from openplaybook.tools.openapi.description.operation_index import OperationEntry
from openplaybook.tools.openapi.requests.bodies import Body
from openplaybook.tools.openapi.requests.parameter_places import (
    BODY_ARGUMENT,
    ParameterPlace,
    keeps_slashes,
    parameter_name,
    path_literal,
    path_pieces,
    segments_encoded,
)
from openplaybook.tools.openapi.requests.request_parameters import Parameter
from openplaybook.tools.openapi.schemas.document_schemas import DocumentSchemas
from openplaybook.tools.openapi.schemas.injection import is_known_source
from openplaybook.tools.openapi.schemas.output_schemas import output_schema, text_types
from openplaybook.tools.openapi.schemas.visible_schemas import VisibleSchemas
from openplaybook.tools.schema.checked_formats import FORMATS
from openplaybook.tools.schema.dialect import INJECTION, SESSION_ID, SchemaTooDeep, is_context_path
from openplaybook.tools.schema.validator import Validator

SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
"""Methods that change nothing (RFC 9110 §9.2.1)."""

IDEMPOTENT = frozenset({"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"})
"""Methods that may be repeated (RFC 9110 §9.2.2)."""

_CHOICES = frozenset({"anyOf", "oneOf", "not", "if", "minProperties", "dependentRequired"})
"""Keywords by which more may be asked for than what is required by name."""

IDEMPOTENCY_KEY = "idempotency-key"
"""A header parameter of this name says that the service recognises a repeated request."""


@dataclass(frozen=True)
class Operation:
    """An operation that can be called."""

    entry: OperationEntry
    server: str
    """Base URL without a slash at its end; empty where the description leaves it open."""
    parameters: Sequence[Parameter]
    body: Body | None
    schemas: DocumentSchemas
    idempotency_header: str = ""
    """A header by which the service recognises a repeated request, as the tool's settings say; else empty."""
    open_server: str = ""
    """What has to be set before it can be called, where the description leaves its server open."""

    @cached_property
    def text_types(self) -> frozenset[str]:
        """Media types other than JSON that its answers declare."""
        return text_types(self.schemas.root, self.entry.operation)

    @cached_property
    def answers(self) -> JsonObject | None:
        """JSON Schema of the answers by status; None where none is declared, or not in a way that can be read."""
        try:
            return output_schema(self.schemas, self.entry.operation)
        except (UnresolvableReference, SchemaTooDeep):
            # Answers are not judged, so a fault in their description keeps nobody from calling.
            return None

    @cached_property
    def safe_to_repeat(self) -> bool:
        """Whether sending it twice is as good as once: by its method, or by the key it carries."""
        return self.entry.method in IDEMPOTENT or self.key_parameter is not None or bool(self.idempotency_header)

    @cached_property
    def key_parameter(self) -> Parameter | None:
        """The header that carries the call's idempotency key, where the description declares one."""
        return next((each for each in self.parameters if self.is_key(each)), None)

    @cached_property
    def key_header(self) -> str:
        """The header that is added for the call's idempotency key; empty when none is."""
        is_added = self.entry.method not in IDEMPOTENT and self.key_parameter is None
        return self.idempotency_header if is_added else ""

    def is_key(self, parameter: Parameter) -> bool:
        """Whether a parameter carries the call's idempotency key, which is ours to set."""
        if parameter.place is not ParameterPlace.HEADER:
            return False
        return parameter.name.lower() in (IDEMPOTENCY_KEY, self.idempotency_header.lower())

    @cached_property
    def template(self) -> tuple[str | Parameter, ...]:
        """The path as literal pieces and the parameters between them."""
        in_path = {each.name: each for each in self.parameters if each.place is ParameterPlace.PATH}
        pieces: list[str | Parameter] = []
        for position, piece in enumerate(path_pieces(self.entry.path)):
            if not position % 2:
                pieces.append(path_literal(piece))
                continue
            parameter = in_path[parameter_name(piece, in_path)]
            has_slashes = keeps_slashes(piece, in_path)
            pieces.append(replace(parameter, encode=segments_encoded) if has_slashes else parameter)
        return tuple(pieces)

    @cached_property
    def elsewhere(self) -> tuple[Parameter, ...]:
        """Parameters outside the path."""
        return tuple(each for each in self.parameters if each.place is not ParameterPlace.PATH)

    @cached_property
    def filled(self) -> tuple[Parameter, ...]:
        """Parameters into which something may be filled that the model did not give."""
        return tuple(
            each
            for each in self.parameters
            if each.argument not in self.session_ids and self.schemas.filler.concerns(each.schema)
        )

    @cached_property
    def session_ids(self) -> tuple[str, ...]:
        """Arguments that are the session's id: the most common injection, and the one that always has a value."""
        schemas = ((each.argument, self.schemas.inputs.look_through(each.schema)) for each in self.parameters)
        return tuple(argument for argument, schema in schemas if schema.get(INJECTION) == SESSION_ID)

    @cached_property
    def fills_body(self) -> bool:
        """Whether something may be filled into the body."""
        return self.body is not None and self.schemas.filler.concerns(self.body.schema)

    @cached_property
    def fills(self) -> bool:
        """Whether something may be filled in anywhere."""
        return bool(self.filled) or self.fills_body

    @cached_property
    def validator(self) -> Validator:
        """Checks arguments after they were filled: hidden ones and what is required included."""
        return Validator(self.full_schema(), formats=FORMATS)

    @cached_property
    def sources(self) -> frozenset[str]:
        """What may be filled in of a session, and be the model's to give where the session has nothing."""
        schemas = [each.schema for each in self.parameters]
        if self.body is not None:
            schemas.append(self.body.schema)
        named = {source for schema in schemas for source in self.schemas.filler.sources(schema)}
        return frozenset(
            source
            for source in named
            if source != SESSION_ID and is_known_source(source) and not is_context_path(source)
        )

    def input_schema(self, filled: frozenset[str] = frozenset()) -> JsonObject:
        """The arguments as the model sees them while the sources `filled` have a value; raises what converting a
        definition raises."""
        visible = self.schemas.visible_beside(filled) if filled else self.schemas.visible
        own = self._own_inputs(visible)
        names = self.schemas.inputs.closure(self.references())
        strict = visible.beneath_alternatives(names, as_object(own["properties"]).values())
        return _with_definitions(own, {name: visible.definition(name, strict=name in strict) for name in names})

    def own_input_schema(self) -> JsonObject:
        """The same without the definitions that it refers to as `#/$defs/NAME`."""
        return self._own_inputs(self.schemas.visible)

    def _own_inputs(self, visible: VisibleSchemas) -> JsonObject:
        properties: JsonObject = {}
        required: list[str] = []
        for each in self.parameters:
            model_view = visible.seen(each.schema)
            if model_view.shown is None or self.is_key(each):
                continue
            properties[each.argument] = model_view.shown
            if each.required and not model_view.has_own_value:
                required.append(each.argument)
        if self.body is not None and not visible.is_hidden(self.body.schema):
            properties[BODY_ARGUMENT] = visible.visible(self.body.schema)
            if self.is_body_asked_for:
                required.append(BODY_ARGUMENT)
        return _object(properties, required)

    @cached_property
    def is_body_asked_for(self) -> bool:
        """Whether the model has to give the body: it is required, and does not come about without the model."""
        body = self.body
        if body is None or not body.required or self.schemas.visible.has_own_value(body.schema):
            return False
        return self._asks(body.schema, set()) or not self.fills_body

    @cached_property
    def sends_empty_body(self) -> bool:
        """Whether a body without members is sent when nobody gives any: it is required, and nothing in it is."""
        body = self.body
        if body is None or not body.required or self.is_body_asked_for:
            return False
        return not self.schemas.visible.has_own_value(body.schema)

    def _asks(self, schema: JsonObject, known: set[str]) -> bool:
        """Whether anything has to be given that no default and no source gives, here or in what it is composed of.

        `known` are the references followed so far, each of which is followed once.
        """
        reference = str(schema.get("$ref", ""))
        if reference in known:
            return False
        known.update({reference} - {""})
        resolved = self.schemas.inputs.look_through(schema)
        if resolved.get("type", "object") != "object" or not _CHOICES.isdisjoint(resolved):
            return True
        properties = as_object(resolved.get("properties"))
        has_value = self.schemas.visible.has_own_value
        if any(not has_value(as_object(properties.get(name))) for name in as_list(resolved.get("required"))):
            return True
        return any(self._asks(as_object(part), known) for part in as_list(resolved.get("allOf")))

    def full_schema(self) -> JsonObject:
        """What arguments are judged by; raises what converting a definition raises."""
        names = self.schemas.inputs.closure(self.references())
        return _with_definitions(self.own_full_schema(), {name: self.schemas.inputs.definition(name) for name in names})

    def own_full_schema(self) -> JsonObject:
        """The same, without the definitions that it refers to as `#/$defs/NAME`."""
        properties = {each.argument: each.schema for each in self.parameters}
        required = [each.argument for each in self.parameters if each.required]
        if self.body is not None:
            properties[BODY_ARGUMENT] = self.body.schema
            if self.body.required:
                required.append(BODY_ARGUMENT)
        return _object(properties, required)

    def references(self) -> tuple[str, ...]:
        """Names of the `$defs` that its inputs use directly."""
        names = [name for each in self.parameters for name in each.references]
        return tuple(dict.fromkeys([*names, *(self.body.references if self.body is not None else ())]))


def _object(properties: JsonObject, required: list[str]) -> JsonObject:
    schema: JsonObject = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    schema["additionalProperties"] = False
    return schema


def _with_definitions(schema: JsonObject, definitions: JsonObject) -> JsonObject:
    return {**schema, "$defs": definitions} if definitions else schema
