"""A claimed pod: the agent-sandbox project's Python runtime (`examples/python-runtime-sandbox`, port 8888).

`POST /upload` takes a form with a file whose name is its place below the runtime's folder; `POST /execute` runs a
command there without a shell; `GET /download/PATH` reads a file. The router in front of it is told by headers where to.
"""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import quote

from openplaybook.jsonvalues import as_object, dumps, loads
from openplaybook.sandbox.remote.base import FOLDER, ArchiveExit, MachineLost
from openplaybook.sandbox.remote.kubernetes.claims import ClaimState
from openplaybook.sandbox.remote.kubernetes.kubernetes_settings import KubernetesSettings
from openplaybook.sandbox.remote.machine_http import Headers, MachineHttp, form_of

_ANSWER_S = 5.0
"""What the runtime's answer may take beyond the time that it gives the command."""
_MAX_ANSWER = 1_000_000


@dataclass(frozen=True, slots=True)
class Pod:
    """A pod that a claim of ours has."""

    name: str
    http: MachineHttp
    extend: Callable[[datetime], Awaitable[None]]
    delete: Callable[[], Awaitable[None]]

    async def put(self, name: str, data: bytes) -> None:
        """Write a file into `FOLDER`."""
        form, content_type = form_of(f"{FOLDER}/{name}", data)
        await self.http.send("POST", "/upload", body=form, content_type=content_type, repeatable=True)

    async def run(self, archive: str, seconds: float) -> ArchiveExit:
        """Run an archive of `FOLDER`."""
        response = await self.http.send(
            "POST",
            "/execute",
            body=dumps({"command": f"python3 {FOLDER}/{archive}", "timeout_seconds": seconds}),
            content_type="application/json",
            # How long the router waits.
            headers=(("X-Sandbox-Timeout", f"{seconds + _ANSWER_S:g}"),),
            seconds=seconds + 2 * _ANSWER_S,
            most=_MAX_ANSWER,
        )
        try:
            answer = as_object(loads(response.body))
        except json.JSONDecodeError as error:
            raise MachineLost(f"sandbox {self.name} is lost: it did not answer with JSON") from error
        exit_code = answer.get("exit_code")
        if not isinstance(exit_code, int):
            raise MachineLost(f"sandbox {self.name} is lost: its answer has no exit_code")
        return ArchiveExit(exit_code, str(answer.get("stderr", "")))

    async def get(self, name: str, most: int) -> bytes:
        """Read a file of `FOLDER`."""
        path = f"/download/{quote(f'{FOLDER}/{name}', safe='')}"
        return (await self.http.send("GET", path, most=most, repeatable=True)).body

    async def keep(self, seconds: float) -> None:
        """Have the claim end so much later."""
        await self.extend(datetime.now(UTC) + timedelta(seconds=seconds))

    async def release(self) -> None:
        """Delete the claim, and with it the pod."""
        await self.delete()


def way_to(state: ClaimState, settings: KubernetesSettings) -> tuple[str, Headers]:
    """The URL at which a claimed pod is reached, and the headers that lead there."""
    address = state.addresses[0] if state.addresses else ""
    if not settings.router:
        return f"http://{f'[{address}]' if ':' in address else address}:{settings.port}", ()
    headers = (
        ("X-Sandbox-ID", state.sandbox),
        ("X-Sandbox-Namespace", settings.namespace),
        ("X-Sandbox-Port", str(settings.port)),
    )
    return settings.router, (*headers, ("X-Sandbox-Pod-IP", address)) if address else headers
