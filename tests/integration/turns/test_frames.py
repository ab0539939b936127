from openplaybook.models.base import AgentText, DeclarationKind, FunctionCall, FunctionResult, UserText
from openplaybook.turns.base import TextMessage
from openplaybook.turns.turn import TurnLimits
from tests.integration.turns.conftest import SetStage
from tests.kit.agents import AGENT, START, AgentDraft, calls, says
from tests.kit.told_steps import notices_in

BOOKING = f"{AGENT}/playbooks/Book a table"


def restaurant() -> AgentDraft:
    draft = AgentDraft()
    draft.playbook("Start", "For tables use ${PLAYBOOK: Book a table}.", start=True)
    party = {"name": "party", "description": "How many people", "typeSchema": {"inlineSchema": {"type": "NUMBER"}}}
    booked = {"name": "booking", "typeSchema": {"inlineSchema": {"type": "STRING"}}}
    draft.playbook(
        "Book a table",
        "Use ${TOOL: tables}.",
        inputParameterDefinitions=[party],
        outputParameterDefinitions=[booked],
    )
    draft.tool("tables", "reserve")
    return draft


async def test_a_called_playbook_speaks_until_it_ends_and_its_outputs_go_to_its_caller(set_stage: SetStage) -> None:
    stage = await set_stage(
        restaurant(),
        calls(("Book_a_table", {"party": 4})),
        says("For when?"),
        calls(("reserve", {"when": "8pm"})),
        calls(("end_playbook", {"booking": "B7", "state": "OK"})),
        says("Your booking is B7."),
    )
    first = await stage.say("a table for four")
    assert (first.current_playbook, first.messages) == (BOOKING, (TextMessage("For when?"),))
    inside = stage.model.asked[1]
    assert (inside.playbook, inside.inputs, inside.conversation) == (
        "Book a table",
        {"party": 4},
        (UserText("a table for four"),),
    )
    second = await stage.say("8pm")
    assert (second.current_playbook, second.messages) == (START, (TextMessage("Your booking is B7."),))
    assert stage.model.asked[-1].conversation == (
        UserText("a table for four"),
        FunctionCall("m1", "Book_a_table", {"party": 4}),
        FunctionResult("m1", "Book_a_table", {"booking": "B7", "state": "OK"}),
    )


async def test_only_a_called_playbook_can_be_ended(set_stage: SetStage) -> None:
    stage = await set_stage(restaurant(), calls(("end_playbook", {})), says("I stay."))
    await stage.say("stop")
    assert [each.kind for each in stage.model.asked[0].declarations] == [DeclarationKind.PLAYBOOK]
    assert stage.model.asked[1].conversation[-1] == FunctionResult(
        "m1",
        "end_playbook",
        {
            "error": {
                "code": "NO_SUCH_FUNCTION",
                "message": "There is no function 'end_playbook'. Functions: Book_a_table.",
            }
        },
        is_error=True,
    )


async def test_a_called_playbook_declares_its_tools_and_how_to_end(set_stage: SetStage) -> None:
    stage = await set_stage(restaurant(), calls(("Book_a_table", {})), says("For how many?"))
    await stage.say("a table please")
    kinds = {each.name: each.kind for each in stage.model.asked[1].declarations}
    assert kinds == {"reserve": DeclarationKind.TOOL, "end_playbook": DeclarationKind.END}
    end = stage.model.asked[1].declarations[-1]
    assert set(end.input_schema["properties"]) == {"booking", "executionSummary", "state"}


async def test_what_was_said_before_is_context_for_a_called_playbook(set_stage: SetStage) -> None:
    stage = await set_stage(restaurant(), says("Hello!"), calls(("Book_a_table", {})), says("For how many?"))
    await stage.say("hi")
    await stage.say("a table")
    assert stage.model.asked[2].preceding_conversation == (UserText("hi"), AgentText("Hello!"), UserText("a table"))


async def test_a_called_playbook_goes_on_after_a_restart(set_stage: SetStage) -> None:
    stage = await set_stage(restaurant(), calls(("Book_a_table", {"party": 4})), says("For when?"), says("Fine."))
    await stage.say("a table for four")
    stage.engine = stage.new_engine()
    await stage.say("8pm")
    asked = stage.model.asked[-1]
    assert (asked.playbook, asked.conversation) == (
        "Book a table",
        (UserText("a table for four"), AgentText("For when?"), UserText("8pm")),
    )


async def test_two_playbooks_called_at_once_are_followed_one_after_the_other(set_stage: SetStage) -> None:
    stage = await set_stage(
        restaurant(),
        calls(("Book_a_table", {"party": 1}), ("Book_a_table", {"party": 2})),
        calls(("end_playbook", {"booking": "B1"})),
        calls(("end_playbook", {"booking": "B2", "state": "CANCELLED"})),
        says("One of two."),
    )
    result = await stage.say("two tables")
    assert [turn.inputs for turn in stage.model.asked] == [{}, {"party": 1}, {"party": 2}, {}]
    outputs = [entry.output for entry in stage.model.asked[3].conversation if isinstance(entry, FunctionResult)]
    assert outputs == [{"booking": "B1", "state": "OK"}, {"booking": "B2", "state": "CANCELLED"}]
    assert result.messages == (TextMessage("One of two."),)


async def test_playbooks_cannot_call_each_other_without_end(set_stage: SetStage) -> None:
    draft = AgentDraft()
    draft.playbook("Start", "Use ${PLAYBOOK: Ping}.", start=True)
    draft.playbook("Ping", "Use ${PLAYBOOK: Pong}.")
    draft.playbook("Pong", "Use ${AGENT: Ping}.")
    stage = await set_stage(
        draft,
        calls(("Ping", {})),
        calls(("Pong", {})),
        calls(("Ping", {})),
        says("That is as deep as it goes."),
        limits=TurnLimits(depth=3),
    )
    result = await stage.say("go")
    assert result.current_playbook == f"{AGENT}/playbooks/Pong"
    assert [code for code, _ in notices_in(result.trace)] == ["TOO_DEEP"]
