"""What playbooks of Dialogflow CX lean on, as their resources tell."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.playbook_dependencies import dependencies_of_playbooks

AGENT = "projects/p/locations/l/agents/a"
START, DESK, TOOL = f"{AGENT}/playbooks/start", f"{AGENT}/playbooks/desk", f"{AGENT}/tools/t1"
CODE = f"{AGENT}/tools/df-code-interpreter-tool"


def leanings(**playbook: object) -> list[str]:
    resource: JsonObject = {"name": START, "displayName": "Start", **playbook}
    playbooks = {START: resource, DESK: {"name": DESK, "displayName": "Desk"}}
    found = dependencies_of_playbooks(AGENT, playbooks, {TOOL: {"name": TOOL, "displayName": "orders"}})
    assert found[DESK] == []
    return found[START]


def steps(*texts: str) -> JsonObject:
    return {"steps": [{"text": text} for text in texts]}


def test_what_is_there_is_nothing_to_lean_on() -> None:
    text = "Use ${TOOL: orders}, ${TOOL: t1}, ${PLAYBOOK: Desk} or ${TOOL: code-interpreter}."
    assert leanings(instruction=steps(text), referencedTools=[TOOL, CODE], referencedPlaybooks=[DESK]) == []


def test_flows_are_named_once_wherever_they_stand() -> None:
    flows = [f"{AGENT}/flows/Billing", "Lost card"]
    assert leanings(instruction=steps("Go to ${FLOW: Lost card}."), referencedFlows=flows) == [
        "the flow Lost card",
        "the flow Billing",
    ]
    default = [f"{AGENT}/flows/00000000-0000-0000-0000-000000000000"]
    assert leanings(instruction=steps("Go to ${FLOW: Default Start Flow}."), referencedFlows=default) == [
        "the flow Default Start Flow"
    ]


def test_tools_and_playbooks_that_are_missing_are_named() -> None:
    text = "Use ${TOOL: gone} or ${PLAYBOOK: Away}."
    assert leanings(instruction=steps(text), referencedTools=[f"{AGENT}/tools/t9"]) == [
        "the tool gone, which does not exist",
        "the playbook Away, which does not exist",
        "the tool t9, which does not exist",
    ]


def test_code_blocks_and_what_handlers_would_call_are_named() -> None:
    handler = {
        "lifecycleHandler": {
            "lifecycleStage": "playbook-start",
            "fulfillment": {"webhook": "Prices", "messages": [{"text": {"text": ["Hello"]}}]},
        }
    }
    assert leanings(codeBlock={"code": "def f(): pass"}, handlers=[handler]) == ["its code block", "webhook Prices"]


def test_an_empty_code_block_is_none() -> None:
    assert leanings(codeBlock={}) == []


def test_a_checkpoint_before_each_playbook_can_end_the_work() -> None:
    playbooks: dict[str, JsonObject] = {f"p{n}": {"name": f"p{n}", "displayName": f"P {n}"} for n in range(3)}
    calls: list[None] = []
    dependencies_of_playbooks("a", playbooks, {}, lambda: calls.append(None))
    assert len(calls) == 3

    def end() -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        dependencies_of_playbooks("a", playbooks, {}, end)
