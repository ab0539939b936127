"""`openplaybook doctor` beside servers: one that answers, and others that have its address and do not."""

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import openplaybook
from openplaybook.cli.diagnosis import Diagnosis, diagnose
from openplaybook.cli.local_server import LocalServer
from openplaybook.cli.main import app
from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.server.lifecycle import RunningServer
from openplaybook.server.settings import Settings
from openplaybook.storage.data_directory import DataDirectory
from tests.integration.models import chat_peer
from tests.integration.models.peer import Peer
from tests.integration.models.peer import answer as model_answer
from tests.kit.http_peer import HttpPeer, Received, answer, http_peer


@pytest.fixture
def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RunningServer]:
    monkeypatch.chdir(tmp_path)
    settings = Settings(data_dir=tmp_path / "data", egress_allow="10.0.0.0/8", code_executor="off")
    with LocalServer(settings).running() as running:
        yield running


async def doctor(data_dir: Path, *words: str) -> Result:
    """Runs the command beside the loop in which peers answer."""
    return await asyncio.to_thread(CliRunner().invoke, app, ["doctor", "--data-dir", str(data_dir), *words])


async def told(data_dir: Path, *words: str) -> JsonObject:
    """What `--json` prints."""
    return json.loads((await doctor(data_dir, *words, "--json")).stdout)


def checks(told: JsonObject) -> dict[str, JsonObject]:
    return {check["name"]: check for check in told["checks"]}


async def test_the_running_server_is_asked_and_named(running: RunningServer, tmp_path: Path) -> None:
    result = await doctor(tmp_path / "data")
    first, *lines = result.stdout.splitlines()
    since = datetime.fromtimestamp(running.address.started).strftime("%Y-%m-%d %H:%M")
    assert result.exit_code == 0
    assert first.startswith(f"server: {running.http}, version {openplaybook.__version__}, since {since}")
    assert first.endswith(f", process {running.address.pid}")
    assert [line for line in lines if "differs" in line] == []


async def test_what_is_told_is_of_the_server_and_not_of_this_shell(
    running: RunningServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENPLAYBOOK_MODEL", "telepathy")
    monkeypatch.setenv("OPENPLAYBOOK_EGRESS_ALLOW", "everything")
    monkeypatch.setenv("OPENPLAYBOOK_CODE_EXECUTOR", "unsafe-subprocess")
    monkeypatch.setenv("OPENPLAYBOOK_DATABASE_URL", "postgresql://me:hidden@nowhere/x")
    found = await told(tmp_path / "data")
    there = checks(found)
    assert {check["ok"] for check in found["checks"]} == {True}
    assert {name: there[name]["detail"] for name in ("model", "egress", "code", "database")} == {
        "model": "offline can be used (nothing was sent)",
        "egress": "tools reach public addresses, also 10.0.0.0/8",
        "code": "switched off by code_executor",
        "database": f"SQLite, {tmp_path / 'data' / 'openplaybook.db'}, sound and takes writes",
    }
    assert "egress_allow=10.0.0.0/8" in there["settings"]["detail"]
    assert {check["by"] for name, check in there.items() if not name.startswith("command")} == {"server"}
    assert [check["by"] for name, check in there.items() if name.startswith("command")] == ["command", "command"]


async def test_differences_from_this_shell_are_told_without_secrets(
    running: RunningServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENPLAYBOOK_DATABASE_URL", "postgresql://me:hidden@nowhere/x")
    monkeypatch.setenv("MISTRAL_API_KEY", "sk-hidden")
    result = await doctor(tmp_path / "data", "--model", "openai:m")
    lines = result.stdout.splitlines()
    assert lines[lines.index("the server differs from this shell:") + 1 :] == [
        "  database_url: OPENPLAYBOOK_DATABASE_URL is (set, not shown) here; the server has nothing",
        "    → to use it, restart the server from this shell",
        "  model: --model is openai:m here; the server has offline",
        "    → to use it, restart the server from this shell",
        "  MISTRAL_API_KEY: is set here, but not in the server",
        "    → to use it, restart the server from this shell",
    ]
    assert "hidden" not in result.output
    assert [each["name"] for each in (await told(tmp_path / "data"))["differences"]] == [
        "database_url",
        "MISTRAL_API_KEY",
    ]


async def test_the_server_as_json_says_where_and_since_when(running: RunningServer, tmp_path: Path) -> None:
    server = (await told(tmp_path / "data"))["server"]
    assert abs(datetime.fromisoformat(server.pop("startTime")).timestamp() - running.address.started) < 30
    assert server == {
        "address": running.http,
        "answered": True,
        "version": openplaybook.__version__,
        "processId": running.address.pid,
    }


async def test_without_a_server_the_command_says_that_it_looked_for_itself(tmp_path: Path) -> None:
    found = await told(tmp_path)
    assert (found["server"], found["differences"]) == (None, [])
    assert {check["by"] for check in found["checks"]} == {"command"}


PROGRAM = "from openplaybook.cli.main import main; main()"


@contextmanager
def serving(data_dir: Path, **variables: str) -> Generator[None]:
    """A server as a process of its own, with other variables than the test has."""
    command = [sys.executable, "-c", PROGRAM, "serve", "--port", "0", "--grpc-port", "0", "--data-dir", str(data_dir)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=variables) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            yield
        finally:
            process.terminate()


@pytest.fixture
async def provider() -> AsyncGenerator[Peer, None]:
    async with Peer(chat_peer.faults).serving() as peer:
        yield peer
    assert peer.faults == []


async def test_a_wrong_key_of_the_server_is_found_by_the_server(provider: Peer, tmp_path: Path) -> None:
    provider.will(model_answer({"error": {"message": "Incorrect API key: sk-servers."}}, 401))
    variables = {"OPENAI_API_KEY": "sk-servers", "OPENAI_BASE_URL": f"{provider.base_url}/v1"}
    with serving(tmp_path, OPENPLAYBOOK_MODEL="openai:m", OPENPLAYBOOK_CODE_EXECUTOR="off", **variables):
        untried = checks(await told(tmp_path))
        assert provider.requests == []
        tried = await doctor(tmp_path, "--try-model", "--json")
    found = checks(json.loads(tried.stdout))
    assert untried["model"]["detail"] == "openai:m can be used with OPENAI_API_KEY (nothing was sent)"
    assert untried["model"]["remedy"] == "openplaybook doctor --try-model checks the key with the provider"
    assert (tried.exit_code, found["model: key accepted"]["ok"]) == (1, False)
    assert found["model: key accepted"]["detail"].endswith(
        "rejects the API key (401): set OPENAI_API_KEY to one that it accepts."
    )
    assert provider.requests[0].headers["authorization"] == "Bearer sk-servers"
    assert "sk-servers" not in tried.output


@contextmanager
def published(data_dir: Path, url: str) -> Generator[None]:
    """Somebody else at the address that commands find in the data directory."""
    directory = DataDirectory(data_dir)
    directory.acquire()
    try:
        directory.publish(http=url)
        yield
    finally:
        directory.release()


async def diagnosed(data_dir: Path, peer: HttpPeer, answers_s: float) -> Diagnosis:
    settings = Settings(data_dir=data_dir, code_executor="off")
    with published(data_dir, peer.url):
        return await asyncio.to_thread(diagnose, settings, try_model=False, answers_s=answers_s)


async def test_a_server_that_does_not_answer_is_a_failed_check_and_the_command_goes_on(tmp_path: Path) -> None:
    async def never(received: Received) -> bytes | None:
        await asyncio.Event().wait()
        return None

    async with http_peer(never) as peer:
        diagnosis = await diagnosed(tmp_path, peer, 0.1)
    first, *others = diagnosis.findings
    assert diagnosis.server_line == f"server: {peer.url} does not respond; this command made the checks"
    assert diagnosis.server_json() == {"address": peer.url, "answered": False}
    assert (first.name, first.ok, first.detail) == ("server", False, f"{peer.url} did not respond within 0.1 s")
    assert [other.name for other in others][:3] == ["python", "api", "sqlite"]
    assert {finding.by_server for finding in diagnosis.findings} == {False}


async def test_a_server_that_refuses_is_a_failed_check_with_its_reason(tmp_path: Path) -> None:
    refusal = dumps({"error": {"status": "PERMISSION_DENIED", "message": "Not with this key."}})

    def reply(received: Received) -> bytes:
        return answer() if received.target == "/livez" else answer(refusal, "403 Forbidden")

    async with http_peer(reply) as peer:
        diagnosis = await diagnosed(tmp_path, peer, 10)
    assert diagnosis.findings[0].detail == "PERMISSION_DENIED: Not with this key."
    assert [received.target for received in peer.requests] == ["/livez", "/v1/openplaybook:doctor"]


async def test_an_older_server_is_asked_all_the_same(tmp_path: Path) -> None:
    older = dumps({"checks": [{"name": "python", "ok": True, "detail": "CPython 3.11"}, {"name": "model"}]})
    async with http_peer(lambda received: answer(older)) as peer:
        with published(tmp_path, peer.url):
            result = await doctor(tmp_path)
    assert result.stdout.splitlines()[0] == f"server: {peer.url}, an older version"
    assert "program: the server is of an older version than this command" in result.stdout
    assert "FAIL  model" in result.stdout


@pytest.mark.parametrize(
    ("started", "path", "detail"),
    [
        ("one/openplaybook", "one", "{0}/one/openplaybook, on the PATH"),
        ("one/openplaybook", "two", "{0}/one/openplaybook; the PATH has another openplaybook, {0}/two/openplaybook"),
        ("one/openplaybook", "none", "{0}/one/openplaybook, not on the PATH"),
    ],
)
async def test_the_command_says_whether_it_is_the_one_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: str, path: str, detail: str
) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "openplaybook").write_text("#!/bin/sh\n")
        (tmp_path / folder / "openplaybook").chmod(0o755)
    monkeypatch.setattr(sys, "argv", [str(tmp_path / started)])
    monkeypatch.setenv("PATH", str(tmp_path / path))
    async with http_peer(lambda received: answer(b'{"checks": []}')) as peer:
        with published(tmp_path / "data", peer.url):
            found = await told(tmp_path / "data")
    assert checks(found)["command"]["detail"] == detail.format(tmp_path)


async def test_an_address_file_that_cannot_be_read_is_a_failed_check(tmp_path: Path) -> None:
    with published(tmp_path, "http://127.0.0.1:1"):
        (tmp_path / "server.json").write_text("{")
        found = await told(tmp_path)
    assert checks(found)["server"]["detail"] == f"{tmp_path}/server.json is damaged; restart the server that runs there"
    assert checks(found)["python"]["by"] == "command"
