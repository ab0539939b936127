"""`openplaybook connections authorize` beside a running server."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from openplaybook.cli.local_server import LocalServer
from openplaybook.server.settings import Settings
from tests.integration.cli.conftest import Run, refusal


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Of a server that lists one SQLite file."""
    folder = tmp_path_factory.mktemp("cli")
    sqlite3.connect(folder / "pets.db").close()
    settings = Settings(data_dir=folder / "data", embeddings="none", sqlite_files=f"pets={folder / 'pets.db'}")
    with LocalServer(settings).running():
        yield folder / "data"


def test_the_address_to_consent_at_is_printed_and_the_code_sent(run: Run) -> None:
    secret = "projects/local/secrets/absent/versions/1"
    words = ("--auth", "oauth2-auth-code-flow", "--set", "client_id=app", "--secret", f"client_secret={secret}")
    assert run("connections", "create", "hub", "--connector", "github", *words).exit_code == 0

    done = run("connections", "authorize", "hub", "--paste", typed="the-code\n")

    [address] = [line for line in done.output.splitlines() if line.startswith("https://")]
    url = urlsplit(address)
    query = parse_qs(url.query)
    assert f"{url.scheme}://{url.netloc}{url.path}" == "https://github.com/login/oauth/authorize"
    assert (query["client_id"], query["scope"]) == (["app"], ["repo"])
    assert query["redirect_uri"] == ["http://localhost:8976/consent"]
    # Without its secret the vendor is not asked; what it is asked with one is tested with the service.
    assert refusal(done).startswith("FAILED_PRECONDITION: ")
    assert secret in refusal(done)


def test_a_connection_that_logs_in_otherwise_needs_no_consent(run: Run) -> None:
    assert run("connections", "create", "pets", "--connector", "sqlite", "--set", "database=pets").exit_code == 0

    refused = run("connections", "authorize", "pets")

    assert "needs no consent: it is not set up with --auth oauth2-auth-code-flow" in refusal(refused)


def test_a_connection_that_is_not_there_is_not_found(run: Run) -> None:
    assert refusal(run("connections", "authorize", "none")).startswith("NOT_FOUND: ")
