"""What a back end of secrets is."""

from typing import Protocol

from openplaybook.resources.secret_names import SecretVersionName

MAX_SECRET_BYTES = 64 * 1024
"""Of a value in UTF-8; Secret Manager's limit too."""


class SecretBackend(Protocol):
    """Somewhere secrets are kept; answers for the names it has."""

    @property
    def about(self) -> str:
        """What it is and where, for people; holds no secret."""
        ...

    async def access(self, name: SecretVersionName) -> str | None:
        """The value as it is kept; None when there is no such version here.

        Raises `CredentialUnavailable` when that cannot be told, `CredentialRefused`, and `SealedValueUnreadable`.
        """
        ...

    async def check(self) -> None:
        """Whether it can be asked, found out without reading a secret.

        Raises `CredentialUnavailable`, `CredentialRefused`.
        """
        ...
