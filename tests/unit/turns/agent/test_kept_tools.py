import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.base import NO_AGENT, AgentScope, InvalidTool, Tool
from openplaybook.turns.agent.kept_tools import KEPT_BYTES, KeptTools
from tests.kit.agents import RememberedTool, ToolShelf


class CountingShelf(ToolShelf):
    built = 0

    def build(self, resource: JsonObject, scope: AgentScope = NO_AGENT) -> Tool:
        self.built += 1
        return super().build(resource)


def shelf() -> CountingShelf:
    made = CountingShelf()
    for name in ("a", "b"):
        made.tools[name] = RememberedTool([], lambda call, context: pytest.fail("is not called"))
    return made


def test_equal_resources_are_built_once() -> None:
    counting = shelf()
    kept = KeptTools(counting)
    first = kept.build({"displayName": "a", "description": "x"})
    assert kept.build({"displayName": "a", "description": "x"}) is first
    assert counting.built == 1


def test_another_resource_is_another_tool() -> None:
    counting = shelf()
    kept = KeptTools(counting)
    for resource in ({"displayName": "a"}, {"displayName": "a", "description": "y"}, {"displayName": "b"}):
        kept.build(resource)
    assert counting.built == 3


def test_a_resource_that_cannot_be_built_is_tried_each_time() -> None:
    counting = shelf()
    kept = KeptTools(counting)
    for _ in range(2):
        with pytest.raises(InvalidTool):
            kept.build({"displayName": "c"})
    assert counting.built == 2


def test_tools_used_least_lately_are_let_go() -> None:
    counting = shelf()
    kept = KeptTools(counting)
    kept.build({"displayName": "a"})
    for number in range(128):
        kept.build({"displayName": "b", "description": str(number)})
    kept.build({"displayName": "a"})
    assert counting.built == 130


def test_large_resources_push_each_other_out_and_the_latest_stays() -> None:
    counting = shelf()
    kept = KeptTools(counting)
    large, larger = ({"displayName": name, "description": "x" * (KEPT_BYTES // 2 + 1)} for name in ("a", "b"))
    kept.build(large)
    kept.build(larger)
    kept.build(larger)
    assert counting.built == 2
    kept.build(large)
    assert counting.built == 3
