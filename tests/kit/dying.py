"""A process that dies at a chosen point of its turns, played inside the test's own."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import FunctionResult, Model, ModelReply, ModelTurn, RequestedCall
from openplaybook.models.model_directory import ModelDirectory
from openplaybook.storage.sqlite import SqliteStore
from openplaybook.telemetry.metrics import Metrics
from openplaybook.tools.base import ExecutionPlace
from openplaybook.turns.base import TextInput, ToolCallMessage, ToolResultInput, TurnInput, TurnRequest, TurnResult
from openplaybook.turns.engine import TurnEngine
from openplaybook.turns.session.repeats import Deliveries
from tests.faults.faults import Fault
from tests.faults.points import FaultyToolbox, arm_models, arm_store
from tests.kit.agents import AGENT, AgentDraft, PlayedModel, ToolShelf
from tests.kit.made_tables import with_tables
from tests.kit.programs import Program, add_program
from tests.kit.sealing import SEALER

SERVER, CLIENT, PROGRAM = "charge", "sign", "batch"


@dataclass
class DiesAt:
    """A fault at the n-th point that is passed, deliveries left out; nothing comes after it. With 0 it only counts."""

    nth: int = 0
    points: list[str] = field(default_factory=list[str])
    died: asyncio.Event = field(default_factory=asyncio.Event)

    async def passed(self, point: str, session: str) -> None:
        """Note the point, and stop the world where it is the one."""
        # Answers are marked as delivered when a timer says so: these points come now here, now there.
        if not point.startswith("mark."):
            self.points.append(point)
            if len(self.points) == self.nth:
                self.died.set()
        if self.died.is_set():
            await asyncio.Event().wait()


@dataclass(frozen=True)
class Plan:
    """A turn: rounds of calls, each a reply of the model; `charge` is made by the server, `sign` by the client, and
    `batch` runs a program."""

    rounds: Sequence[Sequence[str]]

    def __str__(self) -> str:
        return " then ".join(" and ".join(calls) for calls in self.rounds)

    def reply(self, turn: ModelTurn) -> ModelReply:
        """What a model says that follows the plan; it depends on the conversation alone."""
        results = results_in(turn)
        made = 0
        for calls in self.rounds:
            if made == len(results):
                wanted = [RequestedCall(f"m{n}", name, {"n": n}) for n, name in enumerate(calls, made + 1)]
                return ModelReply(text="", calls=tuple(wanted), model="played")
            made += len(calls)
        return ModelReply(text=f"Done: {', '.join(_word(each) for each in results)}.", calls=(), model="played")


def results_in(turn: ModelTurn) -> list[FunctionResult]:
    """The results that the conversation holds since the user's latest words."""
    entries = list(turn.conversation)
    since = max((at for at, entry in enumerate(entries) if type(entry).__name__ == "UserText"), default=-1)
    return [entry for entry in entries[since:] if isinstance(entry, FunctionResult)]


def _word(result: FunctionResult) -> str:
    if result.is_error:
        return result.output["error"]["code"]
    return str(result.output.get("said", "ok"))


class World:
    """What outlives a process: the database, and the services that its tools call."""

    def __init__(self, path: Path, plan: Plan, *, safe_to_repeat: bool = False, program: Program | None = None) -> None:
        self._path = with_tables(path)
        self.draft = AgentDraft()
        steps = f"Use ${{TOOL: {SERVER}}}, ${{TOOL: {CLIENT}}} and ${{TOOL: {PROGRAM}}}."
        self.draft.playbook("Start", steps, start=True)
        if program is not None:
            add_program(self.draft, PROGRAM, program)
        self.draft.tool(SERVER, safe_to_repeat=safe_to_repeat)
        self.draft.tool(CLIENT, place=ExecutionPlace.CLIENT)
        self._plan = plan

    @property
    def charged(self) -> list[JsonObject]:
        """Arguments of every call that reached the service."""
        return [call.arguments for call in self.draft.shelf.tools[SERVER].invoked]

    async def process(self, fault: Fault | None = None) -> "Process":
        """A process as it starts."""
        return await started(self._path, self.draft.shelf, _Planned(self._plan), fault)


class _Planned(PlayedModel):
    def __init__(self, plan: Plan) -> None:
        super().__init__()
        self._plan = plan

    async def decide(self, turn: ModelTurn) -> ModelReply:
        return self._plan.reply(turn)


@dataclass
class Process:
    """An engine and its store."""

    store: SqliteStore
    engine: TurnEngine
    deliveries: Deliveries
    agent: str = AGENT

    async def end(self) -> None:
        """Give the database back; what is not written stays so."""
        await self.store.close()

    async def ask(self, given: TurnInput, key: str | None, fault: DiesAt | None = None) -> TurnResult | None:
        """What comes of an input in the session `s`, as `run`."""
        session = f"{self.agent}/sessions/s"
        request = TurnRequest(agent=self.agent, session=session, input=given, language_code="en", request_key=key)
        return await self.run(request, fault)

    async def run(self, request: TurnRequest, fault: DiesAt | None = None) -> TurnResult | None:
        """The answer, which the client gets; None when the process dies first."""
        turn = asyncio.create_task(self.engine.run(request))
        death = asyncio.create_task((fault.died if fault else asyncio.Event()).wait())
        await asyncio.wait({turn, death}, return_when=asyncio.FIRST_COMPLETED)
        death.cancel()
        if fault is not None and fault.died.is_set():
            turn.cancel()
            await asyncio.wait({turn})
            return None
        result = await turn
        self.engine.delivered(request.session, result.turn)
        return result


async def started(path: Path, shelf: ToolShelf, model: Model, fault: Fault | None, agent: str = AGENT) -> Process:
    """A process as it starts on the database of that path."""
    store = SqliteStore(path)
    await store.open()
    await store.end_leases()
    models = ModelDirectory(model, {})
    if fault is not None:
        arm_store(store, fault)
        arm_models(models, fault)
    deliveries = Deliveries(store)
    engine = TurnEngine(
        store=store,
        toolbox=FaultyToolbox(shelf, fault) if fault else shelf,
        models=models,
        metrics=Metrics(),
        owner=f"process {id(store)}",
        sealer=SEALER,
        deliveries=deliveries,
    )
    return Process(store, engine, deliveries, agent)


Again = Callable[[], Awaitable[Process]]


async def converse(process: Process, again: Again, keyed: bool, fault: DiesAt | None = None) -> str:
    """The agent's last words to a client that signs what it is asked to, and tries again when nobody answers."""
    given: TurnInput = TextInput("pay")
    for number in range(1, 12):
        key = f"request {number}" if keyed else None
        result = await process.ask(given, key, fault)
        if result is None:
            await process.end()
            process, fault = await again(), None
            result = await process.ask(given, key)
            assert result is not None
        asked = [message for message in result.messages if isinstance(message, ToolCallMessage)]
        if not asked:
            await process.deliveries.close()
            await process.end()
            return " ".join(getattr(message, "text", "") for message in result.messages)
        given = ToolResultInput(tool=asked[0].tool, action=asked[0].action, output={"signed": number})
    raise AssertionError("the conversation has no end")
