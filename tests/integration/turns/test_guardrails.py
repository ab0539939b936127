from random import Random

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import AgentText, FunctionResult, UserText
from openplaybook.resources.guardrails import REFUSAL
from openplaybook.turns.base import NoticeStep, PartialText, TextMessage, TurnResult
from openplaybook.turns.journal.transcript import WITHHELD
from openplaybook.turns.session.history import History
from openplaybook.turns.turn import TurnLimits
from openplaybook.turns.turn_streams import TurnStreams
from tests.integration.turns.conftest import SetStage, Stage, asked
from tests.kit.agents import ModelReply, calls, says
from tests.kit.apps import APP, APP_SESSION, AppDraft, tool_name
from tests.kit.told_steps import kinds_in, notices_in, steps_in

BOSS = f"{APP}/agents/boss"
NO: JsonObject = {"respondImmediately": {"responses": [{"text": "We do not talk about that."}, {"text": "No."}]}}
TO_BOSS: JsonObject = {"transferAgent": {"agent": BOSS}}
ANSWER: JsonObject = {"generativeAnswer": {"prompt": "Say politely that {topic} is no topic."}}


def guarded(action: JsonObject) -> AppDraft:
    """An app that bans `dragon` from the user's words, and `wyvern` from the agent's."""
    topic = {"name": "topic", "schema": {"type": "STRING", "default": "magic"}}
    draft = AppDraft(variableDeclarations=[topic])
    draft.agent("root", childAgents=[BOSS], tools=[tool_name("look")])
    draft.agent("boss")
    draft.tool("look")
    banned = {"bannedContentsInUserInput": ["dragon"], "bannedContentsInAgentResponse": ["wyvern"]}
    draft.guardrail("No magic", action, **banned)
    return draft


def fired(result: TurnResult) -> list[tuple[str, str | None, str]]:
    notices = [step for step in steps_in(result.trace, NoticeStep) if step.code == "GUARDRAIL"]
    return [(step.message, step.guardrail, step.stage) for step in notices]


def firing(stage: str) -> tuple[str, str, str]:
    whose = "the user's" if stage == "input" else "the agent's"
    return f"Guardrail No magic fired on {whose} words.", "No magic", stage


async def nowhere_but_in_the_journal(stage: Stage, words: str) -> None:
    """What a guardrail withheld is kept in one place: marked in the journal."""
    assert words not in str(stage.model.asked[-1])
    past = [turn async for turn in History(stage.store).turns(APP, APP_SESSION)]
    assert words not in str([turn.result for turn in past])
    rows = [step for step in await stage.store.history(APP_SESSION, turns=9) if words.encode() in step.payload]
    assert [step.kind for step in rows] == ["reply"]
    assert b'"withheld":"' in rows[0].payload


async def test_banned_words_of_the_user_are_answered_by_the_guardrail(set_stage: SetStage) -> None:
    stage = await set_stage(guarded(NO), says("Hello."))
    result = await stage.say("Tell me of a DRAGON")
    assert (result.messages, stage.model.asked) == ((TextMessage("We do not talk about that."),), [])
    assert fired(result) == [firing("input")]
    stage.engine = stage.new_engine()
    assert (await stage.say("hi then")).messages == (TextMessage("Hello."),)
    assert stage.model.asked[0].conversation == (
        WITHHELD,
        AgentText("We do not talk about that."),
        UserText("hi then"),
    )


async def test_banned_words_of_the_agent_are_never_told(set_stage: SetStage) -> None:
    stage = await set_stage(guarded(NO), calls(("look", {}), text="A wyvern! I look."), says("Hello."))
    result = await stage.say("what is there?")
    assert result.messages == (TextMessage("We do not talk about that."),)
    assert fired(result) == [firing("response")]
    assert stage.draft.shelf.tools["look"].invoked == [], "nothing of a withheld reply is done"
    stage.engine = stage.new_engine()
    await stage.say("hm")
    await nowhere_but_in_the_journal(stage, "A wyvern! I look.")


async def test_a_listener_hears_whole_replies_once_they_are_judged(set_stage: SetStage) -> None:
    stage = await set_stage(guarded(NO), calls(("look", {}), text="I will look."), says("It was a wyvern, sir."))
    heard = [part async for part in TurnStreams(stage.engine).stream(asked("what is there?", **stage.where))]
    words = [part.text for part in heard if isinstance(part, PartialText)]
    assert words == ["I will look.", "We do not talk about that."]


async def test_another_agent_takes_over_and_is_told_what_was_asked(set_stage: SetStage) -> None:
    stage = await set_stage(guarded(TO_BOSS), says("I am the boss."), says("Yes?"))
    result = await stage.say("A dragon!")
    assert (result.messages, result.current_playbook) == ((TextMessage("I am the boss."),), BOSS)
    assert stage.model.asked[0].conversation == (UserText("A dragon!"),)
    assert stage.model.asked[0].preceding_conversation == (WITHHELD,)
    assert kinds_in(result.trace) == ["user", "notice", "transition", "model", "agent"]


async def test_another_agent_takes_over_where_the_answer_was_banned(set_stage: SetStage) -> None:
    stage = await set_stage(guarded(TO_BOSS), says("Wyverns!"), says("I am the boss."))
    result = await stage.say("what is there?")
    assert (result.messages, result.current_playbook) == ((TextMessage("I am the boss."),), BOSS)
    await nowhere_but_in_the_journal(stage, "Wyverns!")


async def test_agents_that_hand_over_for_ever_come_to_an_end(set_stage: SetStage) -> None:
    stage = await set_stage(guarded(TO_BOSS), *[says("Wyverns!")] * 4, limits=TurnLimits(depth=3))
    result = await stage.say("what is there?")
    assert result.messages == (TextMessage(REFUSAL),)
    reason = "too many agents took over in one turn"
    message = f"Guardrail No magic cannot hand over to boss: {reason}."
    assert notices_in(result.trace)[-1] == ("GUARDRAIL_TRANSFER", message)


@pytest.mark.parametrize("reply", [says("Wyverns are no topic."), calls(("look", {}))])
async def test_an_answer_that_cannot_be_given_is_a_fixed_sentence(set_stage: SetStage, reply: ModelReply) -> None:
    stage = await set_stage(guarded(ANSWER), reply)
    assert (await stage.say("a dragon")).messages == (TextMessage(REFUSAL),)


async def test_the_model_answers_as_the_guardrail_asks_and_calls_nothing(set_stage: SetStage) -> None:
    stage = await set_stage(guarded(ANSWER), says("Let us talk of hats."), says("Hats it is."))
    result = await stage.say("a dragon")
    assert (result.messages, fired(result)) == ((TextMessage("Let us talk of hats."),), [firing("input")])
    question = stage.model.asked[0]
    assert (question.goal, question.declarations, question.instructions) == (
        "Say politely that magic is no topic.",
        (),
        (),
    )
    assert question.conversation == (UserText("a dragon"),)
    await stage.say("hats")
    assert stage.model.asked[1].conversation == (WITHHELD, AgentText("Let us talk of hats."), UserText("hats"))


async def test_an_agent_that_is_a_tool_is_guarded_too(set_stage: SetStage) -> None:
    draft = guarded(NO)
    draft.agent("asking", tools=[draft.agent_tool("ask", BOSS)])
    stage = await set_stage(draft, calls(("ask", {"request": "What?"})), says("A wyvern."), says("Nothing to say."))
    result = await stage.say("ask", entry_playbook=f"{APP}/agents/asking")
    assert result.messages == (TextMessage("Nothing to say."),)
    told = [each.output for each in stage.model.asked[-1].conversation if isinstance(each, FunctionResult)]
    assert told == [{"result": "We do not talk about that."}]
    await nowhere_but_in_the_journal(stage, "A wyvern.")


async def test_words_that_take_too_long_to_be_judged_count_as_banned(
    set_stage: SetStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    # However fast the machine is: compiling the patterns alone takes longer.
    monkeypatch.setattr("openplaybook.resources.banned_phrases._SECONDS", 0.05)
    draft = AppDraft()
    draft.agent("root")
    heavy = [rf"a[ab]{{60}}c{at}" for at in range(3_000)]
    draft.guardrail("Patterns", NO, matchType="REGEXP_MATCH", bannedContentsInUserInput=heavy)
    stage = await set_stage(draft, says("Hello."))
    result = await stage.say("".join(Random(1).choices("ab", k=400_000)))
    assert (result.messages, stage.model.asked) == ((TextMessage("We do not talk about that."),), [])
    told = "Guardrail Patterns took too long to check this text, so it counts as banned."
    assert [message for code, message in notices_in(result.trace) if code == "GUARDRAIL_NOT_JUDGED"] == [told]
