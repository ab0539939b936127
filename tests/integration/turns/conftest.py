from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from openplaybook.credentials.sealer import Sealer
from openplaybook.models.model_directory import ModelDirectory
from openplaybook.storage.base import Store
from openplaybook.storage.sqlite import SqliteStore
from openplaybook.telemetry.metrics import Metrics
from openplaybook.turns.base import TextInput, ToolResultInput, TurnInput, TurnRequest, TurnResult
from openplaybook.turns.engine import TurnEngine
from openplaybook.turns.session.repeats import Deliveries
from openplaybook.turns.turn import TurnLimits
from tests.kit.agents import AGENT, SESSION, AgentDraft, PlayedModel
from tests.kit.apps import APP, APP_SESSION, AppDraft
from tests.kit.made_tables import with_tables
from tests.kit.sealing import SEALER


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = SqliteStore(with_tables(tmp_path / "openplaybook.db"))
    await opened.open()
    yield opened
    await opened.close()


class Stage:
    """An engine on a store, with an agent or an app and a model that plays a part."""

    def __init__(
        self, store: Store, draft: AgentDraft | AppDraft, model: PlayedModel, limits: TurnLimits | None = None
    ) -> None:
        self.store = store
        self.draft = draft
        self.model = model
        self._limits = limits
        is_app = isinstance(draft, AppDraft)
        self.where = {"agent": APP, "session": APP_SESSION} if is_app else {"agent": AGENT, "session": SESSION}
        self.engine = self.new_engine()

    def new_engine(
        self, owner: str = "owner", sealer: Sealer = SEALER, deliveries: Deliveries | None = None
    ) -> TurnEngine:
        """Another engine on the same store, as after a restart. It marks deliveries by itself where it is given what
        marks them."""
        return TurnEngine(
            store=self.store,
            toolbox=self.draft.shelf,
            models=ModelDirectory(self.model, {}),
            metrics=Metrics(),
            owner=owner,
            sealer=sealer,
            limits=self._limits,
            deliveries=deliveries,
        )

    async def say(self, text: str, **request: object) -> TurnResult:
        """One turn of user text."""
        return await self.run(asked(text, **{**self.where, **request}))

    async def give(self, given: TurnInput, **request: object) -> TurnResult:
        """One turn of any input."""
        return await self.run(replace(asked("", **{**self.where, **request}), input=given))

    async def answer(self, tool: str, action: str, **result: object) -> TurnResult:
        """One turn that brings a tool result."""
        name = f"{AGENT}/tools/{tool}"
        given = ToolResultInput(tool=name, action=action, **result)  # pyright: ignore[reportArgumentType]
        return await self.run(TurnRequest(agent=AGENT, session=SESSION, input=given, language_code="en"))

    async def run(self, request: TurnRequest) -> TurnResult:
        """One turn, whose answer reaches its client."""
        result = await self.engine.run(request)
        self.engine.delivered(request.session, result.turn)
        return result


def asked(text: str, **request: object) -> TurnRequest:
    """A request with the user's words."""
    fields: dict[str, object] = {"agent": AGENT, "session": SESSION, "language_code": "en", **request}
    return TurnRequest(input=TextInput(text), **fields)  # pyright: ignore[reportArgumentType]


SetStage = Callable[..., Awaitable[Stage]]


@pytest.fixture
def set_stage(store: Store) -> SetStage:
    """Puts an agent into the store and gives an engine whose model plays the given part."""

    async def build(draft: AgentDraft | AppDraft, *part: object, limits: TurnLimits | None = None) -> Stage:
        await draft.put(store)
        return Stage(store, draft, PlayedModel(*part), limits)  # pyright: ignore[reportArgumentType]

    return build
