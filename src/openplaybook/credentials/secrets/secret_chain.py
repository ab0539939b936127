"""The port `Secrets` over the back ends that the operator chose, asked in their order."""

import logging
import re
from collections.abc import Sequence

from openplaybook.credentials.errors import CredentialError, SecretNotFound
from openplaybook.credentials.secrets.base import SecretBackend
from openplaybook.resources.errors import InvalidName
from openplaybook.resources.secret_names import SecretVersionName

_log = logging.getLogger("openplaybook.secrets")

_FOLDER = re.compile(r" \(/[^)]*\)")


class SecretChain:
    """The first back end that has a name answers for it.

    One that cannot be asked is not passed over: another might hold a value of the same name that nobody meant.
    """

    def __init__(self, backends: Sequence[SecretBackend]) -> None:
        self.backends = tuple(backends)
        self._warned: set[str] = set()

    async def access(self, version: str) -> str:
        """The value of a secret version, without a line break at its end. Raises `CredentialError`."""
        try:
            name = SecretVersionName.parse(version)
        except InvalidName as error:
            raise CredentialError(str(error)) from error
        for backend in self.backends:
            value = await backend.access(name)
            if value is not None:
                return self._trimmed(value, version, backend)
        # Callers of tools read this: which folder it is stays between the operator and doctor.
        searched = "; ".join(_FOLDER.sub("", backend.about) for backend in self.backends)
        raise SecretNotFound(f"the secret version {version} does not exist; searched: {searched}")

    def _trimmed(self, value: str, version: str, backend: SecretBackend) -> str:
        trimmed = without_line_break(value)
        if trimmed != value and version not in self._warned:
            self._warned.add(version)
            _log.warning(
                "a secret ends in a line break, which is removed", extra={"version": version, "store": backend.about}
            )
        return trimmed


def without_line_break(value: str) -> str:
    """The value without the line breaks at its end: most likely an editor or `echo` put them there."""
    return value.rstrip("\r\n")
