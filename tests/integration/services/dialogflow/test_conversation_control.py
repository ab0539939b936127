"""Handlers, transitions and endings in the answers of the Sessions service."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.storage.base import Store
from openplaybook.storage.sqlite import SqliteStore
from tests.integration.services.dialogflow.test_detect_intent import Server
from tests.kit.agents import AGENT, START, AgentDraft, PlayedModel, calls, says
from tests.kit.made_tables import with_tables

PAY, CHECK = f"{AGENT}/playbooks/Pay", f"{AGENT}/playbooks/Check"


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = SqliteStore(with_tables(tmp_path / "openplaybook.db"))
    await opened.open()
    yield opened
    await opened.close()


async def till(store: Store) -> Server:
    """Two routines and a task; a handler of the first says good morning."""
    greeting: JsonObject = {
        "lifecycleStage": "pre-action-execution",
        "condition": "$next-action.name = Pay",
        "fulfillment": {
            "messages": [{"text": {"text": ["Good morning."]}}, {"payload": {"n": 1}}],
            "setParameterActions": [{"parameter": "greeted", "value": True}],
        },
    }
    handlers: list[JsonObject] = [{"lifecycleHandler": greeting}]
    draft = AgentDraft()
    draft.playbook("Start", "Then ${PLAYBOOK: Pay}.", start=True, playbookType="ROUTINE", handlers=handlers)
    draft.playbook("Pay", "Use ${PLAYBOOK: Check}, then end the conversation.", playbookType="ROUTINE")
    draft.playbook("Check")
    await draft.put(store)
    ended = {"state": "CANCELLED", "executionSummary": "No money."}
    part = (
        calls(("Pay", {"sum": 3})),
        calls(("Check", {})),
        calls(("end_playbook", ended)),
        calls(("end_conversation", {"state": "FAILED"}), text="Sorry, bye."),
        says("Hello again."),
    )
    return Server(store, draft, PlayedModel(*part))


def asking(**more: object) -> JsonObject:
    query = {"text": {"text": "tea"}, "languageCode": "en"}
    return {"queryInput": query, "responseView": "DETECT_INTENT_RESPONSE_VIEW_FULL", **more}


async def test_an_answer_tells_what_handlers_did_how_playbooks_ended_and_where_it_went(store: Store) -> None:
    server = await till(store)
    result = (await server.detect(asking()))["queryResult"]
    said = [{key: value for key, value in each.items() if key != "source"} for each in result["responseMessages"]]
    assert said == [
        {"text": {"text": ["Good morning."]}},
        {"payload": {"n": 1}},
        {"text": {"text": ["Sorry, bye."]}},
        {"endInteraction": {}},
    ]
    assert result["diagnosticInfo"]["Handlers"] == [
        {
            "Playbook": "Start",
            "Stage": "pre-action-execution",
            "Handler": 0,
            "Condition": "$next-action.name = Pay",
            "Call Id": "call-1-1-1",
            "Messages": 2,
            "Parameters": ["greeted"],
        }
    ]
    actions = [action for block in result["traceBlocks"] for action in block["actions"]]
    (moved,) = [action["playbookTransition"] for action in actions if "playbookTransition" in action]
    assert moved == {"playbook": PAY, "displayName": "Pay", "inputActionParameters": {"sum": 3}}
    left = [action["playbookInvocation"] for action in actions if "playbookInvocation" in action]
    ended = [(each["playbook"], each.get("playbookState"), each.get("playbookOutput")) for each in left]
    assert ended == [
        (CHECK, None, None),
        (CHECK, "OUTPUT_STATE_CANCELLED", {"actionParameters": {}, "executionSummary": "No money."}),
        (PAY, "OUTPUT_STATE_FAILED", {"actionParameters": {}}),
    ]
    assert result["traceBlocks"][-1]["endState"] == "OUTPUT_STATE_FAILED"


async def test_a_client_of_the_stable_version_gets_what_its_types_have(store: Store) -> None:
    server = await till(store)
    result = (await server.detect(asking(), version="v3"))["queryResult"]
    actions = [action for block in result["traceBlocks"] for action in block.get("actions", [])]
    assert all(actions), "no action is empty"
    assert {"playbookTransition"} <= {kind for action in actions for kind in action}


async def test_the_answer_is_the_same_when_it_is_asked_for_again(store: Store) -> None:
    server = await till(store)
    headers: JsonObject = {"idempotency-key": "k"}
    first = await server.detect(asking(), headers=headers)
    assert await server.detect(asking(), headers=headers) == first
    anew = await server.detect(asking(), headers={"idempotency-key": "k2"})
    assert anew["queryResult"]["generativeInfo"]["currentPlaybooks"] == [START]
    assert len(server.model.asked[-1].conversation) == 1
