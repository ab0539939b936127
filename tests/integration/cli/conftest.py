"""Commands beside a running server: one for all tests of the folder, as commands only talk to it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from openplaybook.cli.errors import CommandError
from openplaybook.cli.local_server import LocalServer
from openplaybook.cli.main import app
from openplaybook.server.settings import Settings
from tests.kit.sandboxed import FEW_LIBRARIES

SCRIPT = r"""
rules:
  - when: {after: get_weather, error: true}
    reply: {text: 'No weather: {{result.error.message}}'}
  - when: {after: get_weather}
    reply: {text: 'It is {{result.temperature}} degrees.'}
  - when: {user: {matches: 'weather in (?P<city>\w+)'}}
    reply: {calls: [{name: get_weather, arguments: {city: '{{match.city}}'}}]}
  - when: {user: {equals: fail}}
    fail: {kind: unavailable, message: the model is away}
  - reply: {text: 'You said: {{user}}'}
"""

Run = Callable[..., Result]
"""Runs a command on the server's data directory: `run("agents", "list")`."""


@pytest.fixture(scope="module")
def data_dir(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Of a server with a scripted model, by the module's `SCRIPT` or else by the one above."""
    folder = tmp_path_factory.mktemp("cli")
    script = folder / "script.yaml"
    script.write_text(getattr(request.module, "SCRIPT", SCRIPT))
    settings = Settings(
        data_dir=folder / "data", model=f"scripted:{script}", embeddings="none", code_preload=FEW_LIBRARIES
    )
    with LocalServer(settings).running():
        yield settings.data_dir


@pytest.fixture
def run(data_dir: Path) -> Run:
    def run(*words: str, typed: str | None = None) -> Result:
        return CliRunner().invoke(app, [*words, "--data-dir", str(data_dir)], input=typed)

    return run


def refusal(result: Result) -> str:
    """What a command that failed said."""
    assert isinstance(result.exception, CommandError), result.output
    return str(result.exception)
