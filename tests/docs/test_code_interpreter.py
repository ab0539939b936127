"""The page on the code interpreter does what it says, against the demo agent, and its tables are the code's."""

import re
import shutil
import tomllib
from pathlib import Path

import pytest

from openplaybook.jsonvalues import dumps
from openplaybook.sandbox.base import DEFAULT_LIMITS, MAX_WALL_S, MIB
from openplaybook.server.settings import Settings
from openplaybook.tools.code_interpreter.kind import MAX_S
from openplaybook.tools.code_interpreter.without_model.query_plan import plan
from openplaybook.tools.session_files import MAX_FILE_BYTES, MAX_SESSION_BYTES
from tests.docs.test_quickstarts import printed
from tests.e2e.kit.rest import Rest
from tests.e2e.kit.server import Server, running
from tests.kit.guides import DOCS, blocks, command_flags, each_block
from tests.kit.preloaded.commands import quick_python
from tests.kit.sandboxed import ALL_LIBRARIES, need_sandbox

PAGE = "code-interpreter.md"
TEXT = (DOCS / PAGE).read_text()


@pytest.mark.proves("B1", "B4", "B5", "B6")
@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not here")
def test_the_page_on_the_code_interpreter(tmp_path: Path) -> None:
    need_sandbox()
    libraries = {"OPENPLAYBOOK_CODE_PRELOAD": ALL_LIBRARIES}
    with running(tmp_path / "server", *command_flags(PAGE, "demo"), command="demo", **libraries) as demo:
        told = printed(blocks(PAGE, "sh"), ["sh", "-eu"], demo, tmp_path)
        told += printed(blocks(PAGE, "python"), [quick_python(), "-"], demo, tmp_path)
        check_instruction(demo)
    assert told == blocks(PAGE, "text")


def check_instruction(demo: Server) -> None:
    """The tool that the page's instruction names is there without more ado."""
    rest, agent = Rest(demo.http), demo.facts["Agent"]
    [step] = each_block(PAGE, "markdown")
    playbook = {"displayName": "Numbers", "goal": "Count.", "instruction": {"steps": [{"text": step.strip()}]}}
    saved = rest.send("POST", f"/v3/{agent}/playbooks", dumps(playbook))
    assert (saved.status, saved.headers.get("x-openplaybook-warning")) == (200, None)
    assert saved.json["referencedTools"] == [f"{agent}/tools/df-code-interpreter-tool"]


def test_the_limits_are_those_of_the_code() -> None:
    limits = DEFAULT_LIMITS
    rows = [row.split(" | ") for row in re.findall(r"^\| (.* \| .* \| .*?) ?\|$", section("Limits"), re.MULTILINE)]
    assert {name: value for name, value, _ in rows[1:]} == {
        "time of a run": f"{limits.wall_s:.0f} s",
        "processor time of a run": f"{limits.cpu_s:.0f} s",
        "time of a call, with the model's and all runs": f"{MAX_S:.0f} s",
        "memory, files included": f"{limits.memory_bytes // MIB} MiB",
        "child processes": f"{limits.processes}",
        "threads and processes": f"{limits.threads}",
        "open files": f"{limits.open_files}",
        "disk space": f"{limits.disk_bytes // MIB} MiB",
        "files on it": f"{limits.inodes}",
        "text printed": f"{limits.stdout_bytes // MIB} MiB",
        "files given back": f"{limits.files}",
        "one of them": f"{limits.file_bytes // MIB} MiB",
        "all of them": f"{limits.files_bytes // MIB} MiB",
    }
    assert f"`code_timeout`, up to {MAX_WALL_S:.0f}" in TEXT


def test_the_sizes_of_files_are_those_of_the_code() -> None:
    assert f"A file may have {MAX_FILE_BYTES // MIB} MiB" in TEXT
    assert f"those of a session {MAX_SESSION_BYTES // MIB} MiB" in TEXT


def test_the_settings_are_there() -> None:
    named = set(re.findall(r"`(code_\w+)", TEXT))
    assert named == {"code_timeout", "code_memory_mb", "code_processes", "code_python", "code_sessions"}
    assert named <= Settings.__dataclass_fields__.keys()


def test_what_is_said_to_take_no_model_takes_none() -> None:
    table = section("Without a model").partition("```")[0]
    tasks = [task for task in re.findall(r"`([^`]*)`", table) if " " in task and "…" not in task]
    assert len(tasks) == 6
    assert all(plan(task).code for task in tasks)
    words = ("sum", "min", "max", "median", "count", "product", "sort")
    assert all(plan(f"{word} of [1, 2, 5]").code for word in words)
    assert all(plan(f"{word} x**2 + x").code for word in ("differentiate", "simplify"))


def test_the_libraries_are_those_of_the_extra() -> None:
    project = tomllib.loads((DOCS.parent / "pyproject.toml").read_text())["project"]
    [listed] = re.findall(r"`\[code-interpreter\]`: (.*?)\. Nothing else", TEXT, re.DOTALL)
    named = [name.split()[0] for name in listed.replace("\n", " ").split(", ")]
    assert named == project["optional-dependencies"]["code-interpreter"]


def section(heading: str) -> str:
    """The page's text beneath a heading."""
    return TEXT.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
