"""What doctor looks at, taken from the settings."""

from collections.abc import Mapping

from openplaybook.credentials.identity.accounts import parse_accounts
from openplaybook.egress.policy import AddressPolicy, parse_allow
from openplaybook.resources.secret_names import SecretVersionName
from openplaybook.server.code_checks import check_code
from openplaybook.server.entrance_checks import check_entrance
from openplaybook.server.errors import SettingsError
from openplaybook.server.identity import directory_of
from openplaybook.server.late_transport import LateTransport
from openplaybook.server.secrets import key_places, secrets_of
from openplaybook.server.settings import Settings
from openplaybook.server.stores import look_at_database
from openplaybook.services.openplaybook.checks import Check, Machine, examine
from openplaybook.services.openplaybook.identity_checks import check_accounts
from openplaybook.services.openplaybook.secret_checks import check_backend, check_master_key
from openplaybook.storage.errors import StoreUnusable


async def examined(settings: Settings, environment: Mapping[str, str]) -> list[Check]:
    """Every check of the machine that a server with these settings would run on. Changes nothing, reads no secret."""
    machine = Machine(
        data_dir=settings.data_dir,
        model=settings.model,
        model_aliases=settings.model_aliases,
        egress_allow=settings.egress_allow,
        environment=environment,
    )
    return [
        *await examine(machine),
        *await _database(settings),
        *_master_key(settings, environment),
        *await _backends(settings),
        *_accounts(settings),
        *_directory(settings),
        *check_entrance(settings),
        *await check_code(settings, environment),
    ]


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

    about = "local (sealed in the data directory)"

    async def access(self, name: SecretVersionName) -> str | None:
        """Nothing: no secret is read here."""
        return None

    async def check(self) -> None:
        """There is nothing to reach."""
