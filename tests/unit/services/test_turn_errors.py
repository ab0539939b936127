import pytest

from openplaybook.services.turn_errors import rpc_error
from openplaybook.storage.errors import LeaseLost, StoreError
from openplaybook.turns.errors import (
    NewerData,
    RequestKeyReused,
    ResultNotExpected,
    SessionBusy,
    SessionEnded,
    TurnError,
    TurnTimedOut,
)
from openplaybook.wire.errors import Code
from openplaybook.workers.errors import WorkError, WorkersBusy, WorkTimedOut


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (LeaseLost("taken over"), Code.ABORTED),
        (SessionBusy("busy"), Code.ABORTED),
        (TurnTimedOut("late"), Code.DEADLINE_EXCEEDED),
        (ResultNotExpected("late"), Code.FAILED_PRECONDITION),
        (SessionEnded("over"), Code.FAILED_PRECONDITION),
        (NewerData("newer"), Code.FAILED_PRECONDITION),
        (RequestKeyReused("reused"), Code.INVALID_ARGUMENT),
        (WorkersBusy("busy", 1), Code.RESOURCE_EXHAUSTED),
        (WorkTimedOut("late", 1), Code.DEADLINE_EXCEEDED),
    ],
    ids=lambda each: type(each).__name__,
)
def test_clients_are_told_whether_to_try_again(error: TurnError | StoreError | WorkError, code: Code) -> None:
    told = rpc_error(error)
    assert (told.code, told.message) == (code, str(error))
