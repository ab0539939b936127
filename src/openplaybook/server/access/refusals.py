"""What callers are told who are not let in; and their calls, counted and logged like those that were.

401 comes with a challenge (RFC 9110 §11.6.1), 403 and a token that does not do with a reason (RFC 6750 §3.1).
"""

from collections.abc import Callable, Collection
from math import ceil
from typing import Literal, TypeAlias

from google.protobuf.duration_pb2 import Duration
from google.rpc.error_details_pb2 import RetryInfo

from openplaybook.server.access.principals import Principal, Role
from openplaybook.telemetry.log_lines import log_rpc
from openplaybook.telemetry.metrics import Metrics
from openplaybook.wire.errors import Code, RpcError

NO_KEY = "This server requires an API key: send it in the x-goog-api-key header, as `key=…`, or as a bearer token."
WRONG_KEY = (
    "The API key that was sent is not one of this server's: send one in the x-goog-api-key header, as `key=…`, or as a "
    "bearer token."
)
NO_TOKEN = "This server requires a token of its identity provider: send it in the Authorization header, `Bearer …`."


def unauthenticated(message: str) -> RpcError:
    """For a caller who has not shown who it is."""
    return RpcError(Code.UNAUTHENTICATED, message, headers={"WWW-Authenticate": "Bearer"})


def invalid_token(reason: str) -> RpcError:
    """For a token that is not accepted; `reason` in ASCII, without quotation marks."""
    challenge = f'Bearer error="invalid_token", error_description="{reason}"'
    return RpcError(
        Code.UNAUTHENTICATED, f"The token is not accepted: {reason}.", headers={"WWW-Authenticate": challenge}
    )


def denied(message: str) -> RpcError:
    """For a caller that is known and may not do this."""
    return RpcError(Code.PERMISSION_DENIED, message, headers={"WWW-Authenticate": 'Bearer error="insufficient_scope"'})


def role_missing(method: str, has: Role, needed: Role) -> RpcError:
    """For a role that does not include an RPC."""
    return denied(f"{method} requires the role {needed}; this caller has the role {has}.")


def too_many(wait_s: float, limit: str) -> RpcError:
    """For a caller that has used up its share, `wait_s` seconds before it may go on."""
    seconds = max(1, ceil(wait_s))
    message = f"More requests than this server allows one caller ({limit}); try again in {seconds} s."
    details = (RetryInfo(retry_delay=Duration(seconds=seconds)),)
    return RpcError(Code.RESOURCE_EXHAUSTED, message, details, {"Retry-After": str(seconds)})


UNKNOWN = "unknown"
"""In place of a method that the API lacks, or that is not known yet: callers must not make up labels."""

Report: TypeAlias = Callable[[str, RpcError, Literal["rest", "grpc"], Principal | None, str], None]
"""Told of each: full name of the RPC, empty where it is not known; why; over what; by whom; and from which
address, empty where that is not known."""


def reporting(metrics: Metrics, methods: Collection[str]) -> Report:
    """A report to the metrics and the access log; `methods` are the full names of the API's RPCs."""

    def report(
        method: str,
        error: RpcError,
        transport: Literal["rest", "grpc"],
        principal: Principal | None,
        client: str,
    ) -> None:
        rpc = method if method in methods else UNKNOWN
        metrics.rpc_ended(rpc, error.code.name, 0.0)
        log_rpc(
            rpc=rpc,
            code=error.code.name,
            seconds=0.0,
            transport=transport,
            principal="" if principal is None else principal.name,
            principal_kind="" if principal is None else principal.kind.value,
            client=client,
        )

    return report
