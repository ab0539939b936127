from openplaybook.models.base import AgentText, UserText
from openplaybook.turns.base import TextMessage, TransitionStep, TurnResult
from openplaybook.turns.steps.decisions import GAVE_UP
from openplaybook.turns.turn import TurnLimits
from tests.integration.turns.conftest import SetStage
from tests.kit.agents import calls, says
from tests.kit.apps import APP, AppDraft
from tests.kit.told_steps import steps_in


def team() -> AppDraft:
    """A root agent with two others beneath it; each may transfer to each."""
    draft = AppDraft()
    draft.agent("root", childAgents=[f"{APP}/agents/sales", f"{APP}/agents/support"])
    draft.agent("sales")
    draft.agent("support")
    return draft


def transitions(result: TurnResult) -> list[str]:
    return [step.playbook_display_name for step in steps_in(result.trace, TransitionStep)]


async def test_a_transfer_takes_the_conversation_along_over_several_agents(set_stage: SetStage) -> None:
    stage = await set_stage(
        team(),
        says("Hello, I am root."),
        calls(("sales", {}), text="I ask sales."),
        says("We sell hats."),
        calls(("support", {})),
        says("How can I support you?"),
        says("Bye."),
    )
    await stage.say("hi")
    moved = await stage.say("a hat please")
    assert moved.messages == (TextMessage("I ask sales."), TextMessage("We sell hats."))
    assert (moved.current_playbook, transitions(moved)) == (f"{APP}/agents/sales", ["sales"])
    stage.engine = stage.new_engine()
    await stage.say("it is broken")
    sales, support = stage.model.asked[2], stage.model.asked[4]
    said = (UserText("hi"), AgentText("Hello, I am root."), UserText("a hat please"), AgentText("I ask sales."))
    assert (sales.preceding_conversation, sales.conversation) == (said, (UserText("a hat please"),))
    assert support.preceding_conversation == (*said, AgentText("We sell hats."), UserText("it is broken"))
    assert support.conversation == (UserText("it is broken"),)
    await stage.say("thanks")
    assert stage.model.asked[5].conversation[1:] == (AgentText("How can I support you?"), UserText("thanks"))


async def test_agents_that_only_transfer_to_each_other_come_to_an_end(set_stage: SetStage) -> None:
    there, back = calls(("sales", {})), calls(("root", {}))
    stage = await set_stage(team(), *[there, back] * 10, limits=TurnLimits(decisions=10, depth=4))
    result = await stage.say("hi")
    assert result.messages == (TextMessage(GAVE_UP),)
    assert transitions(result) == ["sales", "root", "sales", "root"]
