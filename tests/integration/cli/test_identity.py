from pathlib import Path
from urllib.request import urlopen

from typer.testing import CliRunner

from openplaybook.cli.local_server import LocalServer
from openplaybook.cli.main import app
from openplaybook.jsonvalues import loads
from openplaybook.server.settings import Settings
from openplaybook.storage.errors import StoreUnusable


def published(folder: Path) -> list[str]:
    """Ids of the keys that a server on the folder publishes."""
    server = LocalServer(Settings(data_dir=folder))
    with server.running() as running, urlopen(f"{running.http}/.well-known/jwks.json") as answered:
        return [key["kid"] for key in loads(answered.read())["keys"]]


def test_a_new_key_signs_and_the_old_one_stays_published(tmp_path: Path) -> None:
    (first,) = published(tmp_path)
    result = CliRunner().invoke(app, ["identity", "rotate", "--data-dir", str(tmp_path)])
    second = result.output.removeprefix("signing with ").strip()
    assert published(tmp_path) == [second, first] != [first, first]


def test_no_key_is_exchanged_under_a_running_server(tmp_path: Path) -> None:
    with LocalServer(Settings(data_dir=tmp_path)).running():
        result = CliRunner().invoke(app, ["identity", "rotate", "--data-dir", str(tmp_path)])
    assert isinstance(result.exception, StoreUnusable)
    assert "is in use by another server" in str(result.exception)
