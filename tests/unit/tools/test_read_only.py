"""Which actions change nothing, as their tools declare it."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import Effect
from openplaybook.tools.toolbox import Toolbox
from openplaybook.turns.agent.declarations import tool_declaration
from tests.kit.openapi import Remembering, description, resource
from tests.unit.tools.unimplemented.test_ces_kinds import CONNECTION, tool

STORE: JsonObject = {"dataStore": {"name": "projects/p/locations/l/collections/c/dataStores/d"}}
NAME = "projects/p/locations/l/apps/a/tools/t"
METHODS = ("get", "head", "options", "trace", "put", "post", "patch", "delete")
INPUT: JsonObject = {"type": "object", "properties": {"city": {"type": "string"}}}


def function(**schema: object) -> JsonObject:
    return {"name": NAME, "displayName": "f", "description": "d", "functionSpec": {"inputSchema": {**INPUT, **schema}}}


def python(docstring: str) -> JsonObject:
    code = f'def f(a: int) -> dict:\n    """{docstring}"""\n'
    return {"name": NAME, "displayName": "f", "pythonFunction": {"name": "f", "pythonCode": code}}


def entity(name: str) -> JsonObject:
    action = {"entityOperation": {"entityId": "Order", "operation": name}}
    return tool("connectorTool", connection=CONNECTION, action=action)


def effects(document: JsonObject) -> dict[str, Effect]:
    """What a model is told of each action, by name."""
    actions = Toolbox(Remembering()).build(document).actions()
    return {each.name: tool_declaration(each.name, each).effect for each in actions}


def test_an_operation_only_reads_where_its_method_is_safe() -> None:
    document = description({"/pets": {method: {"responses": {}} for method in METHODS}})
    safe = {"get", "head", "options", "trace"}
    told = effects(resource(document))
    assert told == {f"{method}_pets": Effect.READS if method in safe else Effect.CHANGES for method in METHODS}


@pytest.mark.parametrize(
    ("document", "effect"),
    [
        (function(), Effect.CLIENT),
        (function(**{"x-readOnlyHint": True}), Effect.READS),
        (function(**{"x-readOnlyHint": "true"}), Effect.CLIENT),
        (python("Looks."), Effect.CHANGES),
        (python("Looks.\n\n    readOnlyHint: true\n    "), Effect.READS),
        (python("Looks.\n\n    readOnlyHint: false\n    "), Effect.CHANGES),
        (python("Sets readOnlyHint: true on a page."), Effect.CHANGES),
        (entity("LIST"), Effect.READS),
        (entity("GET"), Effect.READS),
        (entity("CREATE"), Effect.CHANGES),
        (entity("DELETE"), Effect.CHANGES),
        (tool("connectorTool", connection=CONNECTION, action={"connectionActionId": "run"}), Effect.CHANGES),
        (tool("dataStoreTool", name="look", dataStoreSource=STORE), Effect.READS),
        (tool("fileSearchTool", name="look", fileCorpus="projects/p/locations/l/ragCorpora/r"), Effect.READS),
    ],
)
def test_a_tool_only_reads_where_it_says_so(document: JsonObject, effect: Effect) -> None:
    assert [*effects(document).values()] == [effect]
