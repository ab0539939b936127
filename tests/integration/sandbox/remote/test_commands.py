"""`openplaybook code run` and `doctor` on remote executors, as a process of their own."""

import asyncio
import os
import sys
from collections.abc import AsyncGenerator, Mapping
from pathlib import Path

import pytest

from openplaybook.jsonvalues import loads
from tests.kit.fake_cluster import running_cluster
from tests.kit.fake_e2b import KEY, running_e2b

COMMAND = (sys.executable, "-c", "from openplaybook.cli.main import main; main()")
CODE = "print(6 * 7)\nopen('f.txt', 'w').write('x')"


async def ran(variables: Mapping[str, str], *words: str) -> tuple[int, str, str]:
    """Exit status, stdout and stderr of a command that reads `CODE`."""
    process = await asyncio.create_subprocess_exec(
        *COMMAND,
        *words,
        env={**os.environ, **variables},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    stdout, stderr = await process.communicate(CODE.encode())
    return process.returncode or 0, stdout.decode(), stderr.decode()


@pytest.fixture(params=["kubernetes", "e2b"])
async def variables(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[dict[str, str]]:
    """The settings of an executor on its fake, and nothing left there at the end."""
    (tmp_path / "machines").mkdir()
    common = {"OPENPLAYBOOK_CODE_EXECUTOR": request.param, "OPENPLAYBOOK_DATA_DIR": str(tmp_path / "data")}
    if request.param == "e2b":
        async with running_e2b(tmp_path / "machines") as e2b:
            yield {**common, "OPENPLAYBOOK_CODE_E2B": e2b.text, "OPENPLAYBOOK_E2B_API_KEY": KEY}
            assert e2b.platform.sandboxes == {}
        return
    async with running_cluster(tmp_path / "machines") as kubernetes:
        text = f"{kubernetes.text},router={kubernetes.router.url}"
        yield {**common, "OPENPLAYBOOK_CODE_KUBERNETES": text}
        assert kubernetes.cluster.claims == {}


async def test_code_runs_there(variables: dict[str, str]) -> None:
    status, stdout, _ = await ran(variables, "code", "run", "--json", "-")
    assert (status, loads(stdout)) == (
        0,
        {
            "execution_result": "42\n",
            "execution_error": "",
            "output_files": [{"name": "f.txt", "contents": "eA=="}],
            "generated_code": CODE,
        },
    )


async def test_doctor_looks_there(variables: dict[str, str]) -> None:
    status, stdout, stderr = await ran(variables, "doctor")
    assert status == 0, stderr
    assert f"runs in {variables['OPENPLAYBOOK_CODE_EXECUTOR']}" in stdout
    assert KEY not in stdout + stderr


@pytest.mark.parametrize(
    ("executor", "text", "words"),
    [("kubernetes", "python", "'python' is not NAMESPACE/WARMPOOL"), ("e2b", "", "E2B needs an API key")],
)
async def test_a_setting_that_cannot_be_used_is_told(tmp_path: Path, executor: str, text: str, words: str) -> None:
    variables = {
        "OPENPLAYBOOK_CODE_EXECUTOR": executor,
        f"OPENPLAYBOOK_CODE_{executor.upper()}": text,
        "OPENPLAYBOOK_DATA_DIR": str(tmp_path),
        "OPENPLAYBOOK_E2B_API_KEY": "",
        "E2B_API_KEY": "",
    }
    status, _, stderr = await ran(variables, "code", "run", "-")
    assert status == 2
    assert f"code_executor={executor}: {words}" in stderr
