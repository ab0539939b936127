"""What doctor looks at: of a server that runs its own parts, else what a server with these settings would have."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from openplaybook.credentials.identity.accounts import parse_accounts
from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.models.base import Model
from openplaybook.models.model_directory import create_directory
from openplaybook.models.model_keys import key_of
from openplaybook.models.model_trial import try_model
from openplaybook.resources.secret_names import SecretVersionName
from openplaybook.sandbox.base import Executor
from openplaybook.server.buckets import buckets_of
from openplaybook.server.code_checks import check_code, check_executor
from openplaybook.server.configured_credentials import directory_of
from openplaybook.server.entrance_checks import check_entrance
from openplaybook.server.errors import SettingsError
from openplaybook.server.masked_settings import chosen_settings
from openplaybook.server.readiness import Readiness
from openplaybook.server.secrets import key_places, secrets_of
from openplaybook.server.settings import Settings, unknown_variables
from openplaybook.server.stores import look_at_database
from openplaybook.server.transports import LateTransport
from openplaybook.services.openplaybook.bucket_checks import check_bucket
from openplaybook.services.openplaybook.doctor_checks import Check, ServerHost, examine
from openplaybook.services.openplaybook.identity_checks import check_accounts
from openplaybook.services.openplaybook.secret_checks import check_backend, check_master_key
from openplaybook.storage.data_directory import DataDirectory
from openplaybook.storage.errors import StoreUnusable

_TRIAL_S = 60.0
"""For each request of a trial of the model."""


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
    settings: Settings, environment: Mapping[str, str], serving: ServerParts | None = None
) -> list[Check]:
    """Every check of the machine that a server with these settings would run on, or does. Changes nothing, reads no
    secret."""
    machine = ServerHost(
        data_dir=settings.data_dir,
        model=settings.model,
        model_aliases=settings.model_aliases,
        egress_allow=settings.egress_allow,
        environment=environment,
        local_services=serving.local_services if serving else (),
    )
    return [
        *await examine(machine),
        _settings(settings, environment),
        *await (_database(settings) if serving is None else _open_database(settings, serving.readiness)),
        *_master_key(settings, environment),
        *await _backends(settings),
        *await _buckets(settings, environment),
        *_accounts(settings),
        *_directory(settings),
        *check_entrance(settings),
        *await (check_code(settings, environment) if serving is None else check_executor(settings, serving.executor)),
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


async def _open_database(settings: Settings, readiness: Readiness) -> list[Check]:
    """The database that the server has open."""
    await readiness.look()
    fault = readiness.told()[1]
    if "database" in fault:
        return [Check("database", False, str(fault["message"]), "look into the server's log; docs/operating.md")]
    if settings.database_url:
        return await _database(settings)
    return [Check("database", True, f"SQLite, {DataDirectory(settings.data_dir).database}, sound and takes writes")]


async def _database(settings: Settings) -> list[Check]:
    if not settings.database_url:
        return []
    try:
        return [Check("database", True, await look_at_database(settings))]
    except (SettingsError, StoreUnusable) as error:
        return [Check("database", False, str(error), "correct database_url, or what it leads to")]


def _master_key(settings: Settings, environment: Mapping[str, str]) -> list[Check]:
    try:
        return [check_master_key(key_places(settings, environment))]
    except SettingsError:
        return []  # said of the database already


async def _buckets(settings: Settings, environment: Mapping[str, str]) -> list[Check]:
    way_out = LateTransport(AddressPolicy(parse_allow("0.0.0.0/0,::/0")))
    try:
        known = buckets_of(settings, way_out, environment).known
        return [await check_bucket(name, bucket) for name, bucket in known.items()]
    except SettingsError as error:
        return [Check("bucket", False, str(error), "correct bucket")]
    finally:
        await way_out.aclose()


def _accounts(settings: Settings) -> list[Check]:
    try:
        accounts = parse_accounts(settings.service_accounts)
    except ValueError as error:
        return [Check("service accounts", False, str(error), "correct service_accounts")]
    return check_accounts(accounts, uses_google=settings.google_identity)


def _directory(settings: Settings) -> list[Check]:
    if not settings.service_directory:
        return []
    try:
        directory_of(settings, LateTransport(AddressPolicy()))
    except SettingsError as error:
        return [Check("private services", False, str(error), "correct service_directory")]
    return [Check("private services", True, settings.service_directory)]


async def _backends(settings: Settings) -> list[Check]:
    way_out = LateTransport(AddressPolicy(parse_allow("0.0.0.0/0,::/0")))
    try:
        return [await check_backend(backend) for backend in secrets_of(settings, _Unopened(), way_out).backends]
    except SettingsError as error:
        return [Check("secrets", False, str(error), "correct secret_backends")]
    finally:
        await way_out.aclose()


class _Unopened:
    """The local store, which is fine when the data directory is."""

    about = "local (encrypted in the data directory)"

    async def access(self, name: SecretVersionName) -> str | None:
        """Nothing: no secret is read here."""
        return None

    async def check(self) -> None:
        """There is nothing to reach."""
