"""What doctor says about who is who: the callers of the server, the server by its certificate, and its tools at Google
and in private networks. It asks nobody."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from pathlib import Path

from openplaybook.credentials.identity.server_identity import parse_accounts
from openplaybook.egress.address_policy import AddressPolicy
from openplaybook.jsonvalues import as_object, loads
from openplaybook.server.access.entrance_guards import authenticator_of, is_authenticated
from openplaybook.server.configured_credentials import directory_of
from openplaybook.server.doctor.checks import Check
from openplaybook.server.errors import SettingsError
from openplaybook.server.settings import Settings
from openplaybook.server.tls import tls_of
from openplaybook.server.transports import LateTransport

_SOON = timedelta(days=14)
_ACCOUNTS = "service accounts"


def check_identities(settings: Settings) -> Sequence[Check]:
    """A check of each that is set; none for a server that asks for nothing, speaks no TLS and has no identity."""
    return [*check_accounts(settings), *_directory(settings), *check_entrance(settings)]


def check_entrance(settings: Settings) -> Sequence[Check]:
    """Who may use the server, and the certificate that it shows."""
    return [*_access(settings), *_certificate(settings)]


def check_accounts(settings: Settings) -> list[Check]:
    """Whether each account's key file can be used, and google-auth is there for it; nothing where nobody needs it."""
    try:
        key_files = parse_accounts(settings.service_accounts).key_files
    except ValueError as error:
        return [Check(_ACCOUNTS, False, str(error), "correct service_accounts")]
    if not key_files and not settings.google_identity:
        return []
    if find_spec("google.auth") is None:
        remedy = "it comes with the extra google (docs/installing.md)"
        return [Check(_ACCOUNTS, False, "google-auth is not installed", remedy)]
    checks = [_account(account, path) for account, path in key_files.items()]
    return checks or [Check(_ACCOUNTS, True, "none; tools are known by this server's Google credentials")]


def _account(account: str, path: Path | None) -> Check:
    if path is None:
        return Check(_ACCOUNTS, True, f"{account}, impersonated")
    try:
        owner = as_object(loads(path.read_bytes())).get("client_email")
    except OSError as error:
        detail = f"{account}: {path} cannot be read: {error.strerror}"
        return Check(_ACCOUNTS, False, detail, "correct service_accounts")
    except ValueError:
        return Check(_ACCOUNTS, False, f"{account}: {path} is not JSON", "download the key file again")
    if owner != account:
        whose = f"that of {owner}" if owner else "no key file"
        return Check(_ACCOUNTS, False, f"{account}: {path} is {whose}", "correct service_accounts")
    return Check(_ACCOUNTS, True, f"{account}, by {path}")


def _directory(settings: Settings) -> list[Check]:
    if not settings.service_directory:
        return []
    try:
        directory_of(settings, LateTransport(AddressPolicy()))
    except SettingsError as error:
        return [Check("private services", False, str(error), "correct service_directory")]
    return [Check("private services", True, settings.service_directory)]


def _access(settings: Settings) -> list[Check]:
    if not is_authenticated(settings):
        return []
    try:
        authenticator_of(settings, LateTransport(AddressPolicy()))
    except SettingsError as error:
        return [Check("access", False, str(error), "correct api_key_file and the oidc_ settings")]
    keys = [f"keys of {settings.api_key_file}"] if settings.api_key_file else []
    tokens = [f"tokens of {settings.oidc_issuer}"] if settings.oidc_issuer else []
    return [Check("access", True, " and ".join(keys + tokens))]


def _certificate(settings: Settings) -> list[Check]:
    try:
        tls = tls_of(settings)
    except SettingsError as error:
        return [Check("certificate", False, str(error), "correct tls_cert and tls_key")]
    if tls is None:
        return []
    expires = tls.certificate.expires
    remedy = "renew it, then send the server SIGHUP" if expires - datetime.now(UTC) < _SOON else ""
    return [Check("certificate", True, f"valid until {expires:%Y-%m-%d}", remedy)]
