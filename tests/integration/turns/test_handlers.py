from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import AgentText, FunctionCall, FunctionResult, UserText
from openplaybook.storage.base import Store
from openplaybook.tools.base import Call, ExecutionPlace, Failure, Outcome, Success, ToolContext
from openplaybook.turns.base import (
    EventInput,
    HandlerStep,
    Message,
    RichMessage,
    TextInput,
    TextMessage,
    TurnRequest,
    TurnResult,
)
from openplaybook.turns.turn import TurnLimits
from tests.integration.turns.conftest import SetStage, Stage
from tests.kit.agents import AGENT, SESSION, START, AgentDraft, calls, says
from tests.kit.dying import SERVER, DiesAt, Plan, World
from tests.kit.told_steps import kinds_in, notices_in, steps_in


def text(*variants: str) -> JsonObject:
    return {"text": {"text": list(variants)}}


def sets(**parameters: JsonValue) -> list[JsonObject]:
    return [{"parameter": name, "value": value} for name, value in parameters.items()]


def on(stage: str, condition: str = "", *, target: str = "", **fulfillment: JsonValue) -> JsonObject:
    told: JsonObject = {"lifecycleStage": stage, "condition": condition, "fulfillment": fulfillment}
    return {"lifecycleHandler": {**told, **({"targetPlaybook": target} if target else {})}}


START_STAGE, SELECTION, EXECUTION = "playbook-start", "pre-action-selection", "pre-action-execution"


def shop(*handlers: JsonObject, **answer: JsonValue) -> AgentDraft:
    def answered(call: Call, context: ToolContext) -> Outcome:
        return Success({"200": answer}) if answer else Failure("NOT_FOUND", "no such order")

    draft = AgentDraft()
    draft.playbook("Start", "Use ${TOOL: orders}.", start=True, handlers=list(handlers))
    draft.tool("orders", "query_order", answer=answered)
    return draft


async def test_a_playbook_that_begins_with_words_says_them_and_waits(set_stage: SetStage) -> None:
    draft = shop(on(START_STAGE, messages=[text("Welcome!", "Hello!"), {"payload": {"chips": ["$session.params.n"]}}]))
    stage = await set_stage(draft, says("Your order is here."))
    first = await stage.say("hi", parameters={"n": 3})
    assert first.messages == (TextMessage("Welcome!"), RichMessage({"payload": {"chips": [3]}}))
    assert stage.model.asked == []
    second = await stage.say("where is my order?")
    assert second.messages == (TextMessage("Your order is here."),)
    assert stage.model.asked[0].conversation == (
        UserText("hi"),
        AgentText("Welcome!"),
        UserText("where is my order?"),
    )


async def test_a_playbook_begins_once_in_a_session_also_after_a_restart(set_stage: SetStage) -> None:
    draft = shop(on(START_STAGE, setParameterActions=sets(count="$sys.func.ADD($session.params.count, 1)")))
    stage = await set_stage(draft, says("One."), says("Two."), says("Three."))
    results = [await stage.say("a", parameters={"count": 0})]
    stage.engine = stage.new_engine()
    results += [await stage.say("b"), await stage.say("c", current_playbook=START, parameters={"count": 10})]
    assert [result.parameters["count"] for result in results] == [1, 1, 11]


async def test_what_is_said_before_a_decision_takes_its_place(set_stage: SetStage) -> None:
    draft = shop(on(SELECTION, "$session.params.blocked = true", messages=[text("Sorry, $session.params.name.")]))
    stage = await set_stage(draft, says("Hello!"))
    assert (await stage.say("hi")).messages == (TextMessage("Hello!"),)
    blocked = await stage.say("hi", parameters={"blocked": True, "name": "Ann"})
    assert blocked.messages == (TextMessage("Sorry, Ann."),)
    [handled] = steps_in(blocked.trace, HandlerStep)
    assert (handled.stage, handled.event, handled.handler) == (SELECTION, "", 0)
    assert (handled.condition, handled.call_id) == ("$session.params.blocked = true", "")
    assert (handled.messages, handled.parameters) == (1, ())
    assert kinds_in(blocked.trace) == ["user", "handler", "agent"]


async def test_parameters_set_before_a_decision_are_the_models(set_stage: SetStage) -> None:
    presets = sets(n="$sys.func.ADD($session.params.n, 1)", twice="$sys.func.MULTIPLY($session.params.n, 2)", old=None)
    stage = await set_stage(shop(on(SELECTION, setParameterActions=presets)), says("Fine."))
    result = await stage.say("hi", parameters={"n": 1, "old": "x"})
    assert stage.model.asked[0].parameters == {"n": 2, "twice": 4}
    assert result.parameters == {"n": 2, "twice": 4}


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({}, "Sorry, there is no order 7."),
        ({"orders": [{"id": 7}]}, "It is order 7."),
        ({"orders": None}, "You have no orders."),
    ],
)
async def test_a_handler_knows_the_last_action(set_stage: SetStage, answer: JsonObject, said: str) -> None:
    failed = '$last-action.name = "query_order" AND $last-action.status != SUCCESS'
    none = '$last-action.name = "query_order" AND $last-action.status = SUCCESS AND $last-action.output.orders = null'
    draft = shop(
        on(SELECTION, failed, messages=[text("Sorry, there is no order $last-action.input.id.")]),
        on(SELECTION, none, messages=[text("You have no orders.")]),
        **answer,
    )
    stage = await set_stage(
        draft, calls(("query_order", {"requestBody": {"id": 7}})), says("It is order 7."), says("Hi.")
    )
    assert (await stage.say("my order?")).messages == (TextMessage(said),)
    stage.model.part[:-1] = []
    assert (await stage.say("thanks")).messages == (TextMessage("Hi."),), "what is past does not count again"


async def test_words_before_an_action_are_said_and_the_action_is_made(set_stage: SetStage) -> None:
    draft = shop(
        on(EXECUTION, '$next-action.name = "query_order"', messages=[text("Looking for $next-action.input.id …")]),
        orders=[1],
    )
    stage = await set_stage(draft, calls(("query_order", {"id": 7}), text="Sure."), says("Here it is."))
    result = await stage.say("my order?")
    assert result.messages == (TextMessage("Sure."), TextMessage("Looking for 7 …"), TextMessage("Here it is."))
    assert [call.arguments for call in draft.shelf.tools["orders"].invoked] == [{"id": 7}]
    assert stage.model.asked[1].conversation == (
        UserText("my order?"),
        AgentText("Sure."),
        FunctionCall("m1", "query_order", {"id": 7}),
        FunctionResult("m1", "query_order", {"200": {"orders": [1]}}),
        AgentText("Looking for 7 …"),
    )


async def test_words_are_no_action(set_stage: SetStage) -> None:
    stage = await set_stage(shop(on(EXECUTION, messages=[text("One moment.")])), says("Hello!"))
    assert (await stage.say("hi")).messages == (TextMessage("Hello!"),)


async def test_a_call_for_the_client_is_an_action_too(set_stage: SetStage) -> None:
    draft = shop(on(EXECUTION, messages=[text("One moment.")]))
    draft.playbook("Start", "Use ${TOOL: clock}.", start=True, handlers=[on(EXECUTION, messages=[text("One moment.")])])
    draft.tool("clock", place=ExecutionPlace.CLIENT)
    stage = await set_stage(draft, calls(("clock", {})), says("It is noon."))
    paused = await stage.say("time?")
    assert (paused.paused, paused.messages[0]) == (True, TextMessage("One moment."))
    assert (await stage.answer("clock", "clock", output={"time": "12"})).messages == (TextMessage("It is noon."),)
    assert stage.model.asked[1].conversation[-1] == AgentText("One moment.")


async def test_the_first_case_that_holds_is_said_by_the_state_before_and_filled_by_the_state_after(
    set_stage: SetStage,
) -> None:
    inner = {"cases": [{"condition": "$session.params.age >= 65", "caseContent": [{"message": text("Senior")}]}]}
    choice = {
        "cases": [
            {"condition": "$session.params.age < 21", "caseContent": [{"message": text("Too young")}]},
            {
                "condition": "$session.params.age = 70",
                "caseContent": [{"message": text("You are now $session.params.age")}, {"additionalCases": inner}],
            },
            {"caseContent": [{"message": text("never")}]},
        ]
    }
    draft = shop(on(SELECTION, setParameterActions=sets(age=1), conditionalCases=[choice]))
    stage = await set_stage(draft)
    result = await stage.say("hi", parameters={"age": 70})
    assert result.messages == (TextMessage("You are now 1"), TextMessage("Senior"))


async def test_signals_for_the_client_do_not_take_the_place_of_the_decision(set_stage: SetStage) -> None:
    handoff = {"liveAgentHandoff": {"metadata": {"why": "$session.params.why"}}}
    draft = shop(on(SELECTION, messages=[handoff, {"conversationSuccess": {}}]))
    stage = await set_stage(draft, says("A person will call you."))
    result = await stage.say("a person please", parameters={"why": "angry"})
    assert result.messages == (
        RichMessage({"liveAgentHandoff": {"metadata": {"why": "angry"}}}),
        RichMessage({"conversationSuccess": {}}),
        TextMessage("A person will call you."),
    )


async def test_what_is_not_run_and_what_cannot_be_worked_out_is_told_once_a_turn(set_stage: SetStage) -> None:
    broken = on(SELECTION, "$sys.func.DIVIDE(1, 0) = 1", messages=[text("never")])
    unread = on(SELECTION, "1 ==", messages=[text("never")])
    webhook = on(
        SELECTION,
        webhook="w",
        setParameterActions=sets(bad="$sys.func.ADD(x)"),
        messages=[{"payload": {"a": "$sys.func.LEN($sys.func.GET([], 0))"}}],
    )
    draft = shop(broken, unread, webhook, orders=[1])
    draft.playbook(
        "Start", "Use ${TOOL: orders}.", start=True, handlers=[broken, unread, webhook], codeBlock={"code": "x"}
    )
    stage = await set_stage(draft, calls(("query_order", {})), says("Done."))
    result = await stage.say("go")
    assert result.messages == (TextMessage("Done."),)
    never = "Handler {} of Start never fires: its condition {} cannot be evaluated: {}."
    assert notices_in(result.trace) == [
        ("CODE_BLOCK_NOT_RUN", "Playbook Start has a code block, which is not run."),
        (
            "HANDLER_CONDITION",
            never.format(0, "'$sys.func.DIVIDE(1, 0) = 1'", "system function DIVIDE: nothing can be divided by 0"),
        ),
        ("HANDLER_CONDITION", never.format(1, "'1 =='", "'=' is not a value (at 3)")),
        (
            "HANDLER",
            "Handler 2 of Start: parameter bad is not set: system function ADD: 'x' is not a number.",
        ),
        ("HANDLER", "Handler 2 of Start: a message is not said: system function GET: the list has no position 0."),
        ("HANDLER", "Handler 2 of Start: webhook w is not run."),
    ]


async def test_a_handler_can_give_way_to_another_playbook(set_stage: SetStage) -> None:
    other = f"{AGENT}/playbooks/Other"
    draft = shop(on(SELECTION, "$session.params.vip = true", target=other, messages=[text("To the VIP desk.")]))
    draft.playbook("Other", handlers=[on(START_STAGE, setParameterActions=sets(desk="vip"))])
    stage = await set_stage(draft, says("Hello at the desk."), says("Yes?"))
    result = await stage.say("hi", parameters={"vip": True})
    assert result.messages == (TextMessage("To the VIP desk."), TextMessage("Hello at the desk."))
    assert (result.current_playbook, result.parameters["desk"]) == (other, "vip")
    asked = stage.model.asked[0]
    assert (asked.playbook, asked.conversation) == ("Other", (UserText("hi"),))
    assert asked.preceding_conversation == (UserText("hi"), AgentText("To the VIP desk."))
    stage.engine = stage.new_engine()
    assert (await stage.say("hello?")).current_playbook == other


async def test_playbooks_that_send_each_other_away_end_somewhere(set_stage: SetStage) -> None:
    other = f"{AGENT}/playbooks/Other"
    draft = shop(on(SELECTION, target=other))
    draft.playbook("Other", handlers=[on(SELECTION, target=START), on(SELECTION, target="gone")])
    stage = await set_stage(draft, says("Enough."), limits=TurnLimits(depth=3))
    result = await stage.say("hi")
    assert (result.messages, result.current_playbook) == ((TextMessage("Enough."),), other)
    assert notices_in(result.trace) == [
        ("TOO_MANY_TRANSITIONS", "At most 3 transitions fit into one turn."),
        ("HANDLER", "Handler 1 of Other: there is no playbook gone."),
    ]


async def test_a_handler_that_goes_elsewhere_before_an_action_drops_the_calls_of_the_reply(set_stage: SetStage) -> None:
    other = f"{AGENT}/playbooks/Other"
    draft = shop(on(EXECUTION, "$next-action.name = query_order", target=other), orders=[1])
    draft.playbook("Other")
    stage = await set_stage(draft, calls(("query_order", {}), ("query_order", {"id": 2})), says("Elsewhere."))
    result = await stage.say("hi")
    assert (result.messages, draft.shelf.tools["orders"].invoked) == ((TextMessage("Elsewhere."),), [])
    assert notices_in(result.trace) == [
        ("CALLS_DROPPED", "A handler took the conversation elsewhere, so the tool calls of the reply are not made.")
    ]


async def test_a_secret_parameter_that_a_handler_sets_is_sealed_and_shows_in_no_text(
    set_stage: SetStage, store: Store
) -> None:
    bearer: JsonObject = {"openApiSpec": {"authentication": {"bearerTokenConfig": {"token": "$session.params.token"}}}}
    handler = on(
        SELECTION,
        "$session.params.token != null",
        setParameterActions=sets(token="$sys.func.CONCATENATE(hun, ter2)", copy="$session.params.token"),
        messages=[{"liveAgentHandoff": {"metadata": {"token": "$session.params.token"}}}],
    )
    draft = shop(handler)
    draft.playbook("Start", "Use ${TOOL: bank}.", start=True, handlers=[handler])
    bank = draft.tool("bank", document=bearer)
    stage = await set_stage(draft, calls(("bank", {})), says("Done."))
    result = await stage.say("hi", parameters={"token": "swordfish"})
    shown = RichMessage({"liveAgentHandoff": {"metadata": {"token": "(secret)"}}})
    assert result.messages == (shown, shown, TextMessage("Done."))
    assert result.parameters == {"copy": "(secret)"}
    assert bank.contexts[0].parameters["token"] == "hunter2"
    stored = await store.session(SESSION)
    assert stored is not None
    rows = [stored.state, *(step.payload for step in await store.history(SESSION))]
    assert not any(secret in row for row in rows for secret in (b"hunter2", b"swordfish"))


async def test_a_session_does_not_grow_without_end_by_what_handlers_set(set_stage: SetStage) -> None:
    stage = await set_stage(shop(on(SELECTION, setParameterActions=sets(y="$session.params.x"))), says("Fine."))
    result = await stage.say("hi", parameters={"x": "x" * 600_000})
    assert result.parameters == {"x": "x" * 600_000}
    assert notices_in(result.trace) == [
        ("HANDLER", "Handler 0 of Start: no parameter is set: they would be larger than 1000000 bytes.")
    ]


BIG = "$session.params.x"


@pytest.mark.parametrize(
    ("fulfillment", "told"),
    [
        ({"messages": [text(BIG * 500)]}, "a message is not said: the result is longer than 1000000 characters"),
        (
            {"messages": [{"payload": {"all": [BIG] * 500}}]},
            "a message is not said: all together would be longer than 1000000 characters",
        ),
        (
            {"messages": [{"payload": {"x": BIG}}] * 2},
            "a message is not said: all together would be longer than 1000000 characters",
        ),
        (
            {"setParameterActions": [{"parameter": "y", "value": [BIG] * 500}]},
            "parameter y is not set: the value is longer than 1000000 characters",
        ),
    ],
)
async def test_a_large_value_that_is_named_often_does_not_fill_the_memory(
    set_stage: SetStage, fulfillment: JsonObject, told: str
) -> None:
    stage = await set_stage(shop(on(SELECTION, **fulfillment)), says("Fine."))
    result = await stage.say("hi", parameters={"x": "x" * 600_000})
    assert notices_in(result.trace) == [("HANDLER", f"Handler 0 of Start: {told}.")]


async def test_wherever_a_process_dies_what_handlers_did_is_done_once(tmp_path: Path) -> None:
    one_more = '$sys.func.IF("$session.params.count = null", 1, $sys.func.ADD($session.params.count, 1))'
    count = sets(count=one_more)
    handlers = [
        on(SELECTION, setParameterActions=count),
        on(EXECUTION, messages=[text("Call $session.params.count.")]),
    ]
    plan = Plan([[SERVER], [SERVER, SERVER]])

    async def outcome(nth: int) -> tuple[list[str], tuple[Message, ...], JsonObject]:
        world, fault = World(tmp_path / f"{nth}.db", plan), DiesAt(nth)
        world.draft.playbook("Start", f"Use ${{TOOL: {SERVER}}}.", start=True, handlers=handlers)
        process = await world.process(fault)
        await world.draft.put(process.store)
        result = await process.ask(TextInput("pay"), "key", fault)
        if result is None:
            await process.end()
            process = await world.process()
            result = await process.ask(TextInput("pay"), "key")
        await process.deliveries.close()
        await process.end()
        assert result is not None
        return fault.points, result.messages[:-1], result.parameters

    points, messages, parameters = await outcome(0)
    assert messages == (TextMessage("Call 1."), TextMessage("Call 2."), TextMessage("Call 2."))
    assert parameters == {"count": 3}
    for nth, point in enumerate(points, start=1):
        _, *told = await outcome(nth)
        assert told == [messages, parameters], (nth, point)


def on_event(name: str, condition: str = "", **fulfillment: JsonValue) -> JsonObject:
    return {"eventHandler": {"event": name, "condition": condition, "fulfillment": fulfillment}}


async def event(stage: Stage, name: str) -> TurnResult:
    request = TurnRequest(agent=AGENT, session=SESSION, input=EventInput(name), language_code="en")
    result = await stage.engine.run(request)
    stage.engine.delivered(SESSION, result.turn)
    return result


async def test_an_event_is_the_handlers_and_never_the_models(set_stage: SetStage) -> None:
    draft = shop(
        on_event("no-input", "$session.params.asked = true", messages=[text("Still there?")]),
        on_event("no-input", setParameterActions=sets(asked=True)),
        on(SELECTION, setParameterActions=sets(decided=True)),
    )
    stage = await set_stage(draft, says("Hello!"))
    assert (await event(stage, "no-input")).messages == ()
    result = await event(stage, "no-input")
    assert (result.messages, result.parameters) == ((TextMessage("Still there?"),), {"asked": True})
    assert [each.event for each in steps_in(result.trace, HandlerStep)] == ["no-input", "no-input"]
    assert (await event(stage, "unknown")).messages == ()
    assert (await stage.say("hi")).parameters == {"asked": True, "decided": True}
    assert stage.model.asked[0].conversation == (AgentText("Still there?"), UserText("hi"))


async def test_an_event_while_a_call_is_open_ends_the_pause_as_words_do(set_stage: SetStage) -> None:
    draft = AgentDraft()
    draft.playbook(
        "Start", "Use ${TOOL: clock}.", start=True, handlers=[on_event("hurry", messages=[text("Never mind.")])]
    )
    draft.tool("clock", place=ExecutionPlace.CLIENT)
    stage = await set_stage(draft, calls(("clock", {})), says("Yes?"))
    assert (await stage.say("time?")).paused
    result = await event(stage, "hurry")
    assert (result.messages, result.paused) == ((TextMessage("Never mind."),), False)


async def test_a_handler_names_its_playbook_by_display_name_too(set_stage: SetStage) -> None:
    draft = shop(on(SELECTION, target="Other"))
    other = draft.playbook("Other")
    stage = await set_stage(draft, says("Hello."))
    assert (await stage.say("hi")).current_playbook == other
