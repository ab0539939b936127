"""Secrets in environment variables."""

from collections.abc import Mapping

from openplaybook.resources.secret_names import SecretVersionName

_PREFIX = "OPENPLAYBOOK_SECRET_"


class EnvironmentSecrets:
    """The secret `my-key` of any project, in any version, is `OPENPLAYBOOK_SECRET_MY_KEY`."""

    about = f"environment ({_PREFIX}…)"

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment

    async def access(self, name: SecretVersionName) -> str | None:
        """The variable's value; None when it is not set, or empty."""
        return self._environment.get(variable_of(name)) or None

    async def check(self) -> None:
        """It is always there."""


def variable_of(name: SecretVersionName) -> str:
    """The variable that holds a secret."""
    return _PREFIX + name.secret.id.upper().replace("-", "_")
