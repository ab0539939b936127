"""Why a request cannot be authenticated.

CredentialError
├── CredentialMissing        the session parameter that should hold it has no value, or none is configured
├── CredentialRefused        who gives the credential says no: a token endpoint, a store of secrets
├── CredentialUnavailable    who gives the credential does not answer, or not in a way that can be read
├── AccountNotAllowed        the operator does not let tools act as this service account
├── SecretNotFound           no store of secrets has a version of that name
├── SealedValueUnreadable    what is kept encrypted does not open with the keys at hand
└── CredentialUnsupported    the kind of authentication is stored, but this server is not set up for it

InvalidAuthentication        the configuration itself is wrong; found when a tool is saved
MasterKeyUnusable            the key that seals secrets is missing, malformed or another one
InvalidBackend               a store of secrets is not set up as it must be
"""

from typing import ClassVar


class CredentialError(Exception):
    """No credential could be added. The message holds no secret."""

    code: ClassVar[str] = "CREDENTIAL_ERROR"


class CredentialMissing(CredentialError):
    """The value is to come from the session or the configuration, and is not there."""

    code = "CREDENTIAL_MISSING"


class CredentialRefused(CredentialError):
    """Who gives the credential does not give it to us."""

    code = "CREDENTIAL_REFUSED"


class CredentialUnavailable(CredentialError):
    """Who gives the credential cannot be reached, or answers nothing that can be used."""

    code = "CREDENTIAL_UNAVAILABLE"


class AccountNotAllowed(CredentialError):
    """Tools may not act as this service account."""

    code = "SERVICE_ACCOUNT_NOT_ALLOWED"


class CredentialUnsupported(CredentialError):
    """This server is not set up to authenticate in this way."""

    code = "CREDENTIAL_UNSUPPORTED"


class SecretNotFound(CredentialError):
    """There is no such secret version."""

    code = "SECRET_NOT_FOUND"


class SealedValueUnreadable(CredentialError):
    """A sealed value was sealed with a key that is not at hand, for another place, or was changed."""

    code = "SEALED_VALUE_UNREADABLE"


class MasterKeyUnusable(Exception):
    """The master key is missing, malformed, open to others, or not the one that sealed the data."""

    code: ClassVar[str] = "MASTER_KEY_UNUSABLE"


class InvalidBackend(Exception):
    """The setting of the stores of secrets cannot be used."""

    code: ClassVar[str] = "INVALID_BACKEND"


class InvalidAuthentication(Exception):
    """The authentication of a tool is not well formed."""

    code: ClassVar[str] = "INVALID_AUTHENTICATION"

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}")
        self.path = path
        """JSON path within the authentication, such as `$.apiKeyConfig.keyName`."""
        self.message = message
