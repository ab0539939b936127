"""What the services are made from; the server puts it together once."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from openplaybook.credentials.base import NoSecrets, Secrets
from openplaybook.jsonvalues import JsonObject
from openplaybook.models.model_directory import ModelDirectory
from openplaybook.services.bucket_objects import Buckets
from openplaybook.services.external_documents import ExternalDocuments
from openplaybook.services.inline_secrets import InlineSecrets
from openplaybook.services.large_messages import done_aside
from openplaybook.services.operations import OperationRunner
from openplaybook.services.resource_kinds import CES, CX, DISCOVERY
from openplaybook.storage.base import Store
from openplaybook.tools.base import Problem, ToolBuilder
from openplaybook.wire.api import Api
from openplaybook.wire.messages import ApiMessage


class ToolChecker(ToolBuilder, Protocol):
    """Says what is wrong with a tool resource, and compiles it; `tools.toolbox.Toolbox` is one."""

    def check(self, resource: JsonObject) -> Sequence[Problem]:
        """Every problem of a Tool in v3beta1 JSON; those that are errors make it unusable."""
        ...

    async def unmet(self, resource: JsonObject) -> Sequence[Problem]:
        """What such a tool names and cannot have, such as a secret: remarks, and errors that refuse it when saved."""
        ...


def _nobody() -> str:
    return ""


@dataclass(frozen=True, slots=True)
class WholeAgents:
    """Who has a whole agent or app in memory: one export, one import at a time, in the order in which they came.

    Each takes many times what its package takes, and Python does no two of them faster than one.
    """

    exported: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1))
    imported: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1))


@dataclass(frozen=True, slots=True)
class ServiceParts:
    """The parts that handlers of any service may use."""

    api: Api
    store: Store
    toolbox: ToolChecker
    operations: OperationRunner
    inline_secrets: InlineSecrets
    now_us: Callable[[], int]
    """The time: microseconds since the epoch, UTC."""
    secrets: Secrets = field(default_factory=NoSecrets)
    buckets: Buckets = field(default_factory=Buckets)
    whole_agents: WholeAgents = field(default_factory=WholeAgents)
    models: ModelDirectory | None = None
    """The models that playbooks are judged by; None where that is not done."""
    external_documents: ExternalDocuments | None = None
    """Gets what descriptions refer to elsewhere; None where the operator does not allow it."""
    caller: Callable[[], str] = _nobody
    """Who sent the request that is being answered, as logs call them; empty where the server asks nobody."""

    def cx(self, message: str) -> ApiMessage:
        """An empty Dialogflow CX message, named without its package."""
        return self.api.message(CX + message)()

    def ces(self, message: str) -> ApiMessage:
        """An empty message of CX Agent Studio, named without its package."""
        return self.api.message(CES + message)()

    def discovery(self, message: str, **fields: object) -> ApiMessage:
        """A message of the Discovery Engine, named without its package."""
        return self.api.message(DISCOVERY + message)(**fields)

    async def json_of(self, message: ApiMessage) -> JsonObject:
        """A message as JSON; a large one is written beside the event loop. Raises `RpcError` where that is busy."""
        return await done_aside(lambda: self.api.codec.to_json(message), message.ByteSize())

    def empty(self) -> ApiMessage:
        """The answer of methods that answer nothing."""
        return self.api.message("google.protobuf.Empty")()
