"""`openplaybook code run` with a real sandbox."""

import json
import os
import pty
import signal
import subprocess
from base64 import b64encode
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject, as_list
from tests.e2e.kit.server import clean_environment
from tests.kit.preloaded.commands import COMMAND, quick_command
from tests.kit.sandbox.ordinary import as_ordinary, is_root


def ran(
    *arguments: str, code: str = "", folder: Path | None = None, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(quick_command()), "code", "run", *arguments],
        input=code,
        capture_output=True,
        text=True,
        cwd=folder,
        env={**clean_environment(), **(environment or {})},
        timeout=60,
    )


def told(*arguments: str, code: str) -> tuple[int, JsonObject]:
    done = ran("--json", *arguments, code=code)
    assert done.stderr == ""
    return done.returncode, json.loads(done.stdout)


def test_what_code_prints_is_printed(tmp_path: Path) -> None:
    (tmp_path / "sum.py").write_text("\ufeffprint('Größe', 4 + 4)\n")
    done = ran("sum.py", folder=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "Größe 8\n", "")


@pytest.mark.proves("B4")
def test_programs_read_json_with_the_code_that_ran() -> None:
    code = "4 + 4\n"
    assert told(code=code) == (
        0,
        {"execution_result": "8", "execution_error": "", "output_files": [], "generated_code": code},
    )


def test_output_is_exact_in_json_and_harmless_to_people() -> None:
    code = r"print('\x1b[2J\u202eabc\r', end='\n\n')"
    assert told(code=code)[1]["execution_result"] == "\x1b[2J\u202eabc\r\n\n"
    assert ran(code=code).stdout == "\\x1b[2J\\u202eabc\\x0d\n\n"
    assert "\x1b" not in ran("--json", code=code).stdout
    assert "\u202e" not in ran("--json", code=code).stdout


@pytest.mark.proves("B5")
def test_files_go_in_and_come_out(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("a,b\n1,2\n")
    code = "import os; os.mkdir('d'); open('d/out.txt', 'w').write(open('data.csv').read().upper())"
    exit_code, found = told("--input-file", str(tmp_path / "data.csv"), code=code)
    assert exit_code == 0
    [file] = as_list(found["output_files"])
    assert file == {"name": "d/out.txt", "contents": b64encode(b"A,B\n1,2\n").decode()}


def test_files_are_saved_only_where_that_is_asked_and_replace_nothing(tmp_path: Path) -> None:
    code = "open('out.txt', 'w').write('new'); import os; os.mkdir('d'); _ = open('d/x', 'w').write('')"
    done = ran(code=code, folder=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.splitlines() == [
        "wrote d/x (0 bytes)",
        "wrote out.txt (3 bytes)",
        "the files were not saved: name a folder with --output-dir",
    ]
    assert os.listdir(tmp_path) == []
    (tmp_path / "out").mkdir()
    (tmp_path / "out/out.txt").write_text("old")
    done = ran("--output-dir", "out", code=code, folder=tmp_path)
    assert done.stderr.splitlines()[2:] == ["saved out/d/x", "saved out/out-2.txt"]
    assert [(tmp_path / "out" / name).read_text() for name in ("out.txt", "out-2.txt", "d/x")] == ["old", "new", ""]


@pytest.mark.parametrize(
    ("code", "options", "last_line"),
    [
        ("1 / 0", (), "exit code 1"),
        ("import sys; sys.exit(3)", (), "exit code 3"),
        ("while True: pass", ("--timeout", "0.5"), "ended by the limit: time"),
        ("import time; time.sleep(60)", ("--timeout", "0.5"), "ended by the limit: time"),
        ("held = []\nwhile True: held.append(bytearray(2**20))", ("--memory", "100"), "ended by the limit: memory"),
        ("while True: print('x' * 1000)", (), "ended by the limit: output"),
        ("import os; os.fork()", (), "exit code 1"),
    ],
)
def test_what_went_wrong_is_named_in_the_last_line(code: str, options: Sequence[str], last_line: str) -> None:
    exit_code, found = told(*options, code=code)
    assert (exit_code, str(found["execution_error"]).splitlines()[-1]) == (1, last_line)


def test_what_was_printed_before_a_failure_is_kept_and_the_traceback_is_the_codes_own() -> None:
    done = ran(code="print('before')\nraise ValueError('no')")
    assert (done.returncode, done.stdout) == (1, "before\n")
    assert done.stderr.splitlines() == [
        "Traceback (most recent call last):",
        '  File "<code>", line 2, in <module>',
        "    raise ValueError('no')",
        "ValueError: no",
        "exit code 1",
    ]


def test_what_raises_a_limit_is_said_to_people() -> None:
    done = ran("--timeout", "0.5", code="import time; time.sleep(60)")
    assert done.stderr.splitlines() == ["ended by the limit: time", "--timeout gives it more time"]


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_what_is_left_out_is_told_beside_the_result(options: Sequence[str]) -> None:
    done = ran(*options, code="import os; os.symlink('/etc/passwd', 'link'); print('x' * 2_000_000)")
    assert done.returncode == 0
    assert done.stderr.splitlines() == [
        "951 KB of output beyond the limit are not shown",
        "left out link: not a regular file",
    ]


def test_at_a_terminal_long_work_says_how_long_it_has_run() -> None:
    leader, follower = pty.openpty()
    os.set_blocking(leader, False)
    command = [str(quick_command()), "code", "run"]
    done = subprocess.run(
        command, input=b"import time; time.sleep(2.5)", stderr=follower, env=clean_environment(), timeout=60, check=True
    )
    shown = os.read(leader, 65536)
    os.close(follower)
    os.close(leader)
    assert done.returncode == 0
    assert shown.startswith(b"\r\x1b[Krunning for 2 s of at most 30 s")
    assert shown.endswith(b"\r\x1b[K")


def test_child_processes_are_allowed_where_that_is_asked() -> None:
    code = "import subprocess; print(subprocess.run(['echo', 'hi'], capture_output=True, text=True).stdout, end='')"
    assert ran("--processes", "4", code=code).stdout == "hi\n"


@pytest.mark.parametrize(
    ("arguments", "environment", "said"),
    [
        (("nowhere.py",), {}, "nowhere.py: No such file or directory"),
        (("--input-file", "nowhere.csv"), {}, "--input-file nowhere.csv: No such file or directory"),
        (("--timeout", "301"), {}, "--timeout must be above 0 and at most 300, not 301"),
        (("--timeout", "nan"), {}, "--timeout must be above 0 and at most 300, not nan"),
        (("--memory", "0"), {}, "--memory must be above 0, --processes at least 0"),
        (("--output-dir", "/dev/null"), {}, "--output-dir /dev/null: is not a folder"),
        (("--output-dir", "/dev/null/out"), {}, "--output-dir /dev/null/out: Not a directory"),
        ((), {"OPENPLAYBOOK_CODE_TIMEOUT": "0"}, "OPENPLAYBOOK_CODE_TIMEOUT is '0': must be a whole number"),
        ((), {"OPENPLAYBOOK_CODE_EXECUTOR": "off"}, "code execution is switched off by code_executor"),
        ((), {"OPENPLAYBOOK_CODE_PYTHON": "/nowhere/python"}, "/nowhere/python does not start"),
    ],
)
def test_what_cannot_be_run_is_said(
    arguments: Sequence[str], environment: Mapping[str, str], said: str, tmp_path: Path
) -> None:
    done = ran(*arguments, code="print(1)", folder=tmp_path, environment=environment)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_code_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "binary.py").write_bytes(b"print('\xff')")
    done = ran("binary.py", folder=tmp_path)
    assert done.returncode == 2
    assert done.stderr == "error: binary.py is not UTF-8: invalid start byte at byte 7\n"


def test_without_a_sandbox_by_choice_there_is_a_warning() -> None:
    done = ran(code="print(1)", environment={"OPENPLAYBOOK_CODE_EXECUTOR": "unsafe-subprocess"})
    assert (done.returncode, done.stdout) == (0, "1\n")
    assert done.stderr.startswith("unsafe-subprocess: code runs WITHOUT a sandbox")


def test_an_interrupt_ends_the_code_too(tmp_path: Path) -> None:
    (tmp_path / "long.py").write_text("import time; time.sleep(60)")
    with subprocess.Popen(
        [str(COMMAND), "code", "run", "long.py"], cwd=tmp_path, env=clean_environment(), stderr=subprocess.PIPE
    ) as command:
        sandbox = _first_child(command)
        command.send_signal(signal.SIGINT)
        assert command.wait(10) == 130
    assert not Path(f"/proc/{sandbox}").exists()


def _first_child(command: "subprocess.Popen[bytes]") -> int:
    """The process of its that stays: the sandbox."""
    while command.poll() is None:
        for child in Path(f"/proc/{command.pid}/task/{command.pid}/children").read_text().split():
            with suppress(FileNotFoundError, ProcessLookupError):
                if b"inside.launcher" in Path(f"/proc/{child}/cmdline").read_bytes():
                    return int(child)
    raise AssertionError("it ended")


def test_errors_are_coloured_at_a_terminal() -> None:
    leader, follower = pty.openpty()
    command = [str(quick_command()), "code", "run"]
    environment = {**clean_environment(), "TERM": "xterm"}
    subprocess.run(command, input=b"1 / 0", stdout=follower, stderr=follower, env=environment, timeout=60, check=False)
    os.close(follower)
    shown = b""
    try:
        while piece := os.read(leader, 65536):
            shown += piece
    except OSError:
        # How Linux tells that nobody holds the other end any more.
        os.close(leader)
    # On a machine with much to do, a line that tells the time is shown and removed before.
    assert b"\x1b[31mTraceback (most recent call last):" in shown


@pytest.mark.skipif(not is_root(), reason="only root becomes somebody else")
def test_it_works_for_an_ordinary_user(tmp_path: Path) -> None:
    done = subprocess.run(
        as_ordinary([str(COMMAND), "code", "run", "--json"]),
        input="import os; os.getuid()",
        capture_output=True,
        text=True,
        env={**clean_environment(), "HOME": "/tmp"},
        timeout=60,
    )
    assert (done.returncode, json.loads(done.stdout)["execution_result"]) == (0, "1000"), done.stderr
