"""The models that agents and apps ask for, for what is done in their name outside of conversations."""

from openplaybook.jsonvalues import JsonObject, as_object, loads
from openplaybook.models.base import Model
from openplaybook.models.model_directory import ModelDirectory
from openplaybook.resources.ces.agent_compiler import compile_model_settings
from openplaybook.resources.names import AGENTS, APPS, GENERATIVE_SETTINGS
from openplaybook.resources.tool_kinds import tool_kinds
from openplaybook.services.errors import not_found
from openplaybook.services.stored_records import every_record
from openplaybook.storage.base import Store
from openplaybook.telemetry.metrics import Metrics
from openplaybook.turns.agent.dialogflow_agents import agent_settings
from openplaybook.turns.steps.model_calls import tool_model


class AgentModels:
    """Finds models by the settings of agents and apps."""

    def __init__(self, store: Store, models: ModelDirectory, metrics: Metrics) -> None:
        self._store = store
        self._models = models
        self.metrics = metrics

    async def of(self, root: str) -> Model:
        """The model that the agent, or the app, of that resource name asks for. NOT_FOUND: there is none."""
        record = await self._store.get(root)
        if record is not None and record.kind == APPS.kind:
            model_name = compile_model_settings(as_object(loads(record.body)).get("modelSettings")).model
        elif record is not None and record.kind == AGENTS.kind:
            language = str(as_object(loads(record.body)).get("defaultLanguageCode", ""))
            settings = await every_record(self._store, root, GENERATIVE_SETTINGS.kind)
            model_name = agent_settings([as_object(loads(each.body)) for each in settings], language).model
        else:
            raise not_found("App" if APPS.fits(root) else "Agent", root)
        return self._models.resolve(model_name)[0]

    async def for_tool(self, root: str, tool: JsonObject) -> Model | None:
        """The model of that agent, or app, for one of its tools; None where tools of its kind ask none, or it writes
        nothing. NOT_FOUND as above."""
        kind = tool_kinds().of(tool)
        asks = kind is not None and (kind.asks_model or bool(kind.built_in))
        return tool_model(await self.of(root), self.metrics) if asks else None
