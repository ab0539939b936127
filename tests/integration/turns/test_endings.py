"""Leaving playbooks, and the end of the conversation."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import AgentText, DeclarationKind, FunctionResult, UserText
from openplaybook.turns.base import DepartureStep, RichMessage, TextMessage, TransitionStep, TurnResult
from tests.integration.turns.conftest import SetStage
from tests.kit.agents import AGENT, SESSION, START, AgentDraft, calls, says
from tests.kit.told_steps import steps_in

END = RichMessage({"endInteraction": {}})
BOOKING = f"{AGENT}/playbooks/Book"


def handoff(**metadata: str) -> RichMessage:
    return RichMessage({"liveAgentHandoff": {"metadata": metadata}})


def desk(*steps: str, **start: object) -> AgentDraft:
    draft = AgentDraft()
    draft.playbook("Start", "For tables use ${PLAYBOOK: Book}.", *steps, start=True, **start)
    booked = {"name": "booking", "typeSchema": {"inlineSchema": {"type": "STRING"}}}
    draft.playbook("Book", outputParameterDefinitions=[booked])
    return draft


def ends(result: TurnResult) -> list[DepartureStep]:
    """What the trace shows of playbooks that were left."""
    return steps_in(result.trace, DepartureStep)


@pytest.mark.parametrize("state", ["OK", "CANCELLED", "FAILED"])
async def test_a_called_playbook_tells_its_caller_how_it_ended_and_what_it_did(set_stage: SetStage, state: str) -> None:
    ending = {"booking": "B7", "state": state, "executionSummary": "Asked for a table."}
    stage = await set_stage(desk(), calls(("Book", {})), calls(("end_playbook", ending)), says("So it is."))
    result = await stage.say("a table")
    assert (result.messages, result.current_playbook) == ((TextMessage("So it is."),), START)
    told = stage.model.asked[2].conversation[-1]
    assert isinstance(told, FunctionResult)
    assert told.output == ending
    [left] = ends(result)
    assert (left.playbook, left.playbook_display_name, left.call_id) == (BOOKING, "Book", "")
    assert (left.output, left.state, left.summary) == ({"booking": "B7"}, state, "Asked for a table.")


async def test_a_playbook_that_escalates_hands_the_conversation_to_a_person(set_stage: SetStage) -> None:
    ending = {"state": "ESCALATED", "booking": "B7", "executionSummary": "Is angry."}
    stage = await set_stage(desk(), calls(("Book", {})), calls(("end_playbook", ending), text="A person will help."))
    result = await stage.say("a table!")
    assert result.messages == (
        TextMessage("A person will help."),
        handoff(booking="B7", executionSummary="Is angry."),
        END,
    )
    assert ([each.state for each in ends(result)], result.paused) == (["ESCALATED"], False)


async def test_an_unknown_state_is_ok(set_stage: SetStage) -> None:
    stage = await set_stage(desk(), calls(("Book", {})), calls(("end_playbook", {"state": "great"})), says("Good."))
    assert [each.state for each in ends(await stage.say("a table"))] == ["OK"]


@pytest.mark.parametrize(
    ("steps", "offered"),
    [
        (["Greet the user."], False),
        (["Ask how it was.", "Then end the conversation."], True),
        (["If the user is angry, escalate to a live agent."], True),
        (["Beende danach das Gespräch."], True),
        (["Talk about the weekend."], False),
    ],
)
async def test_the_first_playbook_may_end_the_conversation_where_its_instructions_say_so(
    set_stage: SetStage, steps: list[str], offered: bool
) -> None:
    stage = await set_stage(desk(*steps), says("Hello!"))
    await stage.say("hi")
    kinds = [each.kind for each in stage.model.asked[0].declarations]
    assert kinds == [DeclarationKind.PLAYBOOK, *([DeclarationKind.CLOSE] if offered else [])]


@pytest.mark.parametrize(("state", "offered"), [("OK", False), ("PENDING", False), ("ESCALATED", True)])
async def test_the_first_playbook_may_end_the_conversation_where_an_example_does(
    set_stage: SetStage, state: str, offered: bool
) -> None:
    draft = desk()
    example = {"displayName": "Angry", "actions": [], "conversationState": f"OUTPUT_STATE_{state}"}
    draft.document("example", f"{START}/examples/angry", example)
    stage = await set_stage(draft, says("Hello!"))
    await stage.say("hi")
    kinds = {each.kind for each in stage.model.asked[0].declarations}
    assert (DeclarationKind.CLOSE in kinds) is offered


async def test_where_it_may_not_the_conversation_does_not_end(set_stage: SetStage) -> None:
    stage = await set_stage(desk(), calls(("end_conversation", {})), says("I stay."))
    assert (await stage.say("bye")).messages == (TextMessage("I stay."),)


async def test_after_the_end_the_same_session_begins_another_conversation(set_stage: SetStage) -> None:
    stage = await set_stage(
        desk("Then end the conversation."), calls(("end_conversation", {"state": "OK"}), text="Bye!"), says("Hello!")
    )
    over = await stage.say("bye", parameters={"name": "Ann"})
    assert (over.messages, over.parameters) == ((TextMessage("Bye!"), END), {"name": "Ann"})
    stage.engine = stage.new_engine()
    result = await stage.say("hi", parameters={"age": 7})
    assert (result.messages, result.parameters) == ((TextMessage("Hello!"),), {"age": 7})
    assert stage.model.asked[1].conversation == (UserText("hi"),)
    assert [turn.number for turn in await stage.store.kept_turns(SESSION)] == [1, 2]


async def test_the_conversation_kept_in_memory_is_forgotten_too(set_stage: SetStage) -> None:
    stage = await set_stage(
        desk("Then end the conversation."), calls(("end_conversation", {}), text="Bye!"), says("Hello!"), says("Yes.")
    )
    for words in ("bye", "hi", "really?"):
        await stage.say(words)
    assert [type(entry).__name__ for entry in stage.model.asked[2].conversation] == [
        "UserText",
        "AgentText",
        "UserText",
    ]


async def test_a_repeated_request_is_answered_with_the_end_again(set_stage: SetStage) -> None:
    stage = await set_stage(desk("Then end the conversation."), calls(("end_conversation", {}), text="Bye!"))
    first = await stage.say("bye", request_key="k")
    assert await stage.say("bye", request_key="k") == first


@pytest.mark.parametrize(
    ("ending", "last"),
    [
        ({"messages": [{"endInteraction": {}}, {"text": {"text": ["That was it."]}}]}, [END]),
        ({"targetPage": "END_SESSION"}, [END]),
        ({"targetPage": f"{AGENT}/flows/f/pages/END_FLOW_WITH_HUMAN_ESCALATION"}, [handoff(), END]),
    ],
)
async def test_a_handler_can_end_the_conversation(
    set_stage: SetStage, ending: JsonObject, last: list[RichMessage]
) -> None:
    told: JsonObject = {"messages": [{"text": {"text": ["That was it."]}}], **ending}
    handler = {
        "lifecycleHandler": {
            "lifecycleStage": "pre-action-selection",
            "condition": "$session.params.turns >= 3",
            "fulfillment": told,
            "targetPage": ending.get("targetPage", ""),
        }
    }
    stage = await set_stage(desk(handlers=[handler]), says("Go on."), says("Hello again!"))
    assert (await stage.say("hi", parameters={"turns": 1})).messages == (TextMessage("Go on."),)
    over = await stage.say("and?", parameters={"turns": 3})
    assert over.messages == (TextMessage("That was it."), *last)
    assert (await stage.say("hi")).messages == (TextMessage("Hello again!"),)


async def test_a_routine_gives_way_to_another_routine_and_does_not_come_back(set_stage: SetStage) -> None:
    draft = AgentDraft()
    draft.playbook("Start", "Then ${PLAYBOOK: Pay}.", start=True, playbookType="ROUTINE")
    draft.playbook("Pay", "Use ${PLAYBOOK: Check}.", playbookType="ROUTINE")
    draft.playbook("Check", playbookType="TASK")
    pay = f"{AGENT}/playbooks/Pay"
    stage = await set_stage(
        draft,
        says("What will you have?"),
        calls(("Pay", {"sum": 3}), text="To the till."),
        calls(("Check", {})),
        calls(("end_playbook", {})),
        says("That is 3."),
    )
    await stage.say("hi")
    result = await stage.say("tea")
    assert result.messages == (TextMessage("To the till."), TextMessage("That is 3."))
    assert result.current_playbook == pay
    [moved] = steps_in(result.trace, TransitionStep)
    assert (moved.playbook, moved.playbook_display_name, moved.arguments) == (pay, "Pay", {"sum": 3})
    inside = stage.model.asked[2]
    assert (inside.playbook, inside.inputs, inside.conversation) == ("Pay", {"sum": 3}, (UserText("tea"),))
    assert inside.preceding_conversation == (
        UserText("hi"),
        AgentText("What will you have?"),
        UserText("tea"),
        AgentText("To the till."),
    )
    assert [each.kind for each in inside.declarations] == [DeclarationKind.PLAYBOOK]


async def test_a_task_waits_for_a_routine_that_it_calls(set_stage: SetStage) -> None:
    draft = AgentDraft()
    draft.playbook("Start", "Then ${PLAYBOOK: Pay}.", start=True)
    draft.playbook("Pay", playbookType="ROUTINE")
    stage = await set_stage(draft, calls(("Pay", {})), calls(("end_playbook", {})), says("Done."))
    assert (await stage.say("pay")).current_playbook == START
