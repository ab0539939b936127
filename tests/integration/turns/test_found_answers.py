"""What data store tools add to a turn: signals in its trace, payloads behind the agent's words, whatever happens."""

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.base import Call, Outcome, Success, ToolContext
from openplaybook.turns.base import RichMessage, TextMessage, ToolStep, TraceStep
from openplaybook.turns.journal.events import CallSettled
from openplaybook.turns.journal.session_state import CallKind
from tests.integration.turns.conftest import SetStage, asked
from tests.integration.turns.test_repeating import decided, died
from tests.kit.agents import AGENT, AgentDraft, calls, says

SIGNALS: JsonObject = {"answer": "30 days.", "rewrittenQuery": "returns"}
PAYLOAD: JsonObject = {"richContent": [[{"type": "info", "title": "Returns"}]]}
OUTPUT: JsonObject = {"200": {"answer": "30 days.", "snippets": []}}
SHOWN = RichMessage({"payload": PAYLOAD})


def agent(**settings: object) -> AgentDraft:
    def searched(call: Call, context: ToolContext) -> Outcome:
        return Success(OUTPUT, signals=SIGNALS, payloads=(PAYLOAD,))

    draft = AgentDraft()
    draft.playbook("Start", "Use ${TOOL: docs} and ${TOOL: pets}.", start=True)
    draft.tool("docs", answer=searched)
    draft.tool("pets", "createPet")
    if settings:
        draft.document("generative_settings", f"{AGENT}/generativeSettings/en", settings)
    return draft


def signals_in(trace: tuple[TraceStep, ...]) -> list[JsonObject]:
    return [step.signals for step in trace if isinstance(step, ToolStep)]


async def test_payloads_follow_the_last_words(set_stage: SetStage) -> None:
    stage = await set_stage(agent(), calls(("docs", {}), text="One moment."), says("30 days."))
    first = await stage.say("How long?")
    assert first.messages == (TextMessage("One moment."), TextMessage("30 days."), SHOWN)
    assert signals_in(first.trace) == [SIGNALS]


async def test_what_was_found_before_a_crash_is_shown_after_it(set_stage: SetStage) -> None:
    settled = CallSettled(
        frame=1,
        call="call-1-1-1",
        model_id="m1",
        name="createPet",
        kind=CallKind.TOOL,
        tool=f"{AGENT}/tools/pets",
        action="createPet",
        arguments={"name": "Rex"},
        started=1,
        output=OUTPUT,
        is_error=False,
        code="",
        note="",
        exchanges=(),
        signals=SIGNALS,
        payloads=(PAYLOAD,),
    )
    stage = await set_stage(agent(), says("30 days."))
    await died(stage, *decided(), settled)
    result = await stage.say("add Rex", request_key="k1")
    assert (result.messages, signals_in(result.trace)) == ((TextMessage("30 days."), SHOWN), [SIGNALS])
    assert await stage.new_engine().run(asked("add Rex", request_key="k1")) == result


async def test_nothing_is_shown_beside_words_that_a_guardrail_withholds(set_stage: SetStage) -> None:
    safety = {"bannedPhrases": [{"text": "casino"}]}
    stage = await set_stage(agent(generativeSafetySettings=safety), calls(("docs", {})), says("Try the casino."))
    result = await stage.say("How long?")
    assert [type(message) for message in result.messages] == [TextMessage]
