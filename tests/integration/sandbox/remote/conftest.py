"""Each remote executor on its fake, so that the same is asked of all."""

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Literal

import pytest

from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.http_transport import HttpTransport
from openplaybook.egress.resilient_transport import ResilientTransport
from openplaybook.sandbox.base import DEFAULT_LIMITS
from openplaybook.sandbox.remote.vendors import e2b_executor, kubernetes_executor
from tests.kit.fake_cluster import running_cluster
from tests.kit.fake_e2b import KEY, running_e2b
from tests.kit.remote_executors import Remote

Kind = Literal["pods", "router", "e2b"]


@pytest.fixture(params=["pods", "router", "e2b"])
async def remote(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[Remote]:
    """An executor with sessions; at the end of the test everything it was lent is given back."""
    transport = ResilientTransport(HttpTransport(AddressPolicy(parse_allow("0.0.0.0/0"))))
    kind: Kind = request.param
    if kind == "e2b":
        async with running_e2b(tmp_path) as e2b:
            environment = {"E2B_API_KEY": KEY}
            executor = e2b_executor(
                e2b.text, environment, limits=DEFAULT_LIMITS, keeps_sessions=True, transport=transport
            )
            platform = e2b.platform
            yield Remote(executor, platform.sandboxes, platform.created, platform.faults, "/execute", "/files")
            await executor.aclose()
            await transport.aclose()
            assert platform.sandboxes == {}
        return
    async with running_cluster(tmp_path, replicas=8) as kubernetes:
        cluster = kubernetes.cluster
        way = f"port={kubernetes.router.port}" if kind == "pods" else f"router={kubernetes.router.url}"
        executor = kubernetes_executor(
            f"{kubernetes.text},{way}", {}, limits=DEFAULT_LIMITS, keeps_sessions=True, transport=transport
        )
        yield Remote(executor, cluster.pods, cluster.claimed, cluster.faults, "/execute", "/upload")
        await executor.aclose()
        await transport.aclose()
        assert cluster.claims == {}
