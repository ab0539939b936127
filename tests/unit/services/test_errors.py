from collections.abc import Iterator

import pytest
from google.protobuf.duration_pb2 import Duration
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo

from openplaybook.encoders.errors import EncoderError, EncoderRejected, EncoderUnavailable, EncoderUnusable
from openplaybook.packages.errors import PackageError
from openplaybook.resources.errors import (
    EtagMismatch,
    InvalidFilter,
    InvalidId,
    InvalidMask,
    InvalidName,
    InvalidOrder,
    InvalidPageSize,
    InvalidPageToken,
    MissingFields,
    ResourceError,
)
from openplaybook.services.errors import (
    Refusal,
    bad_request,
    invalid,
    not_found,
    precondition,
    to_rpc_error,
    translated,
    unimplemented,
)
from openplaybook.storage.errors import (
    LeaseLost,
    RecordExists,
    RecordNotFound,
    StoreError,
    StoreUnusable,
    VersionMismatch,
)
from openplaybook.turns.errors import NewerData
from openplaybook.wire.codec import JsonError
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.messages import ApiMessage
from openplaybook.workers.errors import ExitReason, WorkEnded, WorkError, WorkersBusy, WorkTimedOut

_REFUSALS: list[tuple[Refusal, Code]] = [
    (RecordExists("a"), Code.ALREADY_EXISTS),
    (RecordNotFound("a"), Code.NOT_FOUND),
    (VersionMismatch("a", 2), Code.ABORTED),
    (LeaseLost(), Code.ABORTED),
    (StoreUnusable("locked"), Code.UNAVAILABLE),
    (StoreError("?"), Code.INTERNAL),
    (NewerData("form 3"), Code.FAILED_PRECONDITION),
    (InvalidName("a", "b"), Code.INVALID_ARGUMENT),
    (InvalidMask("a", "b"), Code.INVALID_ARGUMENT),
    (InvalidPageToken(), Code.INVALID_ARGUMENT),
    (InvalidPageSize(-1), Code.INVALID_ARGUMENT),
    (InvalidFilter("expected a field at character 1"), Code.INVALID_ARGUMENT),
    (InvalidOrder("size"), Code.INVALID_ARGUMENT),
    (InvalidId("app_id", "a/b"), Code.INVALID_ARGUMENT),
    (MissingFields(["a"]), Code.INVALID_ARGUMENT),
    (EtagMismatch("a"), Code.ABORTED),
    (PackageError("agent.json", "is missing"), Code.INVALID_ARGUMENT),
    (JsonError("is no number", ".x"), Code.INVALID_ARGUMENT),
    (WorkersBusy("busy", 1), Code.RESOURCE_EXHAUSTED),
    (WorkTimedOut("late", 30), Code.DEADLINE_EXCEEDED),
    (WorkEnded("crashed", ExitReason.CRASH), Code.INVALID_ARGUMENT),
    (EncoderUnusable("no network"), Code.FAILED_PRECONDITION),
    (EncoderUnavailable("busy"), Code.UNAVAILABLE),
    (EncoderRejected("no vectors"), Code.FAILED_PRECONDITION),
]


@pytest.mark.parametrize(("refusal", "code"), _REFUSALS, ids=lambda value: getattr(value, "code", ""))
def test_each_refusal_has_its_code_and_carries_our_reason(refusal: Refusal, code: Code) -> None:
    error = to_rpc_error(refusal)
    # What a store says of itself names files and addresses: callers get less.
    said = refusal.for_callers if isinstance(refusal, StoreUnusable) else str(refusal)
    assert (error.code, error.message) == (code, said)
    assert error.details[0] == ErrorInfo(reason=refusal.code, domain="openplaybook")


def _subclasses(kind: type[Exception]) -> Iterator[type[Exception]]:
    for one in kind.__subclasses__():
        yield one
        yield from _subclasses(one)


@pytest.mark.parametrize("room", [StoreError, ResourceError, WorkError, EncoderError])
def test_no_error_of_a_room_was_forgotten(room: type[Exception]) -> None:
    assert set(_subclasses(room)) <= {type(refusal) for refusal, _ in _REFUSALS}


def test_a_busy_server_says_when_to_try_again() -> None:
    error = to_rpc_error(WorkersBusy("too much waits already", 1.2))
    assert error.details[1] == RetryInfo(retry_delay=Duration(seconds=2))
    assert error.headers == {"Retry-After": "2"}


def test_a_taken_display_name_is_told_as_such() -> None:
    assert (
        to_rpc_error(RecordExists("tools/1", "Weather")).message == "display_name 'Weather' is already used by tools/1"
    )


def test_missing_fields_are_listed_as_violations() -> None:
    details = to_rpc_error(MissingFields(["tool.display_name", "tool.description"])).details
    assert details[1] == bad_request([("tool.display_name", "is required"), ("tool.description", "is required")])


@pytest.mark.parametrize(
    ("refusal", "field"),
    [
        (InvalidMask("a", "b"), "update_mask"),
        (InvalidName("a", "b"), "name"),
        (InvalidFilter("x"), "filter"),
        (InvalidOrder("size"), "order_by"),
        (InvalidId("app_id", "a/b"), "app_id"),
    ],
)
def test_what_is_wrong_is_told_with_its_field(refusal: Refusal, field: str) -> None:
    assert to_rpc_error(refusal).details[1] == bad_request([(field, str(refusal))])


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (invalid(("a.b", "is odd"), ("c", "is no")), Code.INVALID_ARGUMENT, "a.b: is odd; c: is no"),
        (not_found("Tool", "tools/1"), Code.NOT_FOUND, "Tool tools/1 does not exist"),
        (precondition("IN_USE", "is used"), Code.FAILED_PRECONDITION, "is used"),
        (unimplemented("not here"), Code.UNIMPLEMENTED, "not here"),
    ],
)
def test_a_service_refuses_in_whole_sentences(error: RpcError, code: Code, message: str) -> None:
    assert (error.code, error.message) == (code, message)


async def test_a_translated_handler_raises_rpc_errors_for_refusals_only() -> None:
    async def refuse(request: ApiMessage, context: RpcContext) -> ApiMessage:
        raise request

    handler, context = translated(refuse), RpcContext("", "v3", "grpc")
    with pytest.raises(RpcError) as refused:
        await handler(RecordNotFound("a"), context)
    assert refused.value.code is Code.NOT_FOUND
    with pytest.raises(ZeroDivisionError):
        await handler(ZeroDivisionError(), context)
