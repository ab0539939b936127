"""Calls that a tool makes while it is called itself."""

import asyncio

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.base import Call, Diverged, ExecutionPlace, Failure, InDoubt, Outcome, Success, ToolContext
from openplaybook.turns.base import PartialTrace, StepFault, ToolStep
from openplaybook.turns.turn import TurnLimits
from tests.integration.turns.conftest import SetStage
from tests.integration.turns.conftest import asked as request_of
from tests.kit.agents import AgentDraft, calls, says
from tests.kit.programs import Program, add_program, asked
from tests.kit.told_steps import step_at, steps_in


def pet(call: Call, context: ToolContext) -> Outcome:
    if call.arguments.get("petId") == 404:
        return Failure("HTTP_ERROR", "no such pet", {"404": {}})
    if call.arguments.get("petId") == 0:
        return InDoubt("nobody knows")
    return Success({"200": {"name": "Rex"}}, note="cut")


def shop(program: Program) -> AgentDraft:
    draft = AgentDraft()
    draft.playbook("Start", "Use ${TOOL: script}, ${TOOL: pets} and ${TOOL: signature}.", start=True)
    add_program(draft, "script", program)
    draft.tool("pets", "getPet", answer=pet)
    draft.tool("signature", "sign", place=ExecutionPlace.CLIENT)
    return draft


async def test_an_inner_call_is_a_call_of_the_engine(set_stage: SetStage) -> None:
    async def program(context: ToolContext) -> JsonObject:
        assert context.call is not None
        outcomes = [await context.call("getPet", {"petId": id}) for id in (3, 404, 0)]
        assert outcomes == [
            Success({"200": {"name": "Rex"}}, "cut"),
            Failure("HTTP_ERROR", "no such pet", {"404": {}}),
            InDoubt("nobody knows"),
        ]
        return {"asked": list(context.callable)}

    draft = shop(program)
    stage = await set_stage(draft, calls(("script", {"n": 1})), says("Done."))
    trace = (await stage.say("go")).trace
    tools = steps_in(trace, ToolStep)
    told = [(each.call_id, each.within, each.action) for each in tools]
    assert told == [
        ("call-1-1-1.1", "call-1-1-1", "getPet"),
        ("call-1-1-1.2", "call-1-1-1", "getPet"),
        ("call-1-1-1.3", "call-1-1-1", "getPet"),
        ("call-1-1-1", "", "script"),
    ]
    assert [each.error and each.error.code for each in tools] == [None, "HTTP_ERROR", "OUTCOME_UNKNOWN", None]
    assert (tools[0].output, tools[0].note) == ({"200": {"name": "Rex"}}, "cut")
    assert tools[0].tool_display_name == "pets"
    assert tools[3].output == {"asked": ["getPet"]}
    inner = draft.shelf.tools["pets"].contexts[0]
    assert inner.call is None
    assert inner.idempotency_key.endswith(":call-1-1-1.1")


async def test_only_the_outer_call_is_part_of_the_conversation(set_stage: SetStage) -> None:
    async def program(context: ToolContext) -> JsonObject:
        return {"word": await asked(context, "getPet", petId=3)}

    stage = await set_stage(shop(program), calls(("script", {})), says("Done."))
    await stage.say("go")
    entries = stage.model.asked[-1].conversation
    assert [type(entry).__name__ for entry in entries] == ["UserText", "FunctionCall", "FunctionResult"]


async def test_what_cannot_be_called_from_within_is_refused_with_the_reason(set_stage: SetStage) -> None:
    found: list[Outcome] = []

    async def program(context: ToolContext) -> JsonObject:
        assert context.call is not None
        found.extend([await context.call(name, {}) for name in ("sign", "script", "missing")])
        return {}

    stage = await set_stage(shop(program), calls(("script", {})), says("Done."))
    trace = (await stage.say("go")).trace
    assert found == [
        Failure("CLIENT_TOOL", "sign is a function tool: clients run it, and cannot be asked from here."),
        Failure("RECURSIVE_CALL", "script cannot be called from within itself."),
        Failure("NO_SUCH_FUNCTION", "There is no function 'missing' to call here. Functions: getPet."),
    ]
    assert [step.action for step in steps_in(trace, ToolStep)] == ["script"]


async def test_inner_calls_are_bounded(set_stage: SetStage) -> None:
    async def program(context: ToolContext) -> JsonObject:
        return {"words": [await asked(context, "getPet", petId=3) for _ in range(4)]}

    limits = TurnLimits(inner_calls=2)
    stage = await set_stage(shop(program), calls(("script", {})), says("Done."), limits=limits)
    trace = (await stage.say("go")).trace
    assert step_at(trace, -3, ToolStep).output == {"words": ["ok", "ok", "TOO_MANY_CALLS", "TOO_MANY_CALLS"]}


async def test_inner_calls_are_made_one_after_the_other(set_stage: SetStage) -> None:
    async def program(context: ToolContext) -> JsonObject:
        words = asyncio.gather(*(asked(context, "getPet", petId=number) for number in (1, 2, 3)))
        await draft.shelf.tools["pets"].called.wait()
        assert [call.id for call in draft.shelf.tools["pets"].invoked] == ["call-1-1-1.1"]
        gate.set()
        return {"words": await words}

    gate = asyncio.Event()
    draft = shop(program)
    draft.shelf.tools["pets"].gate = gate
    stage = await set_stage(draft, calls(("script", {})), says("Done."))
    assert step_at((await stage.say("go")).trace, -3, ToolStep).output == {"words": ["ok", "ok", "ok"]}
    assert [call.arguments["petId"] for call in draft.shelf.tools["pets"].invoked] == [1, 2, 3]


async def test_an_inner_call_that_its_caller_gives_up_is_in_doubt(set_stage: SetStage) -> None:
    async def program(context: ToolContext) -> JsonObject:
        asking = asyncio.ensure_future(asked(context, "getPet", petId=3))
        await draft.shelf.tools["pets"].called.wait()
        asking.cancel()
        await asyncio.wait({asking})
        return {"word": "gave up"}

    draft = shop(program)
    draft.shelf.tools["pets"].gate = asyncio.Event()
    stage = await set_stage(draft, calls(("script", {})), says("Done."))
    inner, outer = steps_in((await stage.say("go")).trace, ToolStep)
    message = "Whether this call was carried out is unknown: the call that made it ended while it was under way."
    assert inner.error == StepFault(code="OUTCOME_UNKNOWN", message=message)
    assert outer.output == {"word": "gave up"}


async def test_calls_side_by_side_keep_their_inner_calls_apart(set_stage: SetStage) -> None:
    async def program(context: ToolContext) -> JsonObject:
        return {"words": [await asked(context, "getPet", petId=number) for number in (1, 404)]}

    stage = await set_stage(shop(program), calls(("script", {"n": 1}), ("script", {"n": 2})), says("Done."))
    tools = steps_in((await stage.say("go")).trace, ToolStep)
    assert sorted(each.call_id for each in tools) == [
        "call-1-1-1",
        "call-1-1-1.1",
        "call-1-1-1.2",
        "call-1-1-2",
        "call-1-1-2.1",
        "call-1-1-2.2",
    ]
    assert [each.output for each in tools if not each.within] == [{"words": ["ok", "HTTP_ERROR"]}] * 2


async def test_a_listener_is_told_of_inner_calls(set_stage: SetStage) -> None:
    async def program(context: ToolContext) -> JsonObject:
        return {"word": await asked(context, "getPet", petId=3)}

    stage = await set_stage(shop(program), calls(("script", {})), says("Done."))
    heard: list[tuple[str, bool]] = []

    def listen(partial: object) -> None:
        if isinstance(partial, PartialTrace):
            heard.append((partial.step.call_id, bool(partial.step.end_us)))

    await stage.engine.run(request_of("go"), listen)
    outer, inner = "call-1-1-1", "call-1-1-1.1"
    assert heard == [(outer, False), (inner, False), (inner, True), (outer, True)]


async def test_a_tool_that_finds_itself_diverged_ends_in_doubt(set_stage: SetStage) -> None:
    async def program(context: ToolContext) -> JsonObject:
        raise Diverged("it went another way")

    stage = await set_stage(shop(program), calls(("script", {})), says("Done."))
    tool = step_at((await stage.say("go")).trace, 2, ToolStep)
    assert tool.error == StepFault(code="OUTCOME_UNKNOWN", message="it went another way")
