"""The models that agents ask for, for what is done in their name outside of conversations."""

from openplaybook.jsonvalues import as_object, loads
from openplaybook.models.base import Model
from openplaybook.models.directory import ModelDirectory
from openplaybook.resources.names import AgentName
from openplaybook.services.errors import not_found
from openplaybook.storage.base import Store
from openplaybook.telemetry.metrics import Metrics
from openplaybook.turns.compiling import agent_settings


class AgentModels:
    """Finds models by the settings of agents."""

    def __init__(self, store: Store, models: ModelDirectory, metrics: Metrics) -> None:
        self._store = store
        self._models = models
        self.metrics = metrics

    async def of(self, agent: str) -> Model:
        """The model that the settings of the agent of that resource name ask for. NOT_FOUND: no such agent."""
        records = await self._store.scan(agent)
        document = next((as_object(loads(each.body)) for each in records if each.kind == AgentName.kind), None)
        if document is None:
            raise not_found("Agent", agent)
        settings = [as_object(loads(each.body)) for each in records if each.kind == "generative_settings"]
        asked = agent_settings(settings, str(document.get("defaultLanguageCode", ""))).model
        return self._models.resolve(asked)[0]
