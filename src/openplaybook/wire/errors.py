"""Errors as the API states them (google.rpc), and what goes wrong in this room.

RpcError             an RPC that failed; both transports render it
└── BodyRefused      a REST request whose body is not read, with an HTTP status of its own (`rest_request`)
JsonError            a JSON text or value that is not the message it should be (`codec.json_parser`)
WireError
├── ApiNotBuilt      the descriptor set is missing from this installation
└── AddressUnusable  a server cannot listen where it was told to
"""

import logging
import secrets
from collections.abc import Mapping, Sequence
from enum import IntEnum
from types import MappingProxyType
from typing import ClassVar

from google.protobuf import json_format
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc import status_pb2
from google.rpc.error_details_pb2 import RetryInfo

from openplaybook.jsonvalues import JsonObject

logger = logging.getLogger("openplaybook.wire")


class Code(IntEnum):
    """google.rpc.Code: the outcome of an RPC."""

    OK = 0
    CANCELLED = 1
    UNKNOWN = 2
    INVALID_ARGUMENT = 3
    DEADLINE_EXCEEDED = 4
    NOT_FOUND = 5
    ALREADY_EXISTS = 6
    PERMISSION_DENIED = 7
    RESOURCE_EXHAUSTED = 8
    FAILED_PRECONDITION = 9
    ABORTED = 10
    OUT_OF_RANGE = 11
    UNIMPLEMENTED = 12
    INTERNAL = 13
    UNAVAILABLE = 14
    DATA_LOSS = 15
    UNAUTHENTICATED = 16


_HTTP_STATUS = {
    Code.OK: 200,
    Code.CANCELLED: 499,
    Code.UNKNOWN: 500,
    Code.INVALID_ARGUMENT: 400,
    Code.DEADLINE_EXCEEDED: 504,
    Code.NOT_FOUND: 404,
    Code.ALREADY_EXISTS: 409,
    Code.PERMISSION_DENIED: 403,
    Code.RESOURCE_EXHAUSTED: 429,
    Code.FAILED_PRECONDITION: 400,
    Code.ABORTED: 409,
    Code.OUT_OF_RANGE: 400,
    Code.UNIMPLEMENTED: 501,
    Code.INTERNAL: 500,
    Code.UNAVAILABLE: 503,
    Code.DATA_LOSS: 500,
    Code.UNAUTHENTICATED: 401,
}


def http_status(code: Code) -> int:
    """The HTTP status that google/rpc/code.proto maps a code to."""
    return _HTTP_STATUS[code]


_MAX_MESSAGE = 10_000
"""Characters; what a caller sent in megabytes is not sent back."""


class RpcError(Exception):
    """An RPC that failed. The message is a sentence for the caller and holds no secret."""

    def __init__(
        self,
        code: Code,
        message: str,
        details: Sequence[Message] = (),
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message if len(message) <= _MAX_MESSAGE else f"{message[:_MAX_MESSAGE]}…"
        self.details = tuple(details)
        """Messages such as google.rpc.BadRequest, of the default pool."""
        self.headers = headers
        """What REST adds in HTTP headers, such as `Retry-After`; gRPC has the details."""

    def to_json(self, status: int | None = None) -> JsonObject:
        """The body of a REST error; `status` stands in for the HTTP status that belongs to the code."""
        error: JsonObject = {
            "code": http_status(self.code) if status is None else status,
            "message": self.message,
            "status": self.code.name,
        }
        if self.details:
            error["details"] = [_detail(detail) for detail in self.details]
        return {"error": error}

    def to_status(self) -> bytes:
        """A serialized google.rpc.Status, for the `grpc-status-details-bin` trailer."""
        status = status_pb2.Status(code=int(self.code), message=self.message)
        for detail in self.details:
            status.details.add().Pack(detail)
        return status.SerializeToString()


def _detail(message: Message) -> JsonObject:
    return {"@type": f"type.googleapis.com/{message.DESCRIPTOR.full_name}", **json_format.MessageToDict(message)}


def retry_later(message: str, seconds: int) -> RpcError:
    """For what there is no room for now; the sentence, without its end, is told when to try again."""
    details = (RetryInfo(retry_delay=Duration(seconds=seconds)),)
    sentence = f"{message}; try again in {seconds} s."
    return RpcError(Code.RESOURCE_EXHAUSTED, sentence, details, {"Retry-After": str(seconds)})


def internal_error(what: str, error: Exception) -> RpcError:
    """Logs a fault of ours with an id, and gives the error that tells the caller the id and nothing else."""
    error_id = secrets.token_hex(6)
    logger.error("%s failed, error id %s", what, error_id, exc_info=error)
    return RpcError(Code.INTERNAL, f"Internal error. The server's log has it under the id {error_id}.")


class WireError(Exception):
    """A fault of this room, not of a caller."""

    code: ClassVar[str] = "WIRE_ERROR"


class ApiNotBuilt(WireError):
    """The descriptor set is missing."""

    code = "API_NOT_BUILT"

    def __init__(self) -> None:
        super().__init__("the API's descriptor set is missing; in a checkout, `python -m build_api` writes it")


class AddressUnusable(WireError):
    """A server cannot listen there."""

    code = "ADDRESS_UNUSABLE"

    def __init__(self, address: str) -> None:
        super().__init__(f"cannot listen on {address}: it is in use, or not an address of this machine")
