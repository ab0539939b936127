"""OpenPlaybook.Doctor: what works in the process that serves, and which process that is."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from openplaybook.services.openplaybook.doctor_checks import Check
from openplaybook.services.openplaybook.server_program import program_of
from openplaybook.wire.api import Api
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage


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

    def __init__(self, api: Api, began: ServerStart, look: Callable[[bool], Awaitable[Sequence[Check]]]) -> None:
        """`look` runs every check. Its argument says whether to send the default model a short question."""
        self._response = api.message("openplaybook.v1.DoctorResponse")
        self._began = began
        self._look = look

    async def doctor(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Every check with what it found, and who looked."""
        response = self._response()
        for found in await self._look(request.try_model):
            response.checks.add(name=found.name, ok=found.ok, detail=found.detail, remedy=found.remedy)
        program = await asyncio.to_thread(program_of)
        server = response.server
        server.version = program.version
        server.start_time.FromMicroseconds(self._began.time_us)
        server.process_id = os.getpid()
        server.program = str(program.folder)
        server.program_digest = program.digest
        server.program_changed = program.changed * 1_000_000 > self._began.time_us
        server.settings.update(self._began.settings)
        server.variables.extend(self._began.variables)
        return response
