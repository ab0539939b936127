"""Puts our own service on the registry."""

from openplaybook.services.errors import translated
from openplaybook.services.openplaybook.checks import Machine
from openplaybook.services.openplaybook.doctor import Doctor
from openplaybook.services.openplaybook.tools import ToolBuilder, ToolExecution
from openplaybook.storage.base import Store
from openplaybook.wire.api import Api
from openplaybook.wire.registry import Registry

SERVICE = "openplaybook.v1.OpenPlaybook"


def register(registry: Registry, api: Api, store: Store, toolbox: ToolBuilder, machine: Machine) -> None:
    """Serve `Doctor` and `ExecuteTool`."""
    registry.unary(f"{SERVICE}.Doctor", Doctor(api, machine).doctor)
    registry.unary(f"{SERVICE}.ExecuteTool", translated(ToolExecution(api, store, toolbox).execute))
