"""Commands with and without a server beside them."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from openplaybook.cli.access import client_of, server_api
from openplaybook.cli.api_client import ApiClient
from openplaybook.cli.errors import ApiError, CommandError
from openplaybook.cli.local_server import LocalServer
from openplaybook.cli.main import app
from openplaybook.models.errors import ModelNotConfigured
from openplaybook.server.settings import Settings
from openplaybook.storage.data_directory import DataDirectory, ServerAddress

from .packages import write_agent


def test_without_a_server_a_command_opens_the_store_itself(tmp_path: Path) -> None:
    folder = write_agent(tmp_path / "packages", "Alone")
    where = ["--data-dir", str(tmp_path / "data")]
    imported = CliRunner().invoke(app, ["agents", "import", str(folder), *where])
    listed = CliRunner().invoke(app, ["agents", "list", "--json", *where])
    assert [agent["name"] for agent in json.loads(listed.output)["agents"]] == [imported.stdout.strip()]


def test_the_store_is_free_again_when_the_command_has_ended(tmp_path: Path) -> None:
    with server_api(data_dir=tmp_path):
        assert DataDirectory(tmp_path).running_server() is not None
    assert DataDirectory(tmp_path).running_server() is None


def test_beside_a_server_a_command_talks_to_it(tmp_path: Path) -> None:
    with LocalServer(Settings(data_dir=tmp_path)).running() as running, server_api(data_dir=tmp_path) as api:
        assert api.base_url == running.http


def test_beside_a_server_a_command_cannot_choose_the_model(tmp_path: Path) -> None:
    asked = server_api(data_dir=tmp_path, model="x:y")
    server = LocalServer(Settings(data_dir=tmp_path)).running()
    with server, pytest.raises(CommandError, match="--model has no effect"), asked:
        pass


def test_what_keeps_a_server_from_starting_ends_the_command(tmp_path: Path) -> None:
    with pytest.raises(ModelNotConfigured), server_api(data_dir=tmp_path, model="telepathy"):
        pytest.fail("there is no such model")


def test_what_the_server_published_is_what_a_command_uses() -> None:
    client = client_of(ServerAddress(1, "https://127.0.0.1:1", "", 0, certificate="PEM", key="the key"))
    assert vars(client) == vars(ApiClient("https://127.0.0.1:1", "the key", "PEM"))


def test_a_server_that_is_not_there_is_named() -> None:
    with pytest.raises(CommandError, match=r"http://127\.0\.0\.1:1 cannot be reached"):
        ApiClient("http://127.0.0.1:1").get("v3/projects/p")


def test_an_error_of_the_server_has_its_status(tmp_path: Path) -> None:
    with server_api(data_dir=tmp_path) as api, pytest.raises(ApiError) as refused:
        api.get("v3/projects/p/locations/global/agents/none")
    assert refused.value.status == "NOT_FOUND"


def test_a_server_for_one_command_asks_it_for_nothing(tmp_path: Path) -> None:
    nobody = tmp_path / "none"
    settings = Settings(
        data_dir=tmp_path / "data",
        tls_cert=nobody,
        tls_key=nobody,
        api_key_file=nobody,
        oidc_issuer="https://id.example",
        oidc_audience="a",
        rate_limit="1/h",
        cors_origins="*",
        host="0.0.0.0",
    )
    with LocalServer(settings).running() as running:
        assert running.http.startswith("http://127.0.0.1:")
        for _ in range(3):
            assert client_of(running.address).get("v3/projects/p/locations/global/agents") == {}
