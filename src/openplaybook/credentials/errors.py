"""Why a request cannot be authenticated.

CredentialError
├── CredentialMissing        the session parameter that should hold it has no value
└── CredentialUnsupported    the kind of authentication is stored, but this server cannot do it yet

InvalidAuthentication        the configuration itself is wrong; found when a tool is saved
"""

from typing import ClassVar


class CredentialError(Exception):
    """No credential could be added. The message holds no secret."""

    code: ClassVar[str] = "CREDENTIAL_ERROR"


class CredentialMissing(CredentialError):
    """The value is to come from the session, and is not there."""

    code = "CREDENTIAL_MISSING"


class CredentialUnsupported(CredentialError):
    """This server cannot authenticate in this way yet."""

    code = "CREDENTIAL_UNSUPPORTED"


class InvalidAuthentication(Exception):
    """The authentication of a tool is not well formed."""

    code: ClassVar[str] = "INVALID_AUTHENTICATION"

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}")
        self.path = path
        """JSON path within the authentication, such as `$.apiKeyConfig.keyName`."""
        self.message = message
