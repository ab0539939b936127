"""OpenPlaybook.Doctor: what works in the process that serves, and which process that is."""

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from openplaybook.server.doctor.examination import ServerParts
from openplaybook.server.doctor.server_program import program_of
from openplaybook.wire.api import Api
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage

DOCTOR = "openplaybook.v1.OpenPlaybook.Doctor"
"""The full name of the RPC."""


@dataclass(frozen=True, slots=True)
class ServerStart:
    """What the process began with."""

    time_us: int
    """When it began, microseconds since the epoch."""
    settings: Mapping[str, str]
    """Every setting, without secrets."""
    variables: Sequence[str]
    """Names of the variables that keys, providers and the like are read from."""


class Doctor:
    """Looks at the process that serves."""

    def __init__(self, api: Api, start: ServerStart, parts: ServerParts) -> None:
        self._response = api.message("openplaybook.v1.DoctorResponse")
        self._start = start
        self._parts = parts

    async def doctor(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Every check with what it found, and who looked."""
        response = self._response()
        for check in await self._parts.examined(request.try_model):
            response.checks.add(name=check.name, ok=check.ok, detail=check.detail, remedy=check.remedy)
        program = await asyncio.to_thread(program_of)
        server = response.server
        server.version = program.version
        server.start_time.FromMicroseconds(self._start.time_us)
        server.process_id = os.getpid()
        server.program = str(program.folder)
        server.program_digest = program.digest
        server.program_changed = program.changed * 1_000_000 > self._start.time_us
        server.settings.update(self._start.settings)
        server.variables.extend(self._start.variables)
        return response
