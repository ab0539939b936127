"""The console's own tests, its types, and what a browser has to load for it."""

import gzip
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject, as_list, as_object, loads
from tests.e2e.console.conftest import BUILT

SOURCES = Path(__file__).parents[3] / "console"
MOST_BYTES = 250_000
"""Of everything that the simulator needs at first, compressed."""
MESSENGER_BYTES = 25_000

pytestmark = pytest.mark.skipif(
    shutil.which("npx") is None and not os.environ.get("OPENPLAYBOOK_CI"), reason="there is no Node here"
)


@pytest.mark.parametrize("command", [["vitest", "run"], ["tsc", "--noEmit"]], ids=["tests", "types"])
def test_the_sources_pass(command: list[str]) -> None:
    done = subprocess.run(
        [SOURCES / "node_modules/.bin" / command[0], *command[1:]],
        cwd=SOURCES,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]


def test_the_simulator_loads_within_its_budget() -> None:
    manifest = as_object(loads((BUILT.parent / "manifest.json").read_text()))
    files: set[str] = set()

    def add(name: str) -> None:
        chunk: JsonObject = as_object(manifest[name])
        if (file := str(chunk["file"])) in files:
            return
        files.add(file)
        files.update(str(each) for each in as_list(chunk.get("css")))
        for each in as_list(chunk.get("imports")):
            add(str(each))

    add("index.html")
    add("src/features/simulator/simulator.tsx")
    add("src/words/ko.json")
    size = sum(len(gzip.compress((BUILT.parent / file).read_bytes(), 9)) for file in files)
    assert size <= MOST_BYTES, f"{size} bytes: {sorted(files)}"


def test_the_messenger_stays_small() -> None:
    assert len(gzip.compress((BUILT.parent / "messenger.js").read_bytes(), 9)) <= MESSENGER_BYTES


def test_the_lock_file_names_no_registry() -> None:
    assert "resolved" not in (SOURCES / "package-lock.json").read_text()


def test_no_built_file_speaks_to_another_server() -> None:
    """What the policy forbids is not even tried: no address in the scripts but namespaces and documentation."""
    page = BUILT.read_text()
    assert "http" not in page.replace("http-equiv", "")
    assert "<script>" not in page
    assert "style=" not in page
