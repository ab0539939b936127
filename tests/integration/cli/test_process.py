"""The command as a process: what it prints, how it ends."""

import json
import re
import signal
import subprocess
import urllib.request
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from openplaybook.sandbox.local.probe_child import ATTEMPTS
from tests.kit.preloaded.commands import quick_command


def ended(*words: str) -> tuple[int, str, str]:
    done = subprocess.run([quick_command(), *words], capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout, done.stderr


@contextmanager
def started(*words: str) -> Generator[subprocess.Popen[str]]:
    process = subprocess.Popen([quick_command(), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with process:
        try:
            yield process
        finally:
            process.kill()


def told_until(process: subprocess.Popen[str], word: str) -> str:
    """What the process printed up to the line that holds `word`."""
    assert process.stdout is not None
    told = ""
    for line in process.stdout:
        told += line
        if word in line:
            return told
    assert process.stderr is not None
    raise AssertionError(f"{word!r} was not printed: {told}{process.stderr.read()}")


def test_help_names_every_command() -> None:
    code, output, _ = ended("--help")
    assert code == 0
    for command in ("serve", "demo", "chat", "doctor", "agents", "tools", "openapi"):
        assert re.search(rf"^  {command} ", output, re.MULTILINE), output


def test_the_version_is_shown() -> None:
    assert ended("--version") == (0, "openplaybook 0.1.0\n", "")


@pytest.mark.parametrize("words", [["secrets", "list", "demo"], ["doctor"], ["agents", "list"]], ids=" ".join)
def test_a_command_warns_of_a_variable_that_nobody_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.setenv("OPENPLAYBOOK_DATADIR", "/elsewhere")
    *_, error = ended(*words, "--data-dir", str(tmp_path))
    assert error.count("warning: the variable OPENPLAYBOOK_DATADIR is not a setting and is ignored") == 1
    assert "did you mean OPENPLAYBOOK_DATA_DIR?" in error


def test_an_empty_list_of_agents_says_so_beside_the_output(tmp_path: Path) -> None:
    said = "there are no agents and no apps; openplaybook doctor shows the data directory\n"
    assert ended("agents", "list", "--data-dir", str(tmp_path)) == (0, "", said)
    code, output, error = ended("agents", "list", "--json", "--data-dir", str(tmp_path))
    assert (code, json.loads(output), error) == (0, {"agents": []}, "")


def test_what_stops_a_command_is_one_sentence_on_standard_error(tmp_path: Path) -> None:
    code, output, error = ended("serve", "--port", "99999", "--data-dir", str(tmp_path))
    assert (code, output) == (1, "")
    assert error == "error: --port is 99999: must be a whole number from 0 to 65535\n"


def test_a_database_url_of_another_kind_is_refused_without_being_shown() -> None:
    assert ended("serve", "--database-url", "mysql://user:secret@db") == (
        1,
        "",
        "error: --database-url: must start with postgresql://\n",
    )


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_says_where_it_is_and_ends_cleanly_when_told(tmp_path: Path, number: signal.Signals) -> None:
    with started("serve", "--port", "0", "--grpc-port", "0", "--data-dir", str(tmp_path)) as process:
        told = told_until(process, "Data")
        (url,) = re.findall(r"REST +(http://127\.0\.0\.1:\d+)", told)
        with urllib.request.urlopen(f"{url}/healthz", timeout=10) as answer:
            assert answer.read() == b'{"status":"ok"}'
        process.send_signal(number)
        assert process.wait(20) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "deliveries.log",
        "master.key",
        "openplaybook.db",
        "server.lock",
    ]


def test_the_demo_is_talked_to_as_it_says(tmp_path: Path) -> None:
    where = ["--data-dir", str(tmp_path)]
    with started("demo", "--port", "0", "--grpc-port", "0", *where) as process:
        told_until(process, "curl")
        code, output, error = ended("chat", "Pets", *where, "-m", "show me pet 3")
        assert (code, error.splitlines()[1:]) == (0, ["  model: offline"])
        assert output.startswith('  ⚙ pets.getPet {"petId": 3}\n    ✓ {"200": ')
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0


def test_the_demo_agent_is_loaded_once_and_finds_its_service_again(tmp_path: Path) -> None:
    where = ["--data-dir", str(tmp_path)]
    agents: set[str] = set()
    for _ in range(2):
        with started("demo", "--port", "0", "--grpc-port", "0", *where) as process:
            agents.update(re.findall(r"Agent +(\S+)", told_until(process, "Agent")))
            told_until(process, "curl")
            assert ended("tools", "test", "Pets", "pets", "listPets", *where)[0] == 0
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 0
    assert len(agents) == 1


@pytest.mark.parametrize("command", ["serve", "demo"])
def test_a_data_directory_that_cannot_be_used_is_refused(tmp_path: Path, command: str) -> None:
    (tmp_path / "file").write_text("")
    code, output, error = ended(command, "--data-dir", str(tmp_path / "file"))
    assert (code, output) == (1, "")
    assert re.fullmatch(r"error: .*/file.* cannot be .*\n", error), error


CHECKS = 17 + len(ATTEMPTS)
"""Of the machine, and of each wall of the sandbox."""


def test_doctor_looks_without_a_server_and_without_making_anything(tmp_path: Path) -> None:
    code, output, error = ended("doctor", "--data-dir", str(tmp_path / "data"))
    assert (code, error) == (0, "")
    assert output.splitlines()[0] == f"server: none is running on {tmp_path / 'data'}; this command made the checks"
    assert [line.split()[0] for line in output.splitlines() if line.startswith(("ok", "FAIL"))] == ["ok"] * CHECKS
    assert list(tmp_path.iterdir()) == []


def test_doctor_says_what_to_do_and_fails(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code, output, error = ended("doctor", "--data-dir", str(tmp_path / "file"), "--model", "telepathy")
    assert code == 1
    assert error == f"error: 2 of {CHECKS} checks failed: data directory, model\n"
    assert "→ choose another with --data-dir" in output
