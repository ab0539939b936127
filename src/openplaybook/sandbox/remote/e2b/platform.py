"""`Platform`: lends sandboxes of E2B."""

import logging
from collections.abc import Sequence

from openplaybook.egress.base import Transport
from openplaybook.jsonvalues import JsonObject
from openplaybook.sandbox.base import Layer, SandboxUnavailable
from openplaybook.sandbox.remote.base import RemoteMachine
from openplaybook.sandbox.remote.e2b.e2b_settings import E2bSettings
from openplaybook.sandbox.remote.e2b.platform_api import E2bApi, E2bRefused, new_mark
from openplaybook.sandbox.remote.e2b.sandbox import CODE_PORT, ENVD_PORT, Sandbox, killed, way_to
from openplaybook.sandbox.remote.leftovers import Leftovers
from openplaybook.sandbox.remote.machine_http import MachineHttp

_LOG = logging.getLogger("openplaybook.sandbox")


class Platform:
    """Sandboxes of one template. Each ends by its own timeout, whoever has died by then."""

    name = "e2b"

    def __init__(self, settings: E2bSettings, transport: Transport) -> None:
        self._settings = settings
        self._transport = transport
        self._api = E2bApi(settings, transport)
        self._leftovers = Leftovers()

    async def acquire(self, seconds: float) -> RemoteMachine:
        """Create a sandbox; raises `SandboxUnavailable`."""
        mark = new_mark()
        try:
            created = await self._api.create(mark, seconds)
            return self._sandbox(created)
        except BaseException:
            # The answer may have been lost, or the caller gone, after the sandbox was made.
            self._leftovers.add(self._kill_marked(mark), "giving back a sandbox")
            raise

    async def layers(self) -> Sequence[Layer]:
        """Whether the platform takes our key."""
        try:
            await self._api.marked("none")
        except E2bRefused as refused:
            words = f"E2B answered {refused.status}: {refused}"
            return [Layer("E2B API", False, words, remedy="check the API key")]
        except SandboxUnavailable as error:
            return [Layer("E2B API", False, str(error), remedy="check the network, and https://status.e2b.dev")]
        return [Layer("E2B API", True, f"{self._settings.api}, template {self._settings.template}")]

    async def aclose(self) -> None:
        """Finish killing sandboxes."""
        await self._leftovers.aclose()

    def _sandbox(self, created: JsonObject) -> Sandbox:
        files, code = (
            MachineHttp(self._transport, str(created.get("sandboxID")), *way_to(created, self._settings, port))
            for port in (ENVD_PORT, CODE_PORT)
        )
        return Sandbox(files.machine, files, code, self._api)

    async def _kill_marked(self, mark: str) -> None:
        try:
            sandboxes = await self._api.marked(mark)
        except (E2bRefused, SandboxUnavailable) as error:
            _LOG.warning("a sandbox, if one was made, is left to its timeout: %s", error)
            return
        for sandbox in sandboxes:
            await killed(self._api, sandbox)
