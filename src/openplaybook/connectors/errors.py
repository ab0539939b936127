"""What goes wrong between a connection and its system.

ConnectorError
├── InvalidCondition        a condition that cannot be read, with the place
├── InvalidConnection       a connection's settings cannot be used, with the field
├── ConnectionSuspended     a connection that its owner has suspended
├── UnknownName             no such entity, field, action or connector here, with those that there are
├── UnsuitedColumn          a column that is there, and cannot be filtered or ordered by, with those that can
├── InvalidValue            a value that a field cannot hold, with the field
├── OperationUnsupported    the system cannot do this
├── EntityNotFound          no entity has this key
├── EntityConflict          the system holds something that this contradicts: a constraint, an etag
├── WriteRefused            a write that is not allowed here: read-only, no condition, more rows than the cap
├── AuthenticationRefused   the system does not take the credential
├── CredentialAbsent        no credential was given where one is needed
├── PermissionRefused       the credential may not do this
├── RateLimited             the system asks to wait, with the seconds
├── SystemUnavailable       the system does not answer; may be tried again
├── SystemFault             the system says that it failed
├── DriverAbsent            a package is not installed, with its name
└── WriteInDoubt            whether a write was done cannot be known
"""

from collections.abc import Iterable


class ConnectorError(Exception):
    """Anything that goes wrong here; the message is a sentence for whoever asked and holds no secret."""

    code = "INTERNAL"
    """Name of the google.rpc code that says it to clients."""


class InvalidCondition(ConnectorError):
    """A condition cannot be read."""

    code = "INVALID_ARGUMENT"

    def __init__(self, message: str, position: int) -> None:
        """`position` is the character of the condition, from 0, at which it ceases to make sense."""
        super().__init__(f"{message} (at character {position + 1} of the condition)")
        self.position = position


class InvalidConnection(ConnectorError):
    """A connection's settings cannot be used."""

    code = "INVALID_ARGUMENT"

    def __init__(self, path: str, message: str) -> None:
        """`path` is the field of the connection, such as `configVariables.host`."""
        super().__init__(f"{path}: {message}")
        self.path = path


class ConnectionSuspended(ConnectorError):
    """Its owner does not want the connection to be used now; nothing was sent."""

    code = "FAILED_PRECONDITION"


class UnknownName(ConnectorError):
    """There is no such thing."""

    code = "NOT_FOUND"
    _MOST_NAMED = 20

    def __init__(self, noun: str, name: str, known: Iterable[str]) -> None:
        """`noun` says what it would be, such as `entity`; `known` are the names that there are."""
        self.noun, self.name, self.known = noun, name, tuple(known)
        named = ", ".join(self.known[: self._MOST_NAMED]) + (", …" if len(self.known) > self._MOST_NAMED else "")
        super().__init__(f"there is no {noun} {name!r}; there are: {named or 'none'}")


class UnsuitedColumn(ConnectorError):
    """A column is there, and the system, or what is known of it, offers no way to do this with it."""

    code = "INVALID_ARGUMENT"

    def __init__(self, name: str, use: str, suited: Iterable[str]) -> None:
        """`use` says what was wanted: `filtered` or `ordered`; `suited` are the columns with which it can be done."""
        super().__init__(unsuited_words(name, use, suited))


def unsuited_words(name: str, use: str, suited: Iterable[str]) -> str:
    """The sentence about such a column."""
    known = ", ".join(suited) or "none"
    return f"the column {name!r} cannot be {use} by; these can be: {known}"


class InvalidValue(ConnectorError):
    """A value cannot be taken."""

    code = "INVALID_ARGUMENT"

    def __init__(self, field: str, message: str) -> None:
        """`field` is the entity's field or the action's parameter; empty where the system names none."""
        super().__init__(f"{field}: {message}" if field else message)
        self.field = field


class OperationUnsupported(ConnectorError):
    """The system, or this connection, has no such operation."""

    code = "UNIMPLEMENTED"


class EntityNotFound(ConnectorError):
    """No entity has this key."""

    code = "NOT_FOUND"


class EntityConflict(ConnectorError):
    """The system holds something that contradicts the write; the message names the column where that is known."""

    code = "FAILED_PRECONDITION"


class WriteRefused(ConnectorError):
    """A write that this connection does not allow."""

    code = "FAILED_PRECONDITION"


class AuthenticationRefused(ConnectorError):
    """The system does not take the credential."""

    code = "UNAUTHENTICATED"


class CredentialAbsent(ConnectorError):
    """A credential is needed and was not given; nothing was sent."""

    code = "UNAUTHENTICATED"


class PermissionRefused(ConnectorError):
    """The credential is good, and may not do this."""

    code = "PERMISSION_DENIED"


class RateLimited(ConnectorError):
    """The system asks to wait."""

    code = "RESOURCE_EXHAUSTED"

    def __init__(self, message: str, retry_after_s: float | None = None) -> None:
        """`retry_after_s` is how long, where the system said it."""
        super().__init__(message)
        self.retry_after_s = retry_after_s


class SystemUnavailable(ConnectorError):
    """The system does not answer, or not in time; nothing was changed, and it may be tried again."""

    code = "UNAVAILABLE"


class SystemFault(ConnectorError):
    """The system answered that it failed, or answered what nobody can read."""

    code = "INTERNAL"


class DriverAbsent(ConnectorError):
    """A package that this kind of system needs is not installed."""

    code = "FAILED_PRECONDITION"

    def __init__(self, package: str, extra: str) -> None:
        """`extra` is the extra of openplaybook that brings the package."""
        super().__init__(f"the package {package} is not installed here; it comes with openplaybook[{extra}]")
        self.package = package


class WriteInDoubt(ConnectorError):
    """A write was sent and no answer came: whether it was done cannot be known, and it is not tried again."""

    code = "UNKNOWN"
