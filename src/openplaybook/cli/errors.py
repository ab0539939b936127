"""What ends a command.

CommandError          said on standard error; the command ends with its exit code
└── ApiError          the server refused a request
"""

from typing import ClassVar


class CommandError(Exception):
    """A command that cannot do what it was asked to; the message is for the user."""

    code: ClassVar[str] = "COMMAND_ERROR"

    def __init__(self, message: str, *, exit_code: int = 1) -> None:
        super().__init__(message)
        self.exit_code = exit_code


class ApiError(CommandError):
    """An error answer of the server."""

    code = "API_ERROR"

    def __init__(self, status: str, message: str) -> None:
        super().__init__(f"{status}: {message}")
        self.status = status
        """google.rpc code name, such as NOT_FOUND."""
        self.message = message
