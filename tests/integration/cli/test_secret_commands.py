"""`openplaybook secrets` beside a running server, and `identity`."""

import json
import os
import pty
import subprocess
from base64 import b64encode
from pathlib import Path
from urllib.request import urlopen

import pytest
from typer.testing import CliRunner

from openplaybook.cli.local_server import LocalServer
from openplaybook.cli.main import app
from openplaybook.jsonvalues import loads
from openplaybook.server.errors import SettingsError
from openplaybook.server.settings import Settings
from openplaybook.storage.errors import StoreUnusable
from tests.e2e.kit.server import clean_environment
from tests.integration.cli.conftest import Run, refusal
from tests.kit.preloaded.commands import quick_command

NAME = "projects/p/secrets/key"
OLD, NEW = b64encode(bytes(range(32))).decode(), b64encode(bytes(32)).decode()


@pytest.mark.proves("A9")
def test_a_secret_is_set_listed_and_deleted_and_never_shown(run: Run) -> None:
    first, second = run("secrets", "set", NAME, typed="planted-1"), run("secrets", "set", NAME, typed="planted-2\n")
    assert (first.output, second.stdout) == (f"{NAME}/versions/1\n", f"{NAME}/versions/2\n")
    assert (first.stderr, second.stderr) == ("", "removed the line break at the end\n")
    listed = run("secrets", "list")
    assert [line.split()[0] for line in listed.output.splitlines()] == [f"{NAME}/versions/1", f"{NAME}/versions/2"]
    of_project = json.loads(run("secrets", "list", "p", "--json").output)
    assert [secret["name"] for secret in of_project["secrets"]] == [NAME]
    assert json.loads(run("secrets", "list", "projects/q", "--json").output) == {"secrets": []}
    assert run("secrets", "delete", NAME, "--yes").output == ""
    assert run("secrets", "list").output == ""


def test_a_secret_is_deleted_when_the_question_is_answered_with_yes(run: Run) -> None:
    run("secrets", "set", NAME, typed="planted")
    kept = run("secrets", "delete", NAME, typed="n\n")
    assert refusal(kept) == "nothing was deleted"
    assert run("secrets", "list").output != ""
    assert run("secrets", "delete", NAME, typed="y\n").exit_code == 0
    assert run("secrets", "list").output == ""


def test_what_is_no_secrets_name_is_refused(run: Run) -> None:
    told = "'key' is not the name of a secret; write projects/PROJECT/secrets/SECRET"
    assert refusal(run("secrets", "set", "key", typed="v")) == told
    assert refusal(run("secrets", "delete", "key", "--yes")) == told


def test_a_secret_that_is_not_there_cannot_be_deleted(run: Run) -> None:
    assert refusal(run("secrets", "delete", NAME, "--yes")) == f"NOT_FOUND: Secret {NAME} does not exist"


def test_on_a_terminal_the_value_is_asked_for_and_not_shown(data_dir: Path) -> None:
    ours, theirs = pty.openpty()
    command = [quick_command(), "secrets", "set", "projects/terminal/secrets/key", "--data-dir", str(data_dir)]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=clean_environment()) as process:
        os.close(theirs)
        shown = read_until(ours, b"Value: ")
        os.write(ours, b"planted-value\n")
        shown += read_until(ours, b"/versions/1")
        assert process.wait(30) == 0
    os.close(ours)
    assert b"planted" not in shown


def read_until(terminal: int, end: bytes) -> bytes:
    """What is shown up to some bytes that have to come."""
    shown = b""
    while end not in shown:
        shown += os.read(terminal, 1024)
    return shown


def test_without_a_server_the_store_itself_is_opened(tmp_path: Path) -> None:
    place = ["--data-dir", str(tmp_path)]
    CliRunner().invoke(app, ["secrets", "set", NAME, *place], input="planted")
    listed = CliRunner().invoke(app, ["secrets", "list", *place])
    assert listed.output.split()[0] == f"{NAME}/versions/1"


def test_the_master_key_is_exchanged_in_three_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = ["--data-dir", str(tmp_path)]

    def invoke(key: str, *words: str, typed: str | None = None) -> object:
        monkeypatch.setenv("OPENPLAYBOOK_MASTER_KEY", key)
        result = CliRunner().invoke(app, [*words, *place], input=typed)
        return result.output if result.exception is None else result.exception

    assert invoke(OLD, "secrets", "set", NAME, typed="planted") == f"{NAME}/versions/1\n"
    assert isinstance(invoke(NEW, "secrets", "list"), SettingsError)
    assert invoke(f"{NEW},{OLD}", "secrets", "reseal") == "records encrypted again: 1\n"
    assert f"{NAME}/versions/1" in str(invoke(NEW, "secrets", "list"))
    assert isinstance(invoke(OLD, "secrets", "list"), SettingsError)


def test_nothing_is_sealed_anew_while_a_server_runs(tmp_path: Path) -> None:
    with LocalServer(Settings(data_dir=tmp_path)).running():
        result = CliRunner().invoke(app, ["secrets", "reseal", "--data-dir", str(tmp_path)])
    assert isinstance(result.exception, StoreUnusable)
    assert "is in use by another server" in str(result.exception)


def published(folder: Path) -> list[str]:
    """Ids of the keys that a server on the folder publishes."""
    server = LocalServer(Settings(data_dir=folder))
    with server.running() as running, urlopen(f"{running.http}/.well-known/jwks.json") as answered:
        return [key["kid"] for key in loads(answered.read())["keys"]]


def test_a_new_key_signs_and_the_old_one_stays_published(tmp_path: Path) -> None:
    (first,) = published(tmp_path)
    result = CliRunner().invoke(app, ["identity", "rotate", "--data-dir", str(tmp_path)])
    second = result.output.removeprefix("signing with ").strip()
    assert published(tmp_path) == [second, first] != [first, first]


def test_no_key_is_exchanged_under_a_running_server(tmp_path: Path) -> None:
    with LocalServer(Settings(data_dir=tmp_path)).running():
        result = CliRunner().invoke(app, ["identity", "rotate", "--data-dir", str(tmp_path)])
    assert isinstance(result.exception, StoreUnusable)
    assert "is in use by another server" in str(result.exception)
