"""What doctor says about the Google accounts that tools may act as."""

from importlib.util import find_spec
from pathlib import Path

from openplaybook.credentials.identity.accounts import ServiceAccounts
from openplaybook.jsonvalues import as_object, loads
from openplaybook.services.openplaybook.doctor_checks import Check

_NAME = "service accounts"


def check_accounts(accounts: ServiceAccounts, *, uses_google: bool) -> list[Check]:
    """Whether each account's key file can be used, and google-auth is there for it; nothing where nobody needs it."""
    if not accounts.key_files and not uses_google:
        return []
    if find_spec("google.auth") is None:
        remedy = "it comes with the extra google (docs/installing.md)"
        return [Check(_NAME, False, "google-auth is not installed", remedy)]
    listed = [_account(account, path) for account, path in accounts.key_files.items()]
    return listed or [Check(_NAME, True, "none; tools are known by this server's Google credentials")]


def _account(account: str, path: Path | None) -> Check:
    if path is None:
        return Check(_NAME, True, f"{account}, impersonated")
    try:
        owner = as_object(loads(path.read_bytes())).get("client_email")
    except OSError as error:
        return Check(_NAME, False, f"{account}: {path} cannot be read: {error.strerror}", "correct service_accounts")
    except ValueError:
        return Check(_NAME, False, f"{account}: {path} is not JSON", "download the key file again")
    if owner != account:
        whose = f"that of {owner}" if owner else "no key file"
        return Check(_NAME, False, f"{account}: {path} is {whose}", "correct service_accounts")
    return Check(_NAME, True, f"{account}, by {path}")
