"""The page on access does what it says: its file of keys, its command and its requests."""

import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from openplaybook.jsonvalues import as_object
from openplaybook.server.settings import load_settings
from tests.e2e.kit.server import clean_environment, running
from tests.kit.guides import blocks

PAGE = "access.md"


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not here")
def test_the_keys_of_the_page_open_what_it_says(tmp_path: Path) -> None:
    (tmp_path / "keys").write_text(blocks(PAGE, "keys"))
    program, command, *flags = shlex.split(blocks(PAGE, "console"))
    assert program == "openplaybook"
    with running(tmp_path, *flags, command=command) as server:
        ran = subprocess.run(
            ["sh", "-eu"],
            input=blocks(PAGE, "sh").replace("http://127.0.0.1:8080", server.http),
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env=clean_environment(),
            timeout=60,
            check=False,
        )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.rstrip("\n") == blocks(PAGE, "text").rstrip("\n")


def _shown(value: object) -> object:
    return str(value) if isinstance(value, Path) else value


def test_the_settings_of_the_page_are_settings(tmp_path: Path) -> None:
    (tmp_path / "openplaybook.toml").write_text(blocks(PAGE, "toml"))
    said = as_object(tomllib.loads(blocks(PAGE, "toml")))
    settings = load_settings({}, {}, tmp_path)
    assert settings.oidc_role_map == "agent-ops=admin,agent-builders=editor,shops=runtime"
    assert {name: _shown(getattr(settings, name)) for name in said if name != "oidc_role_map"} == {
        name: value for name, value in said.items() if name != "oidc_role_map"
    }
