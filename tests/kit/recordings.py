"""Agents on a stage of their own, conversations with them, and what recordings make of both."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from openplaybook.models.base import Model
from openplaybook.models.model_directory import ModelDirectory
from openplaybook.recordings.differences import ReplayDifference
from openplaybook.recordings.form import Recording
from openplaybook.recordings.recorded_session import record_session
from openplaybook.recordings.replay import ReplayStage, replay
from openplaybook.recordings.turn_comparison import ComparisonOptions, compare
from openplaybook.storage.sqlite import SqliteStore
from openplaybook.telemetry.metrics import Metrics
from openplaybook.turns.base import EventInput, TextInput, ToolResultInput, TurnInput, TurnRequest, TurnResult
from openplaybook.turns.engine import TurnEngine
from tests.kit.agents import AGENT, AgentDraft
from tests.kit.sealing import SEALER

SESSION_ID = "0c6f4b9e-conversation"
SESSION = f"{AGENT}/sessions/{SESSION_ID}"


@asynccontextmanager
async def staged(draft: AgentDraft) -> AsyncGenerator[ReplayStage]:
    """The agent in a store of its own."""
    with TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "openplaybook.db")
        await store.open()
        try:
            await draft.put(store)
            yield ReplayStage(store, AGENT, "Test", draft.shelf, SEALER)
        finally:
            await store.close()


class Talk:
    """A conversation with the agent of a stage."""

    def __init__(self, stage: ReplayStage, model: Model, session: str = SESSION) -> None:
        self._stage = stage
        self._session = session
        self._turns = 0
        self._engine = TurnEngine(
            store=stage.store,
            toolbox=stage.tools,
            models=ModelDirectory(model, {}),
            metrics=Metrics(),
            owner="owner",
            sealer=SEALER,
        )

    async def say(self, text: str, **request: object) -> TurnResult:
        """One turn of user text."""
        return await self._turn(TextInput(text), **request)

    async def give(self, tool: str, action: str, **result: object) -> TurnResult:
        """One turn that brings a tool result."""
        name = f"{AGENT}/tools/{tool}"
        return await self._turn(
            ToolResultInput(tool=name, action=action, **result)  # pyright: ignore[reportArgumentType]
        )

    async def tell(self, event: str) -> TurnResult:
        """One turn of an event."""
        return await self._turn(EventInput(event))

    async def recorded(self) -> Recording:
        """The recording of what was said so far."""
        return await record_session(self._stage.store, AGENT, self._session)

    async def _turn(self, given: TurnInput, **request: object) -> TurnResult:
        self._turns += 1
        fields: dict[str, object] = {"language_code": "en", "request_key": str(self._turns), **request}
        asked = TurnRequest(agent=AGENT, session=self._session, input=given, **fields)  # pyright: ignore[reportArgumentType]
        return await self._engine.run(asked)


async def replayed(recording: Recording, draft: AgentDraft, model: Model | None = None) -> Recording:
    """What happens when the agent is as in this draft."""
    async with staged(draft) as stage:
        return await replay(recording, stage, model=model, live_tools=False)


async def found(
    recording: Recording, draft: AgentDraft, options: ComparisonOptions | None = None
) -> Sequence[list[ReplayDifference]]:
    """The differences of each turn when the agent is as in this draft."""
    return compare(recording, await replayed(recording, draft), options or ComparisonOptions())
