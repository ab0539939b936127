"""The page on recordings does what it says: its blocks run against the demo and print what stands below them."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.e2e.kit.server import clean_environment, running
from tests.kit.guides import blocks, command_flags, each_block, printed
from tests.kit.preloaded.commands import searched

PAGE = "record-and-replay.md"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where the page's commands are typed, beside a running demo."""
    folder = tmp_path_factory.mktemp("demo")
    with running(folder, *command_flags(PAGE, "demo"), command="demo"):
        yield folder


@pytest.fixture(scope="module")
def environment(folder: Path) -> dict[str, str]:
    found = clean_environment()
    path = searched(found["PATH"])
    return {**found, "PATH": path, "OPENPLAYBOOK_DATA_DIR": str(folder / "data")}


@pytest.mark.proves("X6")
def test_the_page_on_recordings_works(folder: Path, environment: dict[str, str]) -> None:
    assert printed(PAGE, folder, environment) == blocks(PAGE, "text")
    listed = subprocess.run(
        ["openplaybook", "agents", "list", "--json"], capture_output=True, text=True, env=environment, check=True
    )
    assert [agent["displayName"] for agent in json.loads(listed.stdout)["agents"]] == ["Pets"]
    [program] = each_block(PAGE, "python")
    (folder / "test_page.py").write_text(program)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null", "test_page.py"]
    tested = subprocess.run(
        command, capture_output=True, text=True, cwd=folder, env=environment, timeout=100, check=False
    )
    assert "1 failed" in tested.stdout
    assert "NO_SUCH_FUNCTION" in tested.stdout


def test_the_pipelines_are_yaml_that_runs_the_command() -> None:
    for text in each_block(PAGE, "yaml"):
        assert "openplaybook replay recordings --agent agent --junit report.xml" in yaml.dump(yaml.safe_load(text))
