"""From refusals of the rooms below to google.rpc errors: the only place where one becomes the other.

    StoreError        RecordExists → ALREADY_EXISTS · RecordNotFound → NOT_FOUND ·
                      VersionMismatch, LeaseLost → ABORTED · StoreUnusable → UNAVAILABLE
    ResourceError     EtagMismatch → ABORTED · all others → INVALID_ARGUMENT
    PackageError      INVALID_ARGUMENT
    BucketError       ObjectMissing → NOT_FOUND · ObjectTooLarge → INVALID_ARGUMENT ·
                      BucketDenied → PERMISSION_DENIED · BucketUnavailable → UNAVAILABLE ·
                      all others → FAILED_PRECONDITION
    JsonError         INVALID_ARGUMENT: a message from gRPC that JSON cannot hold
    WorkError         WorkersBusy → RESOURCE_EXHAUSTED, with the time after which to try again ·
                      WorkTimedOut → DEADLINE_EXCEEDED · WorkEnded → INVALID_ARGUMENT: no machine is large enough
    NewerData         FAILED_PRECONDITION: a conversation that a newer server went on with
    RetrievalError    each has the name of its code
    ConnectorError    each has the name of its code; RateLimited with the time after which to try again
    CredentialError   FAILED_PRECONDITION: what a connection names as its credential cannot be had
    EncoderError      EncoderUnavailable → UNAVAILABLE · all others → FAILED_PRECONDITION: the operator has to help
    EgressError       AddressRefused → PERMISSION_DENIED · what was sent → UNKNOWN · all others → UNAVAILABLE

Each error carries a google.rpc.ErrorInfo whose reason is our machine-readable code.
"""

import logging
import math
import re
from collections.abc import Sequence
from functools import wraps
from typing import TypeAlias

from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc import error_details_pb2

from openplaybook.buckets.errors import BucketDenied, BucketError, BucketUnavailable, ObjectMissing, ObjectTooLarge
from openplaybook.connectors.errors import ConnectorError, InvalidConnection, RateLimited
from openplaybook.credentials.errors import CredentialError
from openplaybook.egress.errors import AddressRefused, EgressError
from openplaybook.encoders.errors import EncoderError, EncoderUnavailable
from openplaybook.packages.errors import PackageError
from openplaybook.resources.errors import (
    EtagMismatch,
    InvalidFilter,
    InvalidId,
    InvalidMask,
    InvalidName,
    InvalidOrder,
    MissingFields,
    ResourceError,
)
from openplaybook.retrieval.errors import RetrievalError
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
from openplaybook.wire.registry import UnaryHandler
from openplaybook.workers.errors import WorkEnded, WorkError, WorkersBusy, WorkTimedOut

_LOG = logging.getLogger("openplaybook.services")

DOMAIN = "openplaybook"
"""The ErrorInfo domain of our reasons."""

Refusal: TypeAlias = (
    StoreError
    | ResourceError
    | PackageError
    | BucketError
    | JsonError
    | WorkError
    | NewerData
    | RetrievalError
    | ConnectorError
    | CredentialError
    | EncoderError
    | EgressError
)
"""Everything below that is raised because of what a caller asked for."""

REFUSALS = (
    StoreError,
    ResourceError,
    PackageError,
    BucketError,
    JsonError,
    WorkError,
    NewerData,
    RetrievalError,
    ConnectorError,
    CredentialError,
    EncoderError,
    EgressError,
)

_CODES: dict[type[Exception], Code] = {
    RecordExists: Code.ALREADY_EXISTS,
    RecordNotFound: Code.NOT_FOUND,
    VersionMismatch: Code.ABORTED,
    LeaseLost: Code.ABORTED,
    StoreUnusable: Code.UNAVAILABLE,
    StoreError: Code.INTERNAL,
    EtagMismatch: Code.ABORTED,
    ResourceError: Code.INVALID_ARGUMENT,
    PackageError: Code.INVALID_ARGUMENT,
    ObjectMissing: Code.NOT_FOUND,
    ObjectTooLarge: Code.INVALID_ARGUMENT,
    BucketDenied: Code.PERMISSION_DENIED,
    BucketUnavailable: Code.UNAVAILABLE,
    BucketError: Code.FAILED_PRECONDITION,
    JsonError: Code.INVALID_ARGUMENT,
    WorkersBusy: Code.RESOURCE_EXHAUSTED,
    WorkTimedOut: Code.DEADLINE_EXCEEDED,
    WorkEnded: Code.INVALID_ARGUMENT,
    WorkError: Code.INTERNAL,
    NewerData: Code.FAILED_PRECONDITION,
    CredentialError: Code.FAILED_PRECONDITION,
    EncoderUnavailable: Code.UNAVAILABLE,
    EncoderError: Code.FAILED_PRECONDITION,
    AddressRefused: Code.PERMISSION_DENIED,
    EgressError: Code.UNAVAILABLE,
}


def to_rpc_error(refusal: Refusal) -> RpcError:
    """What the caller is told."""
    code = _code(refusal)
    details = [_info(_reason(refusal)), *_violations(refusal)]
    wait_s = refusal.retry_after_s if isinstance(refusal, WorkersBusy | RateLimited) else None
    if wait_s is not None:
        seconds = math.ceil(wait_s)
        details.append(error_details_pb2.RetryInfo(retry_delay=Duration(seconds=seconds)))
        return RpcError(code, _message(refusal), details, {"Retry-After": str(seconds)})
    return RpcError(code, _message(refusal), details)


def _reason(refusal: Refusal) -> str:
    if isinstance(refusal, ConnectorError):
        return _WORD.sub("_", type(refusal).__name__).upper()
    return refusal.code


def _code(refusal: Refusal) -> Code:
    if isinstance(refusal, RetrievalError | ConnectorError):
        return Code[refusal.code]
    if isinstance(refusal, EgressError) and refusal.sent:
        return Code.UNKNOWN  # clients send again what is UNAVAILABLE
    return next(_CODES[kind] for kind in type(refusal).__mro__ if kind in _CODES)


def _message(refusal: Refusal) -> str:
    if isinstance(refusal, RecordExists) and refusal.unique_key is not None:
        return f"display_name {refusal.unique_key!r} is already used by {refusal.name}"
    if isinstance(refusal, StoreUnusable):
        # Where the data are is the operator's affair.
        _LOG.warning("a request was refused: %s", refusal)
        return refusal.for_callers
    return str(refusal)


def _info(reason: str) -> Message:
    return error_details_pb2.ErrorInfo(reason=reason, domain=DOMAIN)


def _violations(refusal: Refusal) -> list[Message]:
    match refusal:
        case MissingFields():
            return [bad_request([(path, "is required") for path in refusal.paths])]
        case InvalidId() | InvalidName():
            return [bad_request([(refusal.field, str(refusal))])]
        case InvalidMask() | InvalidFilter() | InvalidOrder():
            return [bad_request([(_FIELDS[type(refusal)], str(refusal))])]
        case InvalidConnection():
            return [bad_request([(f"connection.{refusal.path}", str(refusal))])]
        case _:
            return []


_WORD = re.compile(r"(?<!^)(?=[A-Z])")
_FIELDS: dict[type[ResourceError], str] = {
    InvalidMask: "update_mask",
    InvalidFilter: "filter",
    InvalidOrder: "order_by",
}
"""Where the request holds what is wrong."""


def bad_request(violations: Sequence[tuple[str, str]]) -> Message:
    """A google.rpc.BadRequest of (field path, what is wrong with it)."""
    listed = [
        error_details_pb2.BadRequest.FieldViolation(field=field, description=description)
        for field, description in violations
    ]
    return error_details_pb2.BadRequest(field_violations=listed)


def invalid(*violations: tuple[str, str]) -> RpcError:
    """INVALID_ARGUMENT for (field path, what is wrong with it)."""
    sentences = "; ".join(f"{field}: {description}" for field, description in violations)
    return RpcError(Code.INVALID_ARGUMENT, sentences, [_info("INVALID_FIELDS"), bad_request(violations)])


def not_found(what: str, name: str) -> RpcError:
    """NOT_FOUND: there is no such thing of that name."""
    return RpcError(Code.NOT_FOUND, f"{what} {name} does not exist", [_info("NOT_FOUND")])


def precondition(reason: str, message: str) -> RpcError:
    """FAILED_PRECONDITION: right in itself, but not in the state things are in."""
    return RpcError(Code.FAILED_PRECONDITION, message, [_info(reason)])


def unimplemented(message: str) -> RpcError:
    """UNIMPLEMENTED: part of the API that this server does not have."""
    return RpcError(Code.UNIMPLEMENTED, message, [_info("UNIMPLEMENTED")])


def translated(handler: UnaryHandler) -> UnaryHandler:
    """The handler, its refusals raised as `RpcError`."""

    @wraps(handler)
    async def handle(request: ApiMessage, context: RpcContext) -> ApiMessage:
        try:
            return await handler(request, context)
        except REFUSALS as refusal:
            raise to_rpc_error(refusal) from refusal

    return handle
