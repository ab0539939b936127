"""Connector tools are read from their specification, or refused with all that is wrong with them."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.base import InvalidTool
from openplaybook.tools.connector import kind
from tests.kit.openapi import PARTS

NAME = "projects/p/locations/l/connections/c"


def problems(spec: JsonObject) -> list[tuple[str, str]]:
    with pytest.raises(InvalidTool) as caught:
        kind.build({}, spec, PARTS)
    return [(problem.path.removeprefix("$.connectorSpec."), problem.message) for problem in caught.value.problems]


def entity(operation: str = "GET", entity_id: str = "Account") -> JsonObject:
    return {"entityOperation": {"entityId": entity_id, "operation": operation}}


@pytest.mark.parametrize("operation", ["LIST", "GET", "CREATE", "UPDATE", "DELETE"])
def test_every_entity_operation_is_allowed(operation: str) -> None:
    spec: JsonObject = {"name": NAME, "actions": [entity(operation), {"connectionActionId": "Query"}]}
    assert [each.action for each in kind.build({}, spec, PARTS).actions()] == [f"{operation.lower()}_Account", "Query"]


@pytest.mark.parametrize(
    "name", ["", "c", "projects/p/connections/c", f"{NAME}/more", "projects//locations/l/connections/c"]
)
def test_a_connection_has_its_full_name(name: str) -> None:
    assert problems({"name": name, "actions": [entity()]}) == [
        ("name", "must have the form projects/P/locations/L/connections/C")
    ]


ONE_OF = "exactly one of connectionActionId and entityOperation is required"


@pytest.mark.parametrize(
    ("actions", "expected"),
    [
        ([], [("actions", "at least one action is required")]),
        ([{}], [("actions[0]", ONE_OF)]),
        (["text"], [("actions[0]", ONE_OF)]),
        ([{**entity(), "connectionActionId": "Query"}], [("actions[0]", ONE_OF)]),
        ([entity(entity_id="")], [("actions[0].entityOperation.entityId", "is required")]),
        (
            [entity(), entity("DROP")],
            [("actions[1].entityOperation.operation", "must be one of LIST, GET, CREATE, UPDATE, DELETE")],
        ),
    ],
)
def test_an_action_is_one_thing_that_is_known(actions: list[object], expected: list[tuple[str, str]]) -> None:
    assert problems({"name": NAME, "actions": actions}) == expected
