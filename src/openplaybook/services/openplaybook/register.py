"""Puts our own service on the registry."""

from openplaybook.services.agent_models import AgentModels
from openplaybook.services.errors import translated
from openplaybook.services.openplaybook.doctor import Doctor
from openplaybook.services.openplaybook.execute_tool import ToolExecution
from openplaybook.services.openplaybook.files import SessionFileExport
from openplaybook.services.openplaybook.generation import SchemaGeneration
from openplaybook.services.openplaybook.secret_store import SecretStore
from openplaybook.services.openplaybook.session_exports import Recordings
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
    registry.unary(f"{SERVICE}.GetSessionFile", translated(SessionFileExport(api, store).get))
    registry.unary(f"{SERVICE}.RecordSession", translated(Recordings(api, store).record))


def register_secrets(registry: Registry, secrets: SecretStore) -> None:
    """Serve `AddSecretVersion`, `ListSecrets` and `DeleteSecret`."""
    registry.unary(f"{SERVICE}.AddSecretVersion", translated(secrets.add))
    registry.unary(f"{SERVICE}.ListSecrets", translated(secrets.list))
    registry.unary(f"{SERVICE}.DeleteSecret", translated(secrets.delete))


def register_generation(registry: Registry, generation: SchemaGeneration) -> None:
    """Serve `GenerateOpenApiSchema`."""
    registry.unary(f"{SERVICE}.GenerateOpenApiSchema", translated(generation.generate))
