"""What is special to E2B: how sandboxes are made, and end."""

import json
import logging
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path

import pytest

from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.http_transport import HttpTransport
from openplaybook.egress.resilient_transport import ResilientTransport
from openplaybook.sandbox.base import DEFAULT_LIMITS, Layer, Request, SandboxFailed, SandboxUnavailable
from openplaybook.sandbox.remote.remote_executor import RemoteExecutor
from openplaybook.sandbox.remote.vendors import e2b_executor
from tests.kit.fake_e2b import KEY, Running, error, running_e2b
from tests.kit.http_peer import answer


@dataclass
class Made:
    """The platform, and executors on it."""

    running: Running
    transport: ResilientTransport

    def executor(self, template: str = "", key: str = KEY) -> RemoteExecutor:
        """An executor of this key."""
        return e2b_executor(
            template + self.running.text,
            {"OPENPLAYBOOK_E2B_API_KEY": key},
            limits=DEFAULT_LIMITS,
            keeps_sessions=True,
            transport=self.transport,
        )


@pytest.fixture
async def made(tmp_path: Path) -> AsyncGenerator[Made]:
    """A platform."""
    transport = ResilientTransport(HttpTransport(AddressPolicy(parse_allow("0.0.0.0/0"))))
    async with running_e2b(tmp_path) as running:
        yield Made(running, transport)
        await transport.aclose()


async def test_a_sandbox_has_no_internet_is_reached_by_tokens_only_and_ends_by_itself(made: Made) -> None:
    executor = made.executor()
    await executor.execute(Request(code="1"))
    await executor.aclose()
    (wanted,) = made.running.platform.created
    mark = wanted.pop("metadata")
    assert (list(mark), len(mark["openplaybook"])) == (["openplaybook"], 16)
    assert wanted == {
        "templateID": "code-interpreter-v1",
        "timeout": 170,
        "autoPause": False,
        "secure": True,
        "allow_internet_access": False,
        "network": {"allowPublicTraffic": False},
    }


async def test_the_sandbox_of_a_session_ends_later_with_each_use(made: Made) -> None:
    executor = made.executor()
    await executor.execute(Request(code="x = 1", session="s"))
    (sandbox,) = made.running.platform.sandboxes
    made.running.platform.timeouts[sandbox] = 1
    await executor.execute(Request(code="x", session="s"))
    await executor.aclose()
    assert made.running.platform.timeouts == {sandbox: 770}


async def test_a_sandbox_whose_creation_was_not_answered_is_killed(made: Made) -> None:
    made.running.platform.lose_creation = True
    executor = made.executor()
    with pytest.raises(SandboxUnavailable, match="E2B does not respond"):
        await executor.execute(Request(code="1"))
    await executor.aclose()
    assert (made.running.platform.sandboxes, len(made.running.platform.killed)) == ({}, 1)
    assert len([each for each in made.running.api.requests if each.method == "POST"]) == 1


async def test_a_key_that_is_not_valid_is_told_without_it(made: Made) -> None:
    executor = made.executor(key="e2b_wrong_key")
    with pytest.raises(SandboxUnavailable) as told:
        await executor.execute(Request(code="1"))
    await executor.aclose()
    assert str(told.value) == "E2B gave no sandbox (401): Invalid API key; check the API key"


async def test_a_template_that_is_not_there_is_told(made: Made) -> None:
    executor = made.executor("mine")
    with pytest.raises(SandboxUnavailable, match=r"template 'mine' not found; is there such a template\?"):
        await executor.execute(Request(code="1"))
    await executor.aclose()


async def test_too_many_sandboxes_are_told(made: Made) -> None:
    executor = made.executor()
    limit = error(429, "you have reached the maximum number of concurrent sandboxes")
    made.running.platform.faults.add("POST", "/sandboxes", limit)
    with pytest.raises(SandboxUnavailable, match="maximum number of concurrent sandboxes; the team runs its maximum"):
        await executor.execute(Request(code="1"))
    await executor.aclose()


async def test_an_error_in_the_kernel_is_told(made: Made) -> None:
    executor = made.executor()
    lines = [
        {"type": "error", "name": "WebSocketError", "value": "The connections was lost", "traceback": ""},
        {"type": "end_of_execution"},
    ]
    body = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    made.running.platform.faults.add("POST", "/execute", answer(body))
    with pytest.raises(SandboxFailed, match="error WebSocketError The connections was lost"):
        await executor.execute(Request(code="1"))
    await executor.aclose()


async def test_a_sandbox_that_cannot_be_killed_is_left_to_its_timeout(
    made: Made, caplog: pytest.LogCaptureFixture
) -> None:
    executor = made.executor()
    made.running.platform.faults.add("DELETE", "/sandboxes/", error(500, "no"))
    await executor.execute(Request(code="1"))
    await executor.aclose()
    (sandbox,) = made.running.platform.sandboxes
    told = [each.getMessage() for each in caplog.records if each.levelno == logging.WARNING]
    assert told == [f"the sandbox {sandbox} is left to its timeout: no"]


async def test_the_report_says_whether_the_key_is_taken(made: Made) -> None:
    good, bad = made.executor(), made.executor(key="e2b_wrong")
    assert (await good.report()).layers == [
        Layer("E2B API", True, f"{made.running.api.url}, template code-interpreter-v1")
    ]
    assert (await bad.report()).reason == "E2B API: E2B answered 401: Invalid API key → check the API key"


@pytest.mark.proves("B5")
async def test_a_figure_left_open_comes_back_as_a_picture(made: Made) -> None:
    executor = made.executor()
    done = await executor.execute(Request(code="plt.plot(np.arange(3))\npd.Series([1, 2]).sum()"))
    await executor.aclose()
    assert (done.stderr, done.stdout) == ("", "np.int64(3)")
    assert [(file.name, file.data[:8]) for file in done.files] == [("figure_1.png", b"\x89PNG\r\n\x1a\n")]
