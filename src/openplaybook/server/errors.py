"""Why a server does not start, or its data cannot be saved.

ServerError
├── SettingsError     a setting that cannot be used; says where it was given
├── CannotBind        an address that cannot be listened on
├── Unprotected       open to other machines without authentication
├── NotBuilt          the installation lacks a generated part
├── AgentUnusable     the package that an agent was to be read from is none
└── BackupUnusable    a backup that cannot be written, read or put in place
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


class AgentUnusable(ServerError):
    """No agent can be made from a package."""

    code = "AGENT_UNUSABLE"


class BackupUnusable(ServerError):
    """A backup cannot be written, or is none, or would replace data."""

    code = "BACKUP_UNUSABLE"
