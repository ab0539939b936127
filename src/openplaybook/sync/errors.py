"""What can keep an agent from being pulled or pushed.

SyncError
├── UnknownRemote      not the name of an agent or an app of Google's
├── RemoteUnavailable  Google's client is not installed, has no credentials, or reaches nobody
├── RemoteRefusal      the other side answered with an error
├── RemoteChanged      the agent there is another one than when it was pulled
└── LocalChanges       files here were changed since they were pulled
"""

from typing import ClassVar


class SyncError(Exception):
    """Nothing was changed on either side; the message says why."""

    code: ClassVar[str] = "SYNC_ERROR"


class UnknownRemote(SyncError):
    """A name that is no agent's."""

    code = "UNKNOWN_REMOTE"


class RemoteUnavailable(SyncError):
    """The other side cannot be asked."""

    code = "REMOTE_UNAVAILABLE"


class RemoteRefusal(SyncError):
    """The other side's error answer."""

    code = "REMOTE_REFUSAL"


class RemoteChanged(SyncError):
    """What is there would be lost."""

    code = "REMOTE_CHANGED"


class LocalChanges(SyncError):
    """What is here would be lost."""

    code = "LOCAL_CHANGES"
