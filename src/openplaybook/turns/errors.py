"""Why a turn did not happen. The session is as it was before, and usable.

TurnError
├── NoSuchAgent
├── AgentNotReady          no start playbook, or one that does not exist
├── NoSuchPlaybook         `currentPlaybook` names none of this agent
├── ResultNotExpected      a tool result nobody waits for (late, repeated, or never asked)
├── ResultMismatch         a tool result for another tool or action than the one waited for
├── ResultRefused          a tool result that does not fit its output schema, where the agent is strict
├── SessionWaiting         text while a call is open, where the agent says to refuse it
├── SessionEnded           input for a conversation that is over, where the agent ends it for good
├── SessionTooLarge        the parameters of the session would grow beyond what is kept, or what instructions hold
├── SessionTooLong         a conversation that has too many turns, or too large ones, to be forked
├── RequestKeyReused       the key of an earlier request with another input
├── SessionBusy            another turn of the session did not end in time
├── ModelFailed            the model gave no decision; holds the `ModelError`
├── TurnTimedOut           the caller's deadline passed between two steps
├── SnapshotLost           the agent's state that an unfinished turn began with is not in the store
└── NewerData              what is stored of the session was written by a newer version of the server
"""

from typing import ClassVar

from openplaybook.models.errors import ModelError


class TurnError(Exception):
    """A turn that did not happen; the message is for the caller."""

    code: ClassVar[str] = "TURN_ERROR"


class NoSuchAgent(TurnError):
    """The agent does not exist."""

    code = "NO_SUCH_AGENT"


class AgentNotReady(TurnError):
    """The agent has nothing to start with."""

    code = "AGENT_NOT_READY"


class NoSuchPlaybook(TurnError):
    """The request names a playbook that the agent does not have."""

    code = "NO_SUCH_PLAYBOOK"


class ResultNotExpected(TurnError):
    """No call of that tool and action is open."""

    code = "RESULT_NOT_EXPECTED"


class ResultMismatch(TurnError):
    """The session waits for the result of another tool or action."""

    code = "RESULT_MISMATCH"


class ResultRefused(TurnError):
    """The result does not fit the output schema of its action, and the agent validates strictly."""

    code = "RESULT_REFUSED"


class SessionWaiting(TurnError):
    """The session waits for a tool call result and the agent refuses anything else."""

    code = "SESSION_WAITING"


class SessionEnded(TurnError):
    """The conversation is over and takes no more input."""

    code = "SESSION_ENDED"


class SessionTooLarge(TurnError):
    """The session's parameters would be larger than a session may keep, or than instructions may hold."""

    code = "SESSION_TOO_LARGE"


class SessionTooLong(TurnError):
    """The conversation is too long for what is asked."""

    code = "SESSION_TOO_LONG"


class RequestKeyReused(TurnError):
    """An earlier request of the session had the same key and another input."""

    code = "REQUEST_KEY_REUSED"


class SessionBusy(TurnError):
    """Another turn of this session is still running."""

    code = "SESSION_BUSY"


class ModelFailed(TurnError):
    """The model gave no decision."""

    code = "MODEL_FAILED"

    def __init__(self, error: ModelError) -> None:
        super().__init__(f"The model gave no decision ({error.code}): {error}")
        self.error = error


class TurnTimedOut(TurnError):
    """The caller's deadline passed."""

    code = "TURN_TIMED_OUT"


class SnapshotLost(TurnError):
    """An unfinished turn cannot go on: what it began with is gone."""

    code = "SNAPSHOT_LOST"


class NewerData(TurnError):
    """What is stored of the session has a form that this version of the server does not know."""

    code = "NEWER_DATA"
