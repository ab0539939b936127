"""Real agents of Dialogflow CX become apps that are imported without an error and answer."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from openplaybook.cli.access import server_api
from openplaybook.cli.local_server import LocalServer
from openplaybook.cli.main import app
from openplaybook.server.settings import Settings
from tests.kit.thoroughness import sample


@pytest.fixture(scope="module")
def corpus() -> list[Path]:
    """Folders of real exports; no part of the project, so they are only there where the variable says so."""
    root = os.environ.get("OPENPLAYBOOK_CORPUS")
    if not root:
        pytest.skip("OPENPLAYBOOK_CORPUS does not name a folder of exported agents")
    return sorted(path.parent for path in Path(root).glob("agents/*/agent.json"))


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("converted")
    with LocalServer(Settings(data_dir=folder / "data", model="offline")).running():
        yield folder / "data"


@pytest.mark.sweep
@pytest.mark.proves("X2")
def test_every_real_agent_becomes_an_app_that_answers_its_first_turn(
    corpus: list[Path], data_dir: Path, tmp_path: Path
) -> None:
    assert len(corpus) >= 29
    for number, folder in enumerate(sample(corpus, 6)):
        package = tmp_path / f"{number}.zip"
        done = CliRunner().invoke(app, ["agents", "convert", str(folder), "-o", str(package), "--json"])
        assert done.exit_code == 0, (folder.name, done.output)
        assert json.loads(done.stdout)["notes"], folder.name
        imported = CliRunner().invoke(app, ["agents", "import", str(package), "--json", "--data-dir", str(data_dir)])
        assert imported.exit_code == 0, (folder.name, imported.output)
        session = f"{json.loads(imported.stdout)['name']}/sessions/first"
        with server_api(data_dir=data_dir) as api:
            answer = api.post(
                f"v1beta/{session}:runSession", {"config": {"session": session}, "inputs": [{"text": "hello"}]}
            )
        assert answer["outputs"][-1]["turnIndex"] == 1, folder.name
        assert any(output.get("text") or output.get("toolCalls") for output in answer["outputs"]), folder.name
