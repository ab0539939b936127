"""Puts our own service on the registry."""

from openplaybook.services.agent_models import AgentModels
from openplaybook.services.errors import translated
from openplaybook.services.openplaybook.doctor import Doctor
from openplaybook.services.openplaybook.files import SessionFiles
from openplaybook.services.openplaybook.generation import SchemaGeneration
from openplaybook.services.openplaybook.recordings import Recordings
from openplaybook.services.openplaybook.secrets import SecretStore
from openplaybook.services.openplaybook.tools import ToolExecution
from openplaybook.storage.base import Store
from openplaybook.tools.base import ToolBuilder
from openplaybook.wire.api import Api
from openplaybook.wire.registry import Registry

SERVICE = "openplaybook.v1.OpenPlaybook"


def register(
    registry: Registry,
    api: Api,
    store: Store,
    toolbox: ToolBuilder,
    doctor: Doctor,
    models: AgentModels | None = None,
) -> None:
    """Serve `Doctor`, `ExecuteTool`, `GetSessionFile` and `RecordSession`."""
    registry.unary(f"{SERVICE}.Doctor", doctor.doctor)
    registry.unary(f"{SERVICE}.ExecuteTool", translated(ToolExecution(api, store, toolbox, models).execute))
    registry.unary(f"{SERVICE}.GetSessionFile", translated(SessionFiles(api, store).get))
    registry.unary(f"{SERVICE}.RecordSession", translated(Recordings(api, store).record))


def register_secrets(registry: Registry, secrets: SecretStore) -> None:
    """Serve `AddSecretVersion`, `ListSecrets` and `DeleteSecret`."""
    registry.unary(f"{SERVICE}.AddSecretVersion", translated(secrets.add))
    registry.unary(f"{SERVICE}.ListSecrets", translated(secrets.list))
    registry.unary(f"{SERVICE}.DeleteSecret", translated(secrets.delete))


def register_generation(registry: Registry, generation: SchemaGeneration) -> None:
    """Serve `GenerateOpenApiSchema`."""
    registry.unary(f"{SERVICE}.GenerateOpenApiSchema", translated(generation.generate))
