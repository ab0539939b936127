"""`openplaybook chat`: files go in, and come back."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from openplaybook.cli.local_server import LocalServer
from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.server.settings import Settings
from tests.kit.sandboxed import need_sandbox

from .conftest import Run, refusal
from .packages import write_agent

PIXEL = bytes.fromhex("89504e470d0a1a0a") + b"a picture as far as its beginning tells"

COPY = f"""
text = open("numbers.csv").read()
open("sum.txt", "w").write(str(sum(map(int, text.split()))))
open("plot.png", "wb").write({PIXEL!r})
print(len(text))
"""


def script() -> JsonObject:
    """A model that has each word answered by code."""
    hand_on = {"calls": [{"name": "code-interpreter", "arguments": {"query": "{{user}}"}}]}
    write = {"calls": [{"name": "run_python", "arguments": {"code": COPY}}]}
    result = "{{result.generate_and_execute output.execution_result}}"
    return {
        "rules": [
            {"when": {"playbook": "Code Interpreter"}, "reply": write},
            {"when": {"playbook": "Code Interpreter", "after": "run_python"}, "fail": {"kind": "unavailable"}},
            {"when": {"after": "code-interpreter"}, "reply": {"text": f"Read {result} characters."}},
            {"reply": hand_on},
        ]
    }


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    need_sandbox()
    folder = tmp_path_factory.mktemp("cli")
    (folder / "script.json").write_bytes(dumps(script()))
    settings = Settings(data_dir=folder / "data", model=f"scripted:{folder / 'script.json'}", code_preload="")
    with LocalServer(settings).running():
        yield folder / "data"


@pytest.fixture
def agent(run: Run, tmp_path: Path) -> str:
    """Full name of an agent with the code interpreter."""
    folder = write_agent(tmp_path, "Analyst")
    (playbook,) = folder.glob("playbooks/*/*.json")
    resource = {
        **json.loads(playbook.read_text()),
        "instruction": {"steps": [{"text": "Use ${TOOL: code-interpreter}."}]},
    }
    playbook.write_text(json.dumps(resource))
    return run("agents", "import", str(folder)).stdout.strip()


@pytest.fixture
def numbers(tmp_path: Path) -> Path:
    (tmp_path / "numbers.csv").write_text("1\n20\n300\n")
    return tmp_path / "numbers.csv"


@pytest.mark.proves("B5")
def test_a_file_goes_in_and_those_that_come_back_are_told(run: Run, agent: str, numbers: Path) -> None:
    result = run("chat", agent, "-m", "sum it up", "--attach", str(numbers))
    _, _, *told = result.stdout.splitlines()
    assert told == [
        "    [image plot.png 47 bytes]  (--files DIR saves files)",
        "    [file sum.txt 3 bytes]",
        "agent: Read 9 characters.",
    ]


def test_files_are_saved_where_asked_and_replace_nothing(run: Run, agent: str, numbers: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    result = run("chat", agent, "-m", "once", "-m", "again", "--attach", str(numbers), "--files", str(kept))
    assert (result.exit_code, f"    [file sum.txt 3 bytes] → {kept / 'sum.txt'}" in result.output) == (0, True)
    assert {path.name: path.read_bytes() for path in kept.iterdir()} == {
        "plot.png": PIXEL,
        "plot-2.png": PIXEL,
        "sum.txt": b"321",
        "sum-2.txt": b"321",
    }


def test_a_person_attaches_files_by_a_command(run: Run, agent: str, numbers: Path) -> None:
    typed = f"/attach {numbers}\n/attach {numbers.parent}/missing\nsum it up\n/quit\n"
    shown = run("chat", agent, typed=typed).output
    assert "  [file numbers.csv 9 bytes] is attached to your next message\n" in shown
    assert "missing is not an existing file" in shown
    assert "agent: Read 9 characters.\n" in shown


def test_what_was_attached_can_be_left_out(run: Run, agent: str, numbers: Path) -> None:
    shown = run("chat", agent, typed=f"/attach {numbers}\n/attach\nsum it up\n/quit\n").output
    assert "  no file is attached\n" in shown
    assert "agent: Read 9 characters.\n" not in shown


def test_programs_attach_files_and_are_told_of_those_that_come(
    run: Run, agent: str, numbers: Path, tmp_path: Path
) -> None:
    line = json.dumps({"text": "sum it up", "attach": [str(numbers)]})
    result = run("chat", agent, "--json", "--files", str(tmp_path / "kept"), typed=line)
    told = [line for line in map(json.loads, result.output.splitlines()) if line["type"] == "file"]
    assert told == [
        {"type": "file", "name": "plot.png", "bytes": 47, "image": True, "path": str(tmp_path / "kept" / "plot.png")},
        {"type": "file", "name": "sum.txt", "bytes": 3, "image": False, "path": str(tmp_path / "kept" / "sum.txt")},
    ]


def test_a_file_that_is_not_there_is_refused_before_anything_is_said(run: Run, agent: str, tmp_path: Path) -> None:
    result = run("chat", agent, "-m", "sum it up", "--attach", str(tmp_path / "missing.csv"))
    assert refusal(result) == f"{tmp_path / 'missing.csv'} is not an existing file"
