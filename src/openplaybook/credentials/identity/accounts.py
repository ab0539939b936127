"""The service accounts that tools may act as: those the operator lists, and how their tokens are come by."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

IMPERSONATED = "impersonated"
"""In place of a key file: the server's own Google identity mints the account's tokens."""


@dataclass(frozen=True, slots=True)
class ServiceAccounts:
    """An allow list."""

    key_files: Mapping[str, Path | None]
    """By email address: the account's key file; None for one that is impersonated."""

    def refusal(self, account: str) -> str:
        """Why tools may not act as the account, and what the operator can do; empty when they may."""
        if account in self.key_files:
            return ""
        return (
            f"tools may not act as {account}: the operator of this server has to allow it with the setting "
            f"service_accounts ({account}=KEY_FILE, or {account}={IMPERSONATED})"
        )


def parse_accounts(text: str) -> ServiceAccounts:
    """The accounts of a list such as `a@p.example=/keys/a.json,b@p.example=impersonated`.

    Raises `ValueError` naming the entry that is not understood.
    """
    key_files: dict[str, Path | None] = {}
    for entry in filter(None, (part.strip() for part in text.split(","))):
        account, equals, source = (part.strip() for part in entry.partition("="))
        if "@" not in account or not equals or not source:
            raise ValueError(f"{entry!r} must have the form EMAIL=KEY_FILE or EMAIL={IMPERSONATED}")
        key_files[account] = None if source == IMPERSONATED else Path(source).expanduser()
    return ServiceAccounts(key_files)
