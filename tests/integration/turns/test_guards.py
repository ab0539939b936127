from openplaybook.models.base import FunctionResult
from openplaybook.turns.base import TextMessage
from openplaybook.turns.steps.decisions import GAVE_UP
from openplaybook.turns.turn import TurnLimits
from tests.integration.turns.conftest import SetStage
from tests.kit.agents import AgentDraft, calls, says
from tests.kit.told_steps import notices_in


def pets() -> AgentDraft:
    draft = AgentDraft()
    draft.playbook("Start", "Use ${TOOL: pets}.", start=True)
    draft.tool("pets", "getPet")
    return draft


async def test_a_model_that_never_answers_is_stopped_and_the_session_goes_on(set_stage: SetStage) -> None:
    part = [calls(("getPet", {"petId": n})) for n in range(4)]
    stage = await set_stage(pets(), *part, says("Hello!"), limits=TurnLimits(decisions=4))
    result = await stage.say("all pets")
    assert result.messages == (TextMessage(GAVE_UP),)
    assert [code for code, _ in notices_in(result.trace)] == ["STEP_LIMIT"]
    assert (await stage.say("hi")).messages == (TextMessage("Hello!"),)


async def test_the_same_call_again_and_again_is_refused_to_the_model(set_stage: SetStage) -> None:
    draft = pets()
    stage = await set_stage(draft, *[calls(("getPet", {"petId": 1}))] * 4, says("Enough."))
    await stage.say("pet 1")
    assert len(draft.shelf.tools["pets"].invoked) == 3
    refused = stage.model.asked[4].conversation[-1]
    assert isinstance(refused, FunctionResult)
    assert refused.output["error"]["code"] == "REPEATED_CALL"


async def test_a_function_that_does_not_exist_is_an_error_to_the_model(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), calls(("deletePet", {})), says("I cannot delete pets."))
    await stage.say("delete pet 1")
    assert stage.model.asked[1].conversation[-1] == FunctionResult(
        "m1",
        "deletePet",
        {"error": {"code": "NO_SUCH_FUNCTION", "message": "There is no function 'deletePet'. Functions: getPet."}},
        is_error=True,
    )


async def test_arguments_that_are_no_object_are_an_error_to_the_model(set_stage: SetStage) -> None:
    draft = pets()
    stage = await set_stage(draft, calls(("getPet", '{"petId": ')), says("Sorry."))
    await stage.say("pet 1")
    assert draft.shelf.tools["pets"].invoked == []
    refused = stage.model.asked[1].conversation[-1]
    assert isinstance(refused, FunctionResult)
    assert refused.output["error"] == {
        "code": "MALFORMED_ARGUMENTS",
        "message": 'The arguments are not a JSON object: {"petId": ',
    }


async def test_a_reply_with_too_many_calls_is_cut(set_stage: SetStage) -> None:
    draft = pets()
    many = calls(*[("getPet", {"petId": n}) for n in range(5)])
    stage = await set_stage(draft, many, says("Some."), limits=TurnLimits(calls_per_reply=2))
    await stage.say("pets")
    assert [call.arguments for call in draft.shelf.tools["pets"].invoked] == [{"petId": 0}, {"petId": 1}]
