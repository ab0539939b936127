"""Everything that doctor looks at: of a server that runs its own parts, else what a server with these settings would
have. And the RPC that says it, with the process that serves."""

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from openplaybook.models.base import Model
from openplaybook.models.model_directory import create_directory
from openplaybook.models.model_keys import key_of
from openplaybook.models.model_trial import try_model
from openplaybook.sandbox.base import Executor
from openplaybook.server.doctor.checks import Check, check_code, check_executor, check_machine
from openplaybook.server.doctor.identity_checks import check_identities
from openplaybook.server.doctor.server_program import program_of
from openplaybook.server.doctor.store_checks import (
    check_buckets,
    check_connections,
    check_database,
    check_master_key,
    check_open_database,
    check_secret_stores,
)
from openplaybook.server.masked_settings import chosen_settings
from openplaybook.server.readiness import Readiness
from openplaybook.server.settings import Settings, unknown_variables
from openplaybook.wire.api import Api
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage

_TRIAL_S = 60.0
"""For each request of a trial of the model."""

DOCTOR = "openplaybook.v1.OpenPlaybook.Doctor"
"""The full name of the RPC."""


@dataclass(frozen=True, slots=True)
class ServerParts:
    """The parts of a running server that are looked at in place of new ones."""

    settings: Settings
    model: Model
    """The one that answers by default."""
    executor: Executor | None
    readiness: Readiness
    local_services: Sequence[str]
    """Origins on this machine that tools may call besides what the settings allow."""

    async def examined(self, ask_model: bool) -> list[Check]:
        """Every check of this process; with `ask_model` the default model is asked one small question."""
        checks = await examined(self.settings, os.environ, self)
        return [*checks, *await check_model(self.settings, self.model, os.environ)] if ask_model else checks


async def examined(
    settings: Settings, environment: Mapping[str, str], server: ServerParts | None = None
) -> list[Check]:
    """Every check of the machine that a server with these settings would run on, or does. Changes nothing, reads no
    secret."""
    return [
        *await check_machine(settings, environment, server.local_services if server else ()),
        _settings(settings, environment),
        *await (check_database(settings) if server is None else check_open_database(settings, server.readiness)),
        *check_master_key(settings, environment),
        *await check_secret_stores(settings),
        *await check_buckets(settings, environment),
        *await check_connections(settings),
        *check_identities(settings),
        *await (check_code(settings, environment) if server is None else check_executor(settings, server.executor)),
    ]


async def examined_here(settings: Settings, environment: Mapping[str, str], *, ask_model: bool) -> list[Check]:
    """The same without a server, in a process that has its settings and variables."""
    checks = await examined(settings, environment)
    if ask_model and all(check.ok for check in checks if check.name == "model"):
        models = create_directory(settings.model, settings.model_aliases, environment)
        try:
            checks += await check_model(settings, models.default, environment)
        finally:
            await models.aclose()
    return checks


async def check_model(settings: Settings, model: Model, environment: Mapping[str, str]) -> list[Check]:
    """What became of one small question to the default model, with the key that this process has."""
    trial = await try_model(model, key_of(settings.model, environment), _TRIAL_S)
    return [
        Check(f"model: {each.name}", each.ok, each.detail or "yes", "" if each.ok else "docs/models.md says what helps")
        for each in trial.observations
        if each.ok is not None and each.name != "configured"
    ]


def _settings(settings: Settings, environment: Mapping[str, str]) -> Check:
    chosen = {name: value for name, value in chosen_settings(settings).items() if name != "data_dir"}
    detail = ", ".join(f"{name}={value}" for name, value in chosen.items())
    return Check("settings", True, detail or "all as by default", "; ".join(unknown_variables(environment)))


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
