"""What a running server, its doctor and its metrics tell of running code."""

import json
import platform
import re
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import aiohttp
import pytest

from openplaybook.sandbox.local.probe_child import ATTEMPTS
from openplaybook.sandbox.unsafe_executor import WARNING
from openplaybook.server.doctor.checks import Check, check_code
from openplaybook.server.settings import Settings
from tests.e2e.kit.server import clean_environment
from tests.integration.server.conftest import Start
from tests.kit.preloaded.commands import COMMAND
from tests.kit.sandbox.ordinary import is_root


async def get(url: str) -> tuple[int, str]:
    async with aiohttp.ClientSession() as session, session.get(url) as answer:
        return answer.status, await answer.text()


async def test_health_says_whether_code_can_be_run(start: Start) -> None:
    server = await start()
    assert await get(f"{server.http}/healthz") == (200, '{"status":"ok"}')
    told = '{"status":"ok","code_interpreter":{"executor":"forkserver","ok":true,"reason":""}}'
    assert await get(f"{server.http}/healthz?verbose") == (200, told)


async def test_metrics_show_the_queue_and_that_an_idle_server_has_no_interpreter(start: Start) -> None:
    _, text = await get(f"{(await start()).http}/metrics")
    shown = dict(re.findall(r"^(openplaybook_code_\w+) (.+)$", text, re.MULTILINE))
    assert shown == {
        "openplaybook_code_seconds_count": "0.0",
        "openplaybook_code_seconds_sum": "0.0",
        "openplaybook_code_running": "0.0",
        "openplaybook_code_waiting": "0.0",
        "openplaybook_code_interpreters": "0.0",
        "openplaybook_code_interpreters_started": "0.0",
    }


async def test_who_chose_no_sandbox_is_warned_at_the_start_and_in_health(
    start: Start, caplog: pytest.LogCaptureFixture
) -> None:
    server = await start(code_executor="unsafe-subprocess")
    assert f"unsafe-subprocess: {WARNING}" in [record.getMessage() for record in caplog.records]
    assert WARNING in (await get(f"{server.http}/healthz?verbose"))[1]


async def test_a_server_whose_code_is_switched_off_says_so(start: Start) -> None:
    server = await start(code_executor="off")
    assert "switched off by code_executor" in (await get(f"{server.http}/healthz?verbose"))[1]


async def test_doctor_shows_every_wall(tmp_path: Path) -> None:
    overall, *walls, libraries = await check_code(Settings(data_dir=tmp_path), {})
    assert overall == Check("code", True, "runs in forkserver")
    assert [wall.name for wall in walls] == [
        f"code: {name}" for name in ("platform", *ATTEMPTS, "interpreter", "cgroup")
    ]
    assert [wall.name for wall in walls if not wall.ok] == []
    assert libraries.ok


async def test_doctor_warns_of_code_without_a_sandbox(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, code_executor="unsafe-subprocess", code_python=Path(sys.executable))
    assert await check_code(settings, {}) == [
        Check("code", True, "runs in unsafe-subprocess", WARNING),
        Check("code: interpreter", True, f"Python {platform.python_version()}"),
    ]


@pytest.mark.parametrize("executor", ["forkserver", "unsafe-subprocess"])
async def test_doctor_finds_an_interpreter_that_does_not_start(tmp_path: Path, executor: str) -> None:
    settings = Settings(data_dir=tmp_path, code_executor=executor, code_python=Path("/nowhere/python"))
    assert [(check.name, check.detail) for check in await check_code(settings, {}) if not check.ok] == [
        ("code", f"is not run: {executor} lacks what is listed below"),
        ("code: interpreter", "code_python: /nowhere/python does not start: No such file or directory"),
    ]


async def test_doctor_says_what_is_switched_off_and_what_cannot_be_used(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, code_executor="off")
    assert await check_code(settings, {}) == [Check("code", True, "switched off by code_executor")]
    [check] = await check_code(Settings(data_dir=tmp_path, code_executor="kubernetes"), {})
    assert (check.ok, check.remedy) == (False, "correct the code_ settings")
    assert check.detail.startswith("code_executor=kubernetes: ")


WITHOUT_MOUNTS = ["setpriv", "--bounding-set=-sys_admin", "--inh-caps=-sys_admin"]
REASON = "mounts, proc: unshare: Operation not permitted (EPERM) → root without CAP_SYS_ADMIN may not mount"


def without_mounts(folder: Path, *options: str) -> list[str]:
    flags = ["--port", "0", "--grpc-port", "0", "--data-dir", str(folder)]
    return [*WITHOUT_MOUNTS, str(COMMAND), "serve", *flags, *options]


@pytest.mark.skipif(not is_root(), reason="takes a right away, which only root has")
def test_a_server_without_a_sandbox_says_why_and_does_everything_else(tmp_path: Path) -> None:
    command, pipe = without_mounts(tmp_path), subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=clean_environment()) as server:
        assert server.stdout is not None
        address = next(line.split()[1] for line in server.stdout if line.startswith("  REST"))
        health = json.loads(urlopen(f"{address}/healthz?verbose").read())
        server.terminate()
        _, log = server.communicate(timeout=30)
    told = health["code_interpreter"]
    assert (health["status"], told["executor"], told["ok"]) == ("ok", "forkserver", False)
    assert told["reason"].startswith(REASON)
    assert server.returncode == 0, log


@pytest.mark.skipif(not is_root(), reason="takes a right away, which only root has")
def test_a_server_that_must_have_one_does_not_start_without(tmp_path: Path) -> None:
    command = without_mounts(tmp_path, "--code-executor", "forkserver")
    ran = subprocess.run(command, capture_output=True, text=True, env=clean_environment(), timeout=60, check=False)
    assert ran.returncode == 1
    assert ran.stderr.splitlines()[-1].startswith(f"error: code_executor=forkserver: {REASON}")
