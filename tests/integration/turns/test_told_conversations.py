"""Conversations that the offline model holds in the real engine, and every call that it makes in them.

They are data: `tests/conversations`. Those beneath `blind` and `later` were written before anybody knew how the
planner would take them.
"""

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import Effect
from openplaybook.models.model_directory import ModelDirectory
from openplaybook.models.offline import OfflineModel
from openplaybook.storage.base import Store
from openplaybook.telemetry.metrics import Metrics
from openplaybook.tools.base import Action, ExecutionPlace, Success
from openplaybook.turns.base import ToolCallMessage, ToolResultInput, TurnRequest, TurnResult
from openplaybook.turns.engine import TurnEngine
from tests.integration.turns.conftest import asked
from tests.kit.agents import AGENT, START, AgentDraft, RememberedTool
from tests.kit.sealing import SEALER
from tests.kit.told_conversations import Conversation, ToldAgent, told_agents

AGENTS = [agent for folder in ("", "blind", "later") for agent in told_agents(folder)]
Calls = list[tuple[str, JsonObject]]


def drafted(told: ToldAgent, calls: Calls) -> AgentDraft:
    """The agent with its tools, whose calls are written down."""
    draft = AgentDraft()
    steps = " ".join(f"${{TOOL: {name}}}" for name in told.tools)
    draft.playbook("Desk", steps, start=True, goal=told.goal)
    for name in told.tools:
        draft.tool(name)
        draft.shelf.tools[name] = tool(told, name, calls)
    for number, example in enumerate(told.examples):
        actions = [action_in_example(told, each) for each in example["says"]]
        document = {"displayName": example["name"], "actions": actions, "conversationState": "OUTPUT_STATE_OK"}
        draft.document("example", f"{START}/examples/{number}", document)
    return draft


def tool(told: ToldAgent, name: str, calls: Calls) -> RememberedTool:
    effect, gives = told.effect(name), told.tools[name]["gives"]
    action = Action(
        name=name,
        action=name,
        tool=f"{AGENT}/tools/{name}",
        tool_display_name=name,
        description=told.tools[name]["description"],
        input_schema=told.schema(name),
        place=ExecutionPlace.CLIENT if effect is Effect.CLIENT else ExecutionPlace.SERVER,
        is_read_only=effect is Effect.READS,
    )

    def answer(call: object, context: object) -> Success:
        calls.append((name, call.arguments))  # pyright: ignore[reportAttributeAccessIssue]
        return Success({"200": gives})

    return RememberedTool([action], answer)


def action_in_example(told: ToldAgent, said: JsonValue) -> JsonObject:
    if isinstance(said, str):
        who = "userUtterance" if said.startswith("U: ") else "agentUtterance"
        return {who: {"text": said[3:]}}
    use = {"tool": f"{AGENT}/tools/{said['call']}", "action": said["call"]}
    given = {"inputActionParameters": said["with"], "outputActionParameters": {"200": said["gives"]}}
    return {"toolUse": {**use, **given}}


class Desk:
    """The engine with an agent, and a client that answers the calls that are its own."""

    def __init__(self, told: ToldAgent, store: Store) -> None:
        self.calls: Calls = []
        self._told, self._store = told, store
        self._draft = drafted(told, self.calls)

    async def open(self) -> None:
        """Store the agent."""
        await self._draft.put(self._store)
        models = ModelDirectory(OfflineModel(), {})
        shelf = self._draft.shelf
        self._engine = TurnEngine(
            store=self._store, toolbox=shelf, models=models, metrics=Metrics(), owner="owner", sealer=SEALER
        )

    async def say(self, session: str, language: str, text: str) -> Calls:
        """One line of the user, and the calls that came of it."""
        self.calls.clear()
        request = asked(text, session=session, language_code=language)
        result = await self._run(request)
        while result.paused:
            called = next(each for each in result.messages if isinstance(each, ToolCallMessage))
            self.calls.append((called.action, called.arguments))
            given = ToolResultInput(
                tool=called.tool, action=called.action, output=self._told.tools[called.action]["gives"]
            )
            result = await self._run(TurnRequest(AGENT, session, given, language))
        return [*self.calls]

    async def _run(self, request: TurnRequest) -> TurnResult:
        result = await self._engine.run(request)
        self._engine.delivered(request.session, result.turn)
        return result


async def held(desk: Desk, number: int, conversation: Conversation) -> list[str]:
    """What went otherwise than it is told; empty when nothing did."""
    wrong: list[str] = []
    for line in conversation.lines:
        calls = await desk.say(f"{AGENT}/sessions/{number}", conversation.language, line.text)
        if calls != list(line.calls):
            wrong.append(f"{conversation.title} > {line.text}: called {calls}, told {line.calls}")
    return wrong


@pytest.mark.proves("X9")
@pytest.mark.parametrize("told", AGENTS, ids=lambda told: told.name)
async def test_every_conversation_makes_the_calls_that_are_told_and_no_others(told: ToldAgent, store: Store) -> None:
    desk = Desk(told, store)
    await desk.open()
    wrong = [each for number, one in enumerate(told.conversations) for each in await held(desk, number, one)]
    assert wrong == []


def test_there_are_conversations_enough_in_domains_and_languages_enough() -> None:
    conversations = [one for agent in AGENTS for one in agent.conversations]
    assert len(conversations) >= 90
    assert {one.language for one in conversations} == {"en", "de", "es", "fr"}
