"""From the text of a setting to an executor."""

from collections.abc import Mapping

from openplaybook.egress.base import Transport
from openplaybook.sandbox.base import ExecutionLimits
from openplaybook.sandbox.remote.e2b.e2b_settings import e2b_settings
from openplaybook.sandbox.remote.e2b.platform import Platform
from openplaybook.sandbox.remote.kubernetes.cluster import Cluster
from openplaybook.sandbox.remote.kubernetes.kubernetes_settings import kubernetes_settings
from openplaybook.sandbox.remote.remote_executor import RemoteExecutor


def kubernetes_executor(
    text: str,
    environment: Mapping[str, str],
    *,
    limits: ExecutionLimits,
    keeps_sessions: bool,
    transport: Transport,
    concurrency: int = 0,
) -> RemoteExecutor:
    """An executor on agent-sandbox, as `kubernetes_settings` reads `text`; raises `ValueError`.

    `concurrency`: executions at once; 0: 16.
    """
    cluster = Cluster(kubernetes_settings(text, environment), transport)
    return RemoteExecutor(cluster, limits, keeps_sessions=keeps_sessions, concurrency=concurrency)


def e2b_executor(
    text: str,
    environment: Mapping[str, str],
    *,
    limits: ExecutionLimits,
    keeps_sessions: bool,
    transport: Transport,
    concurrency: int = 0,
) -> RemoteExecutor:
    """An executor on E2B, as `e2b_settings` reads `text`; raises `ValueError`."""
    platform = Platform(e2b_settings(text, environment), transport)
    return RemoteExecutor(platform, limits, keeps_sessions=keeps_sessions, concurrency=concurrency)
