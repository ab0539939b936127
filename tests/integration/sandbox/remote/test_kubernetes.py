"""What is special to Kubernetes agent-sandbox: claims, warm pools, credentials."""

import asyncio
import logging
import os
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import trustme

from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.http_transport import HttpTransport
from openplaybook.egress.resilient_transport import ResilientTransport
from openplaybook.jsonvalues import JsonObject, loads
from openplaybook.sandbox.base import DEFAULT_LIMITS, Layer, Request, SandboxFailed, SandboxUnavailable
from openplaybook.sandbox.remote.remote_executor import RemoteExecutor
from openplaybook.sandbox.remote.vendors import kubernetes_executor
from tests.kit.fake_cluster import OURS, Running, hopeless, running_cluster, status
from tests.kit.http_peer import answer

Begin = Callable[..., Awaitable[tuple[Running, RemoteExecutor]]]


@pytest.fixture
async def begin(tmp_path: Path) -> AsyncGenerator[Begin]:
    """Start a cluster with so many warm pods, and an executor on it."""
    async with AsyncExitStack() as stack:

        async def started(replicas: int = 2, more: str = "", concurrency: int = 0) -> tuple[Running, RemoteExecutor]:
            running = await stack.enter_async_context(running_cluster(tmp_path, replicas))
            transport = ResilientTransport(HttpTransport(AddressPolicy(parse_allow("0.0.0.0/0"))))
            stack.push_async_callback(transport.aclose)
            text = f"{running.text},router={running.router.url}{more}"
            executor = kubernetes_executor(
                text,
                {},
                limits=DEFAULT_LIMITS,
                keeps_sessions=True,
                transport=transport,
                concurrency=concurrency,
            )
            stack.push_async_callback(executor.aclose)
            return running, executor

        yield started


def claim_of(name: str, until: datetime, labels: dict[str, str]) -> JsonObject:
    return {
        "metadata": {"name": name, "labels": labels, "resourceVersion": "1"},
        "spec": {
            "warmPoolRef": {"name": "python"},
            "lifecycle": {"shutdownTime": until.isoformat(), "shutdownPolicy": "Delete"},
        },
    }


async def test_a_claim_ends_by_itself_a_while_after_its_execution(begin: Begin) -> None:
    running, executor = await begin()
    before = datetime.now(UTC)
    await executor.execute(Request(code="1"))
    (created,) = [each for each in running.api.requests if each.method == "POST"]
    lifecycle = loads(created.body)["spec"]["lifecycle"]
    longest = timedelta(seconds=DEFAULT_LIMITS.wall_s + 20 + 120 + 5)
    assert lifecycle["shutdownPolicy"] == "Delete"
    assert before + longest - timedelta(seconds=2) < datetime.fromisoformat(lifecycle["shutdownTime"])
    assert datetime.fromisoformat(lifecycle["shutdownTime"]) < datetime.now(UTC) + longest


async def test_the_claim_of_a_session_ends_later_with_each_use(begin: Begin) -> None:
    running, executor = await begin()
    await executor.execute(Request(code="x = 1", session="s"))
    (claim,) = running.cluster.claims.values()
    claim["spec"]["lifecycle"]["shutdownTime"] = "2026-01-01T00:00:00Z"
    await executor.execute(Request(code="x", session="s"))
    assert datetime.fromisoformat(claim["spec"]["lifecycle"]["shutdownTime"]) > datetime.now(UTC) + timedelta(
        minutes=10
    )


async def test_an_empty_pool_is_waited_for_by_a_watch(begin: Begin) -> None:
    running, executor = await begin(replicas=0)
    task = asyncio.create_task(executor.execute(Request(code="print(1)")))
    await running.cluster.watched.wait()
    running.cluster.add_pod()
    assert (await task).stdout == "1\n"
    assert len([each for each in running.api.requests if "watch=true" in each.target]) <= 3


async def test_a_pool_that_stays_empty_is_told_and_the_claim_given_back(begin: Begin) -> None:
    running, executor = await begin(replicas=0, more=",ready=1")
    with pytest.raises(SandboxUnavailable) as told:
        await executor.execute(Request(code="print(1)"))
    assert str(told.value) == (
        "no sandbox of the warm pool sandboxes/python was ready within 1 s (SandboxNotReady: Sandbox is not ready: 0/1 "
        "nodes available); give the pool more replicas, or the cluster more room"
    )
    await executor.aclose()
    assert running.cluster.claims == {}


@pytest.mark.parametrize(
    ("reason", "message"),
    [("WarmPoolNotFound", "no pool"), ("TemplateNotFound", "no template"), ("PodFailed", "the pod was evicted")],
)
async def test_a_claim_that_will_never_be_ready_is_not_waited_for(begin: Begin, reason: str, message: str) -> None:
    running, executor = await begin(replicas=0, more=",ready=60")
    running.cluster.pending = hopeless(reason, message)
    async with asyncio.timeout(10):
        with pytest.raises(SandboxUnavailable, match=f"the cluster gives no sandbox: {reason}: {message}"):
            await executor.execute(Request(code="print(1)"))


async def test_a_claim_whose_answer_was_lost_is_found_again(begin: Begin) -> None:
    running, executor = await begin()
    running.cluster.lose_creation = True
    assert (await executor.execute(Request(code="print(1)"))).stdout == "1\n"
    assert len(running.cluster.claimed) == 1


async def test_a_watch_that_came_too_late_begins_anew(begin: Begin) -> None:
    running, executor = await begin(replicas=0)
    gone = status(410, "too old resource version")
    running.cluster.faults.add("GET", "watch=true", gone)
    running.cluster.faults.add("GET", "watch=true", None)
    running.cluster.faults.add("GET", "watch=true", answer(b"garbage"))
    task = asyncio.create_task(executor.execute(Request(code="print(1)")))
    await running.cluster.watched.wait()
    running.cluster.add_pod()
    assert (await task).stdout == "1\n"
    assert running.cluster.faults.waiting == []


async def test_a_claim_that_somebody_deletes_is_told(begin: Begin) -> None:
    running, executor = await begin(replicas=0)
    running.cluster.faults.add("GET", "sandboxclaims/openplaybook-", status(404, "not found"))
    with pytest.raises(SandboxUnavailable, match="was deleted before it had a sandbox"):
        await executor.execute(Request(code="print(1)"))


async def test_waiting_for_a_pod_can_be_cancelled_and_leaves_no_claim(begin: Begin) -> None:
    running, executor = await begin(replicas=0, more=",ready=60")
    task = asyncio.create_task(executor.execute(Request(code="print(1)")))
    await running.cluster.watched.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await executor.aclose()
    assert (running.cluster.claims, running.cluster.deleted) == ({}, running.cluster.claimed)


async def test_a_pod_that_is_evicted_while_code_runs_is_told(begin: Begin, tmp_path: Path) -> None:
    running, executor = await begin()
    # Opening a pipe for reading waits for who opens it for writing.
    os.mkfifo(tmp_path / "started")
    code = f"open({str(tmp_path / 'started')!r}, 'w').close()\nimport time\ntime.sleep(60)"
    task = asyncio.create_task(executor.execute(Request(code=code)))
    await asyncio.to_thread((tmp_path / "started").read_bytes)
    running.cluster.evict()
    with pytest.raises(SandboxFailed, match="left no result"):
        await task


async def test_beyond_the_executions_that_may_run_at_once_others_wait_and_say_so(begin: Begin) -> None:
    running, executor = await begin(replicas=0, more=",ready=60", concurrency=1)
    first = asyncio.create_task(executor.execute(Request(code="print(1)")))
    await running.cluster.watched.wait()
    hurried = Request(code="print(2)", limits=replace(DEFAULT_LIMITS, wall_s=0.1))
    with pytest.raises(
        SandboxUnavailable, match=r"the most executions allowed are running \(1\), and none ended within 0.1 s"
    ):
        await executor.execute(hurried)
    patient = asyncio.create_task(executor.execute(Request(code="print(3)")))
    running.cluster.add_pod()
    running.cluster.replicas += 1
    assert [(await first).stdout, (await patient).stdout] == ["1\n", "3\n"]


async def test_claims_of_dead_servers_are_swept(begin: Begin) -> None:
    running, executor = await begin()
    now = datetime.now(UTC)
    claims = {
        "overdue": claim_of("overdue", now - timedelta(minutes=5), OURS),
        "running": claim_of("running", now + timedelta(minutes=5), OURS),
        "foreign": claim_of("foreign", now - timedelta(minutes=5), {"app.kubernetes.io/managed-by": "others"}),
        "endless": {"metadata": {"name": "endless", "labels": OURS}, "spec": {}},
    }
    running.cluster.claims.update(claims)
    await executor.execute(Request(code="1"))
    await executor.aclose()
    assert set(running.cluster.claims) == {"running", "foreign", "endless"}


async def test_a_claim_that_cannot_be_deleted_is_left_to_its_time(
    begin: Begin, caplog: pytest.LogCaptureFixture
) -> None:
    running, executor = await begin()
    running.cluster.faults.add("DELETE", "", status(500, "etcd is away"))
    assert (await executor.execute(Request(code="print(1)"))).stdout == "1\n"
    await executor.aclose()
    (name,) = running.cluster.claims
    told = [each.getMessage() for each in caplog.records if each.levelno == logging.WARNING]
    assert told == [f"the claim {name} is left to its shutdownTime: etcd is away"]


async def test_the_token_is_read_again_when_the_cluster_replaces_it(begin: Begin, tmp_path: Path) -> None:
    running, executor = await begin()
    await executor.execute(Request(code="1"))
    running.cluster.token = "token-2"
    (tmp_path / "serviceaccount" / "token").write_text("token-2")
    assert (await executor.execute(Request(code="print(1)"))).stdout == "1\n"


async def test_a_pod_without_a_token_is_told_what_to_change(begin: Begin, tmp_path: Path) -> None:
    _, executor = await begin()
    (tmp_path / "serviceaccount" / "token").unlink()
    with pytest.raises(SandboxUnavailable, match="automountServiceAccountToken"):
        await executor.execute(Request(code="1"))


async def test_another_authority_than_the_cluster_s_is_not_believed(begin: Begin, tmp_path: Path) -> None:
    running, executor = await begin()
    (tmp_path / "serviceaccount" / "ca.crt").write_bytes(trustme.CA().cert_pem.bytes())
    with pytest.raises(SandboxUnavailable, match="the Kubernetes API does not respond: no TLS connection"):
        await executor.execute(Request(code="1"))
    assert running.api.requests == []


@pytest.mark.parametrize(
    ("code", "message", "words"),
    [
        (401, "Unauthorized", "the token of the service account is not valid for this cluster"),
        (403, 'User "x" cannot create resource "sandboxclaims"', "cannot create resource .*code-sandbox.yaml"),
        (404, "the server could not find the requested resource", "are agent-sandbox and its extensions installed"),
        (422, "spec.warmPoolRef: Required value", r"Kubernetes refused a SandboxClaim \(422\): spec.warmPoolRef"),
    ],
)
async def test_a_refusal_is_told_with_what_to_change(begin: Begin, code: int, message: str, words: str) -> None:
    running, executor = await begin()
    running.cluster.faults.add("POST", "sandboxclaims", status(code, message.replace('"', "'")))
    with pytest.raises(SandboxUnavailable, match=words):
        await executor.execute(Request(code="1"))


async def test_the_report_shows_the_pool_and_its_walls(begin: Begin) -> None:
    running, executor = await begin()
    report = await executor.report()
    api = running.api.url.replace("http:", "https:")
    assert (report.executor, report.ok) == ("kubernetes", True)
    assert report.layers == [
        Layer("Kubernetes API", True, api),
        Layer("warm pool", True, "sandboxes/python: 2 of 2 ready", required=False),
        Layer("kernel of its own", True, "runtime class gvisor", required=False),
        Layer("no network", True, "egress is denied", required=False),
    ]


async def test_the_report_names_the_walls_that_are_missing(begin: Begin) -> None:
    running, executor = await begin(replicas=0)
    running.cluster.template = {"podTemplate": {"spec": {"containers": []}}}
    report = await executor.report()
    assert [(layer.name, layer.ok, bool(layer.remedy)) for layer in report.layers] == [
        ("Kubernetes API", True, False),
        ("warm pool", False, True),
        ("kernel of its own", False, True),
        ("no network", False, True),
    ]


async def test_a_report_without_the_right_to_read_is_no_sandbox(begin: Begin) -> None:
    running, executor = await begin()
    running.cluster.faults.add("GET", "sandboxwarmpools", status(403, "forbidden"))
    report = await executor.report()
    assert not report.ok
    assert report.reason.startswith("Kubernetes API: Kubernetes refused reading pool and template (403): forbidden")
