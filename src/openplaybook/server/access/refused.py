"""Calls that were not let in, counted and logged like those that were."""

from collections.abc import Callable, Collection
from typing import Literal, TypeAlias

from openplaybook.server.access.principals import Principal
from openplaybook.telemetry.access_log import log_rpc
from openplaybook.telemetry.metrics import Metrics
from openplaybook.wire.errors import RpcError

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
