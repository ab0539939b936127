"""A backup taken by command beside a server that is busy, and a server on what was restored from it."""

import subprocess
import threading
from pathlib import Path

import pytest

from tests.e2e.kit.rest import Rest, words
from tests.e2e.kit.server import clean_environment, running
from tests.kit.preloaded.commands import quick_command

pytestmark = pytest.mark.proves("X4")


def command(*words: str | Path) -> tuple[int, str, str]:
    done = subprocess.run(
        [quick_command(), *words], capture_output=True, text=True, timeout=60, check=False, env=clean_environment()
    )
    return done.returncode, done.stdout, done.stderr


def paused(rest: Rest, agent: str, number: int) -> None:
    """Begin a conversation that waits for its client."""
    rest.say(f"{agent}/sessions/{number}", "weather in Oslo?")


def test_a_session_that_was_paused_goes_on_from_a_backup_that_was_taken_under_load(
    tmp_path: Path, script: Path
) -> None:
    flags, backup = ["--model", f"scripted:{script}"], tmp_path / "backup.tar.gz"
    with running(tmp_path / "old", *flags) as server:
        rest = Rest(server.http)
        agent = rest.agent()
        tool = rest.tool(agent, "get-weather-tool", functionSpec={})
        rest.start(agent, "Tell the weather with ${TOOL: get-weather-tool}.")
        paused(rest, agent, 0)
        ends, begun = threading.Event(), [0]

        def keep_pausing() -> None:
            while not ends.is_set():
                begun[0] += 1
                paused(rest, agent, begun[0])

        load = threading.Thread(target=keep_pausing)
        load.start()
        try:
            code, _, error = command("backup", backup, "--with-master-key", "--data-dir", tmp_path / "old" / "data")
        finally:
            ends.set()
            load.join()
        assert (code, error) == (0, "")
    code, told, error = command("restore", backup, "--data-dir", tmp_path / "new" / "data")
    assert (code, error) == (0, "")
    assert told.startswith(f"{tmp_path / 'new' / 'data'}: restored to 20")
    result = {"tool": tool, "action": "get-weather-tool", "outputParameters": {"temperature": 9}}
    with running(tmp_path / "new", *flags) as server:
        rest = Rest(server.http)
        # Sessions that had begun by then go on; of later ones there is no trace.
        answers = [rest.detect(f"{agent}/sessions/{n}", {"toolCallResult": result}) for n in range(begun[0] + 1)]
    statuses = [answer.status for answer in answers]
    known = statuses.count(200)
    assert known >= 1
    assert statuses == [200] * known + [400] * (len(statuses) - known)
    assert {words(answer.json["queryResult"]) for answer in answers[:known]} == {"It is 9 degrees."}


def test_what_is_not_done_is_said_in_one_line(tmp_path: Path) -> None:
    with running(tmp_path, "--model", "offline"):
        code, told, error = command("backup", tmp_path / "b", "--data-dir", tmp_path / "data")
        assert (code, told.partition(",")[0].split()[0]) == (0, f"{tmp_path / 'b'}:")
        assert error == "The master key is not in the backup. Keep it separately: without it, secrets cannot be read.\n"
        code, told, error = command("restore", tmp_path / "b", "--force", "--data-dir", tmp_path / "data")
        assert (code, told) == (1, "")
        assert f"error: {tmp_path / 'data'} is in use by another server (process " in error
    code, told, error = command("backup", tmp_path / "b", "--data-dir", tmp_path / "data")
    assert (code, told) == (1, "")
    assert error == f"error: {tmp_path / 'b'} exists; choose another name, or replace it with --force\n"
    (tmp_path / "b").write_bytes(b"something else")
    code, told, error = command("restore", tmp_path / "b", "--data-dir", tmp_path / "new")
    assert (code, told) == (1, "")
    assert error == f"error: {tmp_path / 'b'}: it is not a backup, or it is damaged: not a gzip file\n"
