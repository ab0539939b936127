"""Why a server does not start.

ServerError
├── SettingsError     a setting that cannot be used; says where it was given
├── CannotBind        an address that cannot be listened on
├── Unprotected       open to other machines without authentication
└── NotBuilt          the installation lacks a generated part
"""

from typing import ClassVar


class ServerError(Exception):
    """The server does not start; the message says why and what to do."""

    code: ClassVar[str] = "SERVER_ERROR"


class SettingsError(ServerError):
    """A setting has a value that cannot be used, or there is no such setting."""

    code = "SETTINGS_ERROR"


class CannotBind(ServerError):
    """The address is taken, not this machine's, or not ours to use."""

    code = "CANNOT_BIND"


class Unprotected(ServerError):
    """Other machines could reach the server and nothing would ask who they are."""

    code = "UNPROTECTED"


class NotBuilt(ServerError):
    """A part that is generated when the package is built is not there."""

    code = "NOT_BUILT"
