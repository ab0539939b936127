"""`Cluster`: lends the pods of a warm pool, each by a claim of its own."""

import asyncio
import logging
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from openplaybook.egress.base import Transport
from openplaybook.jsonvalues import JsonObject
from openplaybook.sandbox.base import Layer, SandboxUnavailable
from openplaybook.sandbox.remote.base import MachineLost, RemoteMachine
from openplaybook.sandbox.remote.kubernetes.claims import CLAIMS, OURS, ClaimState, claim, lifecycle, overdue, state_of
from openplaybook.sandbox.remote.kubernetes.cluster_api import KubernetesApi, KubernetesRefused
from openplaybook.sandbox.remote.kubernetes.kubernetes_settings import KubernetesSettings
from openplaybook.sandbox.remote.kubernetes.pod import Pod, way_to
from openplaybook.sandbox.remote.kubernetes.pool_layers import layers_of
from openplaybook.sandbox.remote.leftovers import Leftovers
from openplaybook.sandbox.remote.machine_http import MachineHttp, one_line

_LOG = logging.getLogger("openplaybook.sandbox")
_PAUSE_S = 0.1
"""Between looks at a claim whose watch told nothing."""
_SWEEP_EVERY_S = 600.0


class Cluster:
    """Machines of one warm pool. A claim is deleted when it is given back; where we cannot, the cluster deletes it at
    its `shutdownTime`, and where that did not happen either, the next sweep of any of our servers does."""

    name = "kubernetes"

    def __init__(self, settings: KubernetesSettings, transport: Transport) -> None:
        self._settings = settings
        self._transport = transport
        self._api = KubernetesApi(settings, transport)
        self._leftovers = Leftovers()
        self._swept: float | None = None

    async def acquire(self, seconds: float) -> RemoteMachine:
        """Claim a pod and wait until it is ready; raises `SandboxUnavailable`."""
        self._sweep_now_and_then()
        wanted = claim(self._settings.pool, datetime.now(UTC) + timedelta(seconds=seconds + self._settings.ready_s))
        name: str = wanted["metadata"]["name"]
        try:
            state = await self._claimed(name, wanted)
        except BaseException:
            # Also when the caller has gone, and when nobody knows whether the claim was made.
            self._leftovers.add(self._delete(name), f"giving back claim {name}")
            raise
        url, headers = way_to(state, self._settings)
        http = MachineHttp(self._transport, state.sandbox, url, headers)
        return Pod(name, http, lambda until: self._extend(name, until), lambda: self._delete(name))

    async def layers(self) -> Sequence[Layer]:
        """The API, the pool and what its template says of the walls."""
        return await layers_of(self._api)

    async def aclose(self) -> None:
        """Finish deleting claims."""
        await self._leftovers.aclose()

    async def _claimed(self, name: str, wanted: JsonObject) -> ClaimState:
        try:
            return await self._ready(name, await self._api.create(CLAIMS, wanted))
        except KubernetesRefused as refused:
            raise refused.unavailable("a SandboxClaim") from refused

    async def _ready(self, name: str, document: JsonObject) -> ClaimState:
        deadline = time.monotonic() + self._settings.ready_s
        while True:
            state = state_of(document)
            if state.ready and state.sandbox and (state.addresses or self._settings.router):
                return state
            left = deadline - time.monotonic()
            if state.hopeless or left <= 0:
                raise SandboxUnavailable(self._why(state))
            if not await self._api.changed(CLAIMS, name, state.version, left):
                await asyncio.sleep(_PAUSE_S)
            try:
                document = await self._api.read(CLAIMS, name)
            except KubernetesRefused as refused:
                if refused.status == 404:
                    raise SandboxUnavailable("the SandboxClaim was deleted before it had a sandbox") from refused
                raise

    def _why(self, state: ClaimState) -> str:
        reason = one_line([state.reason + ":" if state.reason else "", state.message]) or "no reason is given"
        if state.hopeless:
            return f"the cluster gives no sandbox: {reason}"
        return (
            f"no sandbox of the warm pool {self._settings.namespace}/{self._settings.pool} was ready within "
            f"{self._settings.ready_s:g} s ({reason}); give the pool more replicas, or the cluster more room"
        )

    async def _extend(self, name: str, until: datetime) -> None:
        try:
            await self._api.patch(CLAIMS, name, {"spec": lifecycle(until)})
        except (KubernetesRefused, SandboxUnavailable) as error:
            raise MachineLost(f"the claim {name} cannot be kept: {error}") from error

    async def _delete(self, name: str) -> None:
        try:
            await self._api.delete(CLAIMS, name)
        except (KubernetesRefused, SandboxUnavailable) as error:
            _LOG.warning("the claim %s is left to its shutdownTime: %s", name, error)

    def _sweep_now_and_then(self) -> None:
        now = time.monotonic()
        if self._swept is None or now - self._swept > _SWEEP_EVERY_S:
            self._swept = now
            self._leftovers.add(self._sweep(), "sweeping claims")

    async def _sweep(self) -> None:
        """Delete claims of ours, also of servers that died, whose time was over a while ago."""
        try:
            names = overdue(await self._api.list(CLAIMS, OURS), datetime.now(UTC))
        except (KubernetesRefused, SandboxUnavailable) as error:
            _LOG.warning("claims could not be swept: %s", error)
            return
        for name in names:
            await self._delete(name)
        if names:
            _LOG.warning("deleted %d claims whose time was over", len(names))
