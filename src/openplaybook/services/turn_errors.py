"""Turn errors as google.rpc statuses."""

from openplaybook.models.errors import ModelError, ModelRateLimited, ModelRejected, ModelTimeout, ModelUnavailable
from openplaybook.services.errors import to_rpc_error
from openplaybook.storage.errors import StoreError
from openplaybook.turns.errors import (
    AgentNotReady,
    ModelFailed,
    NewerData,
    NoSuchAgent,
    NoSuchPlaybook,
    RequestKeyReused,
    ResultMismatch,
    ResultNotExpected,
    ResultRefused,
    SessionBusy,
    SessionEnded,
    SessionTooLarge,
    SessionTooLong,
    SessionWaiting,
    SnapshotLost,
    TurnError,
    TurnTimedOut,
)
from openplaybook.wire.errors import Code, RpcError
from openplaybook.workers.errors import WorkError

_CODES: dict[type[TurnError], Code] = {
    NoSuchAgent: Code.NOT_FOUND,
    NoSuchPlaybook: Code.NOT_FOUND,
    AgentNotReady: Code.FAILED_PRECONDITION,
    ResultNotExpected: Code.FAILED_PRECONDITION,
    ResultMismatch: Code.INVALID_ARGUMENT,
    ResultRefused: Code.INVALID_ARGUMENT,
    SessionWaiting: Code.INVALID_ARGUMENT,
    SessionTooLarge: Code.INVALID_ARGUMENT,
    SessionTooLong: Code.FAILED_PRECONDITION,
    RequestKeyReused: Code.INVALID_ARGUMENT,
    SessionEnded: Code.FAILED_PRECONDITION,
    SessionBusy: Code.ABORTED,
    TurnTimedOut: Code.DEADLINE_EXCEEDED,
    SnapshotLost: Code.DATA_LOSS,
    NewerData: Code.FAILED_PRECONDITION,
}

_MODEL_CODES: dict[type[ModelError], Code] = {
    ModelTimeout: Code.DEADLINE_EXCEEDED,
    ModelRateLimited: Code.RESOURCE_EXHAUSTED,
    ModelUnavailable: Code.UNAVAILABLE,
    ModelRejected: Code.FAILED_PRECONDITION,
}
"""Whatever else a model does wrong is INTERNAL."""


TURN_REFUSALS = (TurnError, StoreError, WorkError)
"""What a turn may end in."""


def rpc_error(error: TurnError | StoreError | WorkError) -> RpcError:
    """The status that tells a caller what became of the turn."""
    if isinstance(error, StoreError | WorkError):
        return to_rpc_error(error)
    if isinstance(error, ModelFailed):
        return RpcError(_MODEL_CODES.get(type(error.error), Code.INTERNAL), str(error))
    return RpcError(_CODES.get(type(error), Code.INTERNAL), str(error))
