"""What a tool knows of the conversation that it is called in."""

import asyncio

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import AgentText, ModelReply, ModelTurn, ReplyOrigin, TextDelta, Usage, UserText
from openplaybook.models.errors import ModelError, ModelUnavailable
from openplaybook.models.model_directory import ModelDirectory
from openplaybook.models.offline import OfflineModel
from openplaybook.resources.guardrails import BannedTexts
from openplaybook.storage.base import Store
from openplaybook.telemetry.metrics import Metrics
from openplaybook.tools.base import Call, EarlierCall, Failure, Outcome, Success, ToolContext
from openplaybook.tools.session_files import SessionFiles
from openplaybook.turns.base import GivenFile, ModelStep, StepFault, ToolStep
from openplaybook.turns.engine import TurnEngine
from openplaybook.turns.steps.model_calls import ToolModel, ToolModels, tool_model
from tests.integration.turns.conftest import SetStage, asked
from tests.kit.agents import AGENT, SESSION, AgentDraft, PlayedModel, calls, says
from tests.kit.programs import Program, add_program
from tests.kit.sealing import SEALER
from tests.kit.told_steps import kinds_in, step_at

QUESTION = ModelTurn("Tool", (), "", (), (), (), "en")


def agent(program: Program) -> AgentDraft:
    draft = AgentDraft()
    draft.playbook("Start", "Use ${TOOL: script}, ${TOOL: pets} and ${PLAYBOOK: Other}.", start=True)
    draft.playbook("Other", "Use ${TOOL: script}.")
    add_program(draft, "script", program)
    draft.tool("pets", "getPet", answer=pet)
    return draft


def pet(call: Call, context: ToolContext) -> Outcome:
    return Success({"200": "Rex"}) if call.arguments else Failure("TIMEOUT", "no answer")


def part(*parts: ModelReply) -> tuple[ModelReply, ...]:
    return parts


class TestEarlierCalls:
    async def test_a_tool_knows_the_settled_calls_of_its_playbook_oldest_first(self, set_stage: SetStage) -> None:
        seen: list[object] = []

        async def program(context: ToolContext) -> JsonObject:
            seen.append((context.session, [*context.earlier()]))
            return {"said": "x"}

        script = part(
            calls(("getPet", {"petId": 3}), ("script", {})),
            says("Once."),
            calls(("getPet", {}), ("Other", {})),
            calls(("script", {})),
            calls(("end_playbook", {})),
            calls(("script", {"n": 2})),
            says("Twice."),
        )
        stage = await set_stage(agent(program), *script)
        await stage.say("one")
        await stage.say("two")
        first = EarlierCall("pets", "getPet", {"petId": 3}, {"200": "Rex"})
        script_call = EarlierCall("script", "script", {}, {"said": "x"})
        failed = EarlierCall(
            "pets", "getPet", {}, {"error": {"code": "TIMEOUT", "message": "no answer"}}, is_error=True
        )
        assert seen == [(SESSION, []), (SESSION, []), (SESSION, [first, script_call, failed])]


class TestWords:
    async def test_a_tool_knows_what_was_said_its_language_and_what_the_request_wants_of_searches(
        self, set_stage: SetStage
    ) -> None:
        seen: list[object] = []

        async def program(context: ToolContext) -> JsonObject:
            seen.append(([*context.conversation()], context.language_code, context.search_config))
            return {"said": "x"}

        script = part(
            says("Hello."), calls(("script", {}), ("getPet", {})), says("Done."), calls(("script", {})), says(".")
        )
        stage = await set_stage(agent(program), *script)
        await stage.say("Hi")
        await stage.say("Look it up", search_config={"filterSpecs": []})
        await stage.say("Again")
        words = [UserText("Hi"), AgentText("Hello."), UserText("Look it up")]
        later = [*words, AgentText("Done."), UserText("Again")]
        assert seen == [(words, "en", {"filterSpecs": []}), (later, "en", {})]

    async def test_banned_phrases_of_the_agent_hold_for_its_tools(self, set_stage: SetStage) -> None:
        seen: list[object] = []

        async def program(context: ToolContext) -> JsonObject:
            seen.extend(context.banned)
            return {"said": "x"}

        draft = agent(program)
        phrases = [{"text": "casino", "languageCode": "de"}, {"text": " "}]
        safety = {"bannedPhrases": phrases, "defaultBannedPhraseMatchStrategy": "WORD_MATCH"}
        draft.document("generative_settings", f"{AGENT}/generativeSettings/en", {"generativeSafetySettings": safety})
        stage = await set_stage(draft, calls(("script", {})), says("Done."))
        await stage.say("Hi")
        assert seen == [BannedTexts((("casino", "de"),), whole_words=True)]


class TestModels:
    async def test_a_tool_may_ask_a_model_by_name_and_gets_its_playbooks_where_there_is_none(self) -> None:
        own, other = PlayedModel(says("own")), PlayedModel(says("other"))
        directory = ModelDirectory(own, {"gemini-2.0-flash-001": other, "plain": OfflineModel()})
        models = ToolModels(directory, Metrics(), None)
        named = [models.named(name) for name in ("gemini-2.0-flash-001", "unknown")]
        assert [is_substitute for _, is_substitute in named] == [False, True]
        assert [(await each.decide(QUESTION)).text for each, _ in named if each is not None] == ["other", "own"]
        assert len(models.asked) == 2
        assert models.named("plain") == (None, False)

    async def test_what_a_tool_asks_of_its_model_is_told_in_the_trace(self, set_stage: SetStage) -> None:
        async def program(context: ToolContext) -> JsonObject:
            assert context.model is not None
            reply = await context.model.decide(QUESTION)
            return {"code": reply.text, "model": context.model.name}

        usage, origin = Usage(30, 7), ReplyOrigin("r1", "other-name", "https://models.example")
        written = ModelReply("print(8)", (), "played", usage, attempts=2, origin=origin)
        stage = await set_stage(agent(program), calls(("script", {})), written, says("8."))
        trace = (await stage.say("4 + 4")).trace
        assert kinds_in(trace) == ["user", "model", "model", "tool", "model", "agent"]
        model, tool = step_at(trace, 2, ModelStep), step_at(trace, 3, ToolStep)
        assert tool.output == {"code": "print(8)", "model": "played"}
        assert tool.start_us <= model.start_us <= model.end_us <= tool.end_us
        assert (model.model, model.usage, model.attempts, model.evidence) == ("played", usage, 2, {})
        assert (model.within, model.facts.response_id, model.facts.response_model) == (tool.call_id, "r1", "other-name")

    async def test_a_model_that_fails_a_tool_is_told_with_its_error(self, set_stage: SetStage) -> None:
        async def program(context: ToolContext) -> JsonObject:
            assert context.model is not None
            with pytest.raises(ModelUnavailable):
                await context.model.decide(QUESTION)
            return {}

        stage = await set_stage(agent(program), calls(("script", {})), ModelUnavailable("no model"), says("Sorry."))
        model = step_at((await stage.say("4 + 4")).trace, 2, ModelStep)
        assert model.error == StepFault(code="MODEL_UNAVAILABLE", message="no model")

    async def test_the_model_is_that_of_the_playbook(self, store: Store) -> None:
        async def program(context: ToolContext) -> JsonObject:
            assert context.model is not None
            return {"model": (await context.model.decide(QUESTION)).text}

        draft = AgentDraft()
        settings: JsonObject = {"llmModelSettings": {"model": "better"}}
        draft.playbook("Start", "Use ${TOOL: script}.", start=True, **settings)
        add_program(draft, "script", program)
        await draft.put(store)
        better = PlayedModel(calls(("script", {})), says("by the better one"), says("Done."))
        models = ModelDirectory(PlayedModel(), {"better": better})
        metrics = Metrics()
        engine = TurnEngine(store=store, toolbox=draft.shelf, models=models, metrics=metrics, owner="o", sealer=SEALER)
        trace = (await engine.run(asked("go"))).trace
        assert step_at(trace, 3, ToolStep).output == {"model": "by the better one"}
        assert 'openplaybook_model_calls_total{model="played",outcome="OK"} 3.0' in metrics.render()[0].decode()

    def test_a_model_that_writes_nothing_is_none_for_a_tool(self) -> None:
        assert tool_model(OfflineModel(), Metrics()) is None

    async def test_streamed_decisions_are_remembered_too(self) -> None:
        model = ToolModel(PlayedModel(says("one two"), ModelUnavailable("gone")), Metrics())
        items = [item async for item in model.stream(QUESTION)]
        assert items == [TextDelta("one "), TextDelta("two "), says("one two")]
        with pytest.raises(ModelError):
            _ = [item async for item in model.stream(QUESTION)]
        assert [asked.error and asked.error.code for asked in model.asked] == [None, "MODEL_UNAVAILABLE"]


class TestFiles:
    async def test_files_of_a_request_are_there_when_the_turn_begins(self, set_stage: SetStage, store: Store) -> None:
        async def program(context: ToolContext) -> JsonObject:
            assert context.files is not None
            return {"files": [[file.name, file.data.decode()] for file in await context.files.newest(1000)]}

        stage = await set_stage(agent(program), calls(("script", {})), says("Done."))
        files = (GivenFile("a.csv", "text/csv", b"1"), GivenFile("b.csv", "text/csv", b"2"))
        result = await stage.run(asked("go", files=files))
        assert step_at(result.trace, 2, ToolStep).output == {"files": [["b.csv", "2"], ["a.csv", "1"]]}

    async def test_a_request_that_comes_twice_keeps_its_files_once(self, set_stage: SetStage, store: Store) -> None:
        async def program(context: ToolContext) -> JsonObject:
            return {}

        stage = await set_stage(agent(program), says("Done."))
        request = asked("go", files=(GivenFile("a.csv", "text/csv", b"1"),), request_key="k")
        await asyncio.gather(stage.run(request), stage.run(request))
        assert len(await store.blobs(f"{SESSION}/files/")) == 1

    async def test_the_newest_come_first_and_no_more_than_is_asked_for(self, store: Store) -> None:
        files = SessionFiles(store, SESSION)
        for name, size in (("a", 10), ("b", 500), ("c", 10)):
            await files.put(name, "text/plain", name.encode() * size)
        assert [file.name for file in await files.newest(520)] == ["c", "b", "a"]
        # A large one does not hide what is older.
        assert [file.name for file in await files.newest(519)] == ["c", "b"]
        assert [file.name for file in await files.newest(20)] == ["c", "a"]
        assert await files.newest(0) == []

    async def test_a_file_that_is_given_again_is_the_newest_again(self, store: Store) -> None:
        files = SessionFiles(store, SESSION)
        for name in ("a", "b", "a"):
            await files.put(name, "text/plain", name.encode())
        assert [file.name for file in await files.newest(100)] == ["a", "b"]
