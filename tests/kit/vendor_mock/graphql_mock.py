"""`GraphqlMock`: a system with a GraphQL API that refuses what its vendor's schema does not allow, as graphql-core has
it, and gives of what it holds only what is selected.
"""

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace

from graphql import (
    FieldNode,
    GraphQLEnumType,
    GraphQLError,
    GraphQLList,
    GraphQLNonNull,
    GraphQLOutputType,
    OperationDefinitionNode,
    SelectionSetNode,
    get_named_type,
    parse,
)
from graphql.execution.values import get_variable_values

from openplaybook.connectors.rest.manifest.list_model import RequestLine
from openplaybook.connectors.rest.manifest.model import EntityManifest, OperationManifest
from openplaybook.connectors.rest.reply_paths import put_at, value_at
from openplaybook.egress.base import HttpResponse
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from tests.kit.vendor_mock.asked_request import AskedRequest
from tests.kit.vendor_mock.graphql_document import GraphqlDocument
from tests.kit.vendor_mock.held_entities import HeldEntities
from tests.kit.vendor_mock.mock import VendorMock

_ABSENT = "the object does not exist"


class GraphqlMock(VendorMock):
    """One system."""

    tells_types = False
    """Whether it answers introspection by its schema."""

    def _violations(self, asked: AskedRequest) -> list[str]:
        assert isinstance(self.document, GraphqlDocument)
        if asked.method != "POST" or asked.path != self.settings.base or asked.query:
            return [f"calls go to POST {self.settings.base}"]
        schema = self.document.schema
        try:
            operation = _operation(asked)
        except (GraphQLError, KeyError) as error:
            return [f"cannot be read: {error}"]
        found = self.document.faults(str(as_object(asked.body)["query"]))
        if found:
            return found
        given = as_object(as_object(asked.body).get("variables"))
        taken = get_variable_values(schema, operation.variable_definitions or (), given)
        declared = {each.variable.name.value for each in operation.variable_definitions or ()}
        unknown = [f"the variable ${name} is not declared" for name in given if name not in declared]
        return unknown + ([error.message for error in taken] if isinstance(taken, list) else [])

    def _answer(self, asked: AskedRequest) -> HttpResponse:
        if "__type(" in str(as_object(asked.body)["query"]):
            # What is told is no more than the manifest says, unless a test asks for the whole.
            assert isinstance(self.document, GraphqlDocument)
            told = self.document.told(as_object(asked.body)) if self.tells_types else {"data": {"__type": None}}
            return _reply(200, told)
        variables = as_object(as_object(asked.body).get("variables"))
        inner = replace(asked, query=[], body=variables)
        response = self._of_entities(inner, asked) or _reply(200, {"data": self._sample(asked)})
        value = json.loads(response.body)
        selected = _projected(_operation(asked).selection_set, value.get("data"))
        return _reply(response.status, value | {"data": selected})

    def _of_entities(self, inner: AskedRequest, asked: AskedRequest) -> HttpResponse | None:
        for name, entity in self.manifest.entities.items():
            for listing in (entity.list, entity.search):
                if listing is not None and _is_call(asked, listing.http):
                    return self._listed(inner, listing, self.held[name])
        for name, entity in self.manifest.entities.items():
            for kind, operation in _single_operations(entity):
                if _is_call(asked, operation.http):
                    return self._done(kind, operation, self.held[name], as_object(inner.body))
        return None

    def _done(self, kind: str, operation: OperationManifest, held: HeldEntities, variables: JsonObject) -> HttpResponse:
        members = as_object(value_at(variables, operation.wrap)) if operation.wrap else variables
        reply: JsonObject = {}
        if kind == "create":
            put_at(reply, operation.item, held.create(deepcopy(members)))
            return _reply(200, reply)
        found = held.find(_key(operation, held, variables))
        if found is None:
            put_at(reply, operation.item, None)
            return _reply(200, reply | self._refusal(operation))
        if kind == "delete":
            held.objects.remove(found)
            put_at(reply, operation.item, found if operation.item == _path(operation) else held.key(found))
            return _reply(200, reply)
        if kind == "update":
            held.change(found, deepcopy(members))
        put_at(reply, operation.item, found)
        return _reply(200, reply)

    def _refusal(self, operation: OperationManifest) -> JsonObject:
        """How a write of what is not there is refused: within the payload where the system has that, else outside."""
        call = operation.http.call
        if call is None or not call.is_mutation:
            return {}
        reply: JsonObject = {}
        if not operation.payload:
            return {"data": None, "errors": [{"message": _ABSENT}]}
        put_at(reply, f"{call.path}.{operation.payload[0].partition('.')[0]}", [{"field": ["id"], "message": _ABSENT}])
        return reply

    def _sample(self, asked: AskedRequest) -> JsonValue:
        """A value for what an action selects."""
        assert isinstance(self.document, GraphqlDocument)
        schema, operation = self.document.schema, _operation(asked)
        root = schema.mutation_type if operation.operation.value == "mutation" else schema.query_type
        assert root is not None
        return _sample_of(root, operation.selection_set)


def _reply(status: int, value: JsonObject) -> HttpResponse:
    kinds = (("Content-Type", "application/json"),)
    return HttpResponse(status, kinds, json.dumps(value).encode(), False, 0.001)


def _single_operations(entity: EntityManifest) -> Iterator[tuple[str, OperationManifest]]:
    operations = {"get": entity.get, "create": entity.create, "update": entity.update, "delete": entity.delete}
    for kind, operation in operations.items():
        if operation is not None:
            yield kind, operation


def _path(operation: OperationManifest) -> str:
    return operation.http.call.path if operation.http.call is not None else ""


def _operation(asked: AskedRequest) -> OperationDefinitionNode:
    found = parse(str(as_object(asked.body)["query"])).definitions[0]
    assert isinstance(found, OperationDefinitionNode)
    return found


def _is_call(asked: AskedRequest, line: RequestLine) -> bool:
    """Whether an operation goes the way of a call: the same fields, one within the other."""
    operation = _operation(asked)
    if line.call is None or (operation.operation.value == "mutation") != line.call.is_mutation:
        return False
    selection: SelectionSetNode | None = operation.selection_set
    for step in line.call.steps:
        fields = [each for each in (selection.selections if selection else ()) if isinstance(each, FieldNode)]
        found = next((each for each in fields if each.name.value == step.name), None)
        if found is None or {each.name.value for each in found.arguments or ()} != set(step.arguments):
            return False
        selection = found.selection_set
    return True


def _key(operation: OperationManifest, held: HeldEntities, variables: JsonObject) -> str:
    """The key in the variables: where the manifest puts it, else in that of its name."""
    wanted = f"{{{held.own_key}}}"
    for path, value in _leaves({**operation.params, **operation.body}):
        if value == wanted:
            found = value_at(variables, path)
            return str(as_list(found)[0] if isinstance(found, list) else found)
    return str(variables.get(held.own_key))


def _leaves(value: JsonValue, path: str = "") -> Iterator[tuple[str, JsonValue]]:
    if isinstance(value, dict):
        for name, each in as_object(value).items():
            yield from _leaves(each, f"{path}.{name}" if path else name)
    else:
        yield path, value


def _projected(selection: SelectionSetNode | None, value: JsonValue) -> JsonValue:
    if isinstance(value, list):
        return [_projected(selection, each) for each in as_list(value)]
    if selection is None or not isinstance(value, dict):
        return value
    made: JsonObject = {}
    for each in selection.selections:
        assert isinstance(each, FieldNode)
        made[each.name.value] = _projected(each.selection_set, as_object(value).get(each.name.value))
    return made


def _sample_of(kind: GraphQLOutputType, selection: SelectionSetNode | None) -> JsonValue:
    if isinstance(kind, GraphQLNonNull):
        return _sample_of(kind.of_type, selection)
    named = get_named_type(kind)
    if isinstance(kind, GraphQLList):
        return [] if named.name.endswith("Error") else [_sample_of(kind.of_type, selection)]
    if isinstance(named, GraphQLEnumType):
        return next(iter(named.values))
    if selection is None:
        simple: dict[str, JsonValue] = {"Int": 1, "Float": 1.5, "Boolean": True}
        return simple.get(named.name, "1")
    made: JsonObject = {}
    for each in selection.selections:
        if isinstance(each, FieldNode) and each.name.value != "__typename":
            fields = getattr(named, "fields", {})
            made[each.name.value] = _sample_of(fields[each.name.value].type, each.selection_set)
    return made or {"__typename": named.name}
