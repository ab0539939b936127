"""`openplaybook connectors` and `connections` beside a running server."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from openplaybook.cli.local_server import LocalServer
from openplaybook.cli.main import app
from openplaybook.server.settings import Settings
from tests.integration.cli.conftest import Run, refusal

LOCATION = "projects/local/locations/global/connections"
SCHEMA = """
CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT NOT NULL, weight DECIMAL(6, 2));
CREATE TABLE "odd/log" (id INTEGER PRIMARY KEY, line TEXT);
INSERT INTO pet VALUES (1, 'Bello', 12.5), (2, 'Mia', 3.25), (3, 'O''Hara', 4);
"""
PASSWORD = "s3cret-pass-word"


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Of a server that lists one SQLite file."""
    folder = tmp_path_factory.mktemp("cli")
    with sqlite3.connect(folder / "pets.db") as database:
        database.executescript(SCHEMA)
    settings = Settings(
        data_dir=folder / "data", embeddings="none", sqlite_files=f"pets={folder / 'pets.db'},lost={folder / 'lost.db'}"
    )
    with LocalServer(settings).running():
        yield folder / "data"


@pytest.fixture(scope="module")
def pets(data_dir: Path) -> str:
    """Id of a connection that tests share."""
    words = ("connections", "create", "pets", "--connector", "sqlite", "--set", "database=pets")
    created = CliRunner().invoke(app, [*words, "--data-dir", str(data_dir)])
    assert created.exit_code == 0, created.output
    return "pets"


def names(run: Run) -> list[str]:
    listed = json.loads(run("connections", "list", "--json").stdout)["connections"]
    return [each["name"].rpartition("/")[2] for each in listed]


def test_connectors_say_what_they_are_tested_against(run: Run) -> None:
    listed = json.loads(run("connectors", "list", "--json").stdout)["connectors"]
    [sqlite] = [each for each in listed if each["id"] == "sqlite"]
    assert (sqlite["title"], sqlite["engine"], sqlite["evidence"]) == ("SQLite", "sql", "real product")
    assert sqlite["operations"] == ["LIST", "GET", "CREATE", "UPDATE", "DELETE", "ACTIONS", "QUERIES"]
    assert [each["title"] for each in listed] == sorted((each["title"] for each in listed), key=str.casefold)

    [header, line] = run("connectors", "list", "sqli").stdout.splitlines()
    assert header.split() == ["ID", "TITLE", "ENGINE", "TESTED", "AGAINST"]
    assert line.split() == ["sqlite", "SQLite", "sql", "real", "product"]


def test_a_connector_shows_the_options_of_its_connections(run: Run) -> None:
    shown = run("connectors", "show", "postgresql").stdout
    options = [line.split("  ")[1].strip() for line in shown.splitlines() if line.startswith("  --")]
    assert options[:3] == ["--set host", "--set port", "--set database"]
    assert options[-2:] == ["--set username", "--secret password"]
    version = json.loads(run("connectors", "show", "postgresql", "--json").stdout)
    assert version["name"].endswith("/connectors/postgresql/versions/1")
    refused = run("connectors", "show", "fax")
    assert refusal(refused).startswith("NOT_FOUND: ")
    assert refusal(refused).endswith("; `openplaybook connectors list` shows which there are")


def test_a_connection_is_created_tested_shown_and_deleted(run: Run) -> None:
    created = run("connections", "create", "shelter", "--connector", "sqlite", "--set", "database=pets")
    assert (created.exit_code, created.stdout, created.stderr) == (0, f"{LOCATION}/shelter\n", "ACTIVE\n")

    [line] = [each for each in run("connections", "list").stdout.splitlines() if "shelter" in each]
    assert line.split() == [f"{LOCATION}/shelter", "sqlite", "ACTIVE"]
    tested = run("connections", "test", "shelter")
    assert (tested.exit_code, tested.stderr) == (0, "ACTIVE\n")
    assert json.loads(run("connections", "test", f"{LOCATION}/shelter", "--json").stdout) == {"state": "ACTIVE"}
    shown = run("connections", "show", "shelter").stdout
    assert shown.splitlines()[:2] == [f"{LOCATION}/shelter  (sqlite, ACTIVE)", "  database=pets"]
    assert "\n    query LONGVARCHAR required" in shown
    assert "  pet  list, get, create, update, delete\n    id BIGINT key, name " in shown
    assert "  ExecuteCustomQuery  " in shown
    whole = json.loads(run("connections", "show", "shelter", "--json").stdout)
    assert [each["name"] for each in whole["entityTypes"]] == ["odd/log", "pet"]
    assert [each["name"] for each in whole["actions"]] == ["ExecuteCustomQuery"]

    assert refusal(run("connections", "delete", "shelter", typed="n\n")) == "nothing was deleted"
    assert "shelter" in names(run)
    assert run("connections", "delete", "shelter", "--yes").exit_code == 0
    assert "shelter" not in names(run)


def test_a_connection_moves_as_a_file_with_other_values(run: Run, pets: str, tmp_path: Path) -> None:
    file = tmp_path / "pets.json"
    file.write_text(run("connections", "show", pets, "--json").stdout)
    made = run("connections", "create", "moved", "--from", str(file), "--set", "write_cap=3", "--override", "--json")
    connection = json.loads(made.stdout)
    assert connection["name"] == f"{LOCATION}/moved"
    assert connection["configVariables"] == [
        {"key": "database", "stringValue": "pets"},
        {"key": "write_cap", "intValue": "3"},
    ]
    assert connection["authOverrideEnabled"] is True
    run("connections", "delete", "moved", "--yes")

    (tmp_path / "other.json").write_text('{"connectorVersion": 1}')
    for other, message in (("other.json", "must hold a connection as JSON"), ("none.json", "No such file")):
        assert message in refusal(run("connections", "create", "moved", "--from", str(tmp_path / other)))
    both = run("connections", "create", "moved", "--from", str(file), "--connector", "sqlite")
    assert refusal(both).startswith("give either --connector")


def test_a_connection_that_does_not_work_is_shown_as_it_is_set_up(run: Run) -> None:
    run("connections", "create", "away", "--connector", "sqlite", "--set", "database=nowhere")
    shown = run("connections", "show", "away")
    assert shown.exit_code == 1
    assert shown.stdout.splitlines() == [f"{LOCATION}/away  (sqlite, ERROR)", "  database=nowhere"]
    assert "nowhere" in refusal(shown)
    run("connections", "delete", "away", "--yes")


def test_a_connection_that_does_not_work_is_created_and_said_not_to(run: Run) -> None:
    created = run("connections", "create", "lost", "--connector", "sqlite", "--set", "database=other")
    assert (created.exit_code, created.stdout) == (0, f"{LOCATION}/lost\n")
    assert created.stderr.startswith("ERROR\n")
    assert "pets" in created.stderr
    tested = run("connections", "test", "lost")
    assert tested.exit_code == 1
    assert tested.stderr.startswith("ERROR\n")
    run("connections", "delete", "lost", "--yes")


def test_an_operation_is_called_as_a_tool_calls_it(run: Run, pets: str) -> None:
    listed = run("connections", "call", pets, "list_pet", "--input", '{"filter": "weight < 5", "sortBy": ["name"]}')
    assert [each["name"] for each in json.loads(listed.stdout)["entities"]] == ["Mia", "O'Hara"]
    paged = run("connections", "call", pets, "list_pet", "--input", '{"pageSize": 2}', "--json")
    assert set(json.loads(paged.stdout)["result"]) == {"entities", "nextPageToken"}
    query = {"query": "SELECT count(*) AS n FROM pet WHERE weight > ?", "queryParameters": [3.5]}
    counted = run("connections", "call", pets, "ExecuteCustomQuery", "--input", json.dumps(query))
    assert json.loads(counted.stdout) == {"results": [{"n": 2}]}
    assert json.loads(run("connections", "call", pets, "list_odd/log").stdout) == {"entities": []}


def test_a_dry_run_shows_what_would_be_sent_and_changes_nothing(run: Run, pets: str) -> None:
    given = ("--input", '{"filter": "name = \'Mia\'"}')
    rehearsed = run("connections", "call", pets, "delete_pet", *given, "--dry-run")
    assert rehearsed.exit_code == 0
    [first, *rest] = rehearsed.stdout.splitlines()
    assert first.startswith("→ ")
    assert "pet" in "\n".join(rest)
    assert '"deleted"' not in rehearsed.stdout
    told = json.loads(run("connections", "call", pets, "delete_pet", *given, "--dry-run", "--json").stdout)
    assert [each["request"] for each in told["metadata"]["wouldBeSent"]["value"]]
    assert json.loads(run("connections", "call", pets, "get_pet", "--input", '{"entityId": 2}').stdout)["entity"]


def test_a_changed_table_is_read_again_when_that_is_asked_for(run: Run, data_dir: Path) -> None:
    run("connections", "create", "growing", "--connector", "sqlite", "--set", "database=pets", "--set", "tables=grown")
    assert "  grown" not in run("connections", "show", "growing").stdout
    with sqlite3.connect(data_dir.parent / "pets.db") as database:
        database.execute("CREATE TABLE grown (id INTEGER PRIMARY KEY)")
    refreshed = run("connections", "refresh", "growing")
    assert (refreshed.exit_code, refreshed.stdout) == (0, f"{LOCATION}/growing\n")
    assert "  grown  list, " in run("connections", "show", "growing").stdout
    with sqlite3.connect(data_dir.parent / "pets.db") as database:
        database.execute("DROP TABLE grown")
    run("connections", "delete", "growing", "--yes")


def test_a_table_that_the_system_does_not_describe_is_named(run: Run, data_dir: Path) -> None:
    lost = "INSERT INTO sqlite_master VALUES ('table', 'lost', 'lost', 0, 'CREATE VIRTUAL TABLE lost USING nowhere(a)')"
    with sqlite3.connect(data_dir.parent / "lost.db") as database:
        database.execute("CREATE TABLE kept (id INTEGER PRIMARY KEY)")
        database.execute("PRAGMA writable_schema = ON")
        database.execute(lost)
    run("connections", "create", "losing", "--connector", "sqlite", "--set", "database=lost")
    shown = run("connections", "show", "losing").stdout
    assert "  kept  list, " in shown
    assert "  lost  (the system does not describe it)" in shown
    run("connections", "delete", "losing", "--yes")


def test_secrets_are_read_from_standard_input_kept_and_never_shown(run: Run) -> None:
    options = ("--connector", "postgresql", "--set", "host=127.0.0.1", "--set", "port=1", "--set", "database=d")
    typed = f"{PASSWORD}\n"
    created = run(
        *("connections", "create", "db", *options, "--set", "username=u", "--secret", "password"), typed=typed
    )
    assert created.exit_code == 0, created.output

    listed = run("connections", "list", "--json").stdout
    [made] = [each for each in json.loads(listed)["connections"] if each["name"].endswith("/db")]
    version = "projects/local/secrets/db-password/versions/latest"
    assert made["authConfig"] == {
        "authType": "USER_PASSWORD",
        "userPassword": {"username": "u", "password": {"secretVersion": version}},
    }
    tested = run("connections", "test", "db")
    assert all(PASSWORD not in each for each in (created.output, listed, tested.output))

    again = run("connections", "create", "db", *options, "--secret", "password", typed="other\n")
    assert refusal(again) == (f"there is a connection {LOCATION}/db already; delete it first, or choose another name")
    [kept] = [
        each
        for each in json.loads(run("secrets", "list", "--json").stdout)["secrets"]
        if each["name"].endswith("/db-password")
    ]
    assert len(kept["versions"]) == 1
    run("connections", "delete", "db", "--yes")


def test_values_of_a_connection_are_changed_and_the_others_stay(run: Run) -> None:
    run("connections", "create", "changing", "--connector", "sqlite", "--set", "database=pets", "--set", "write_cap=1")
    changed = run("connections", "update", "changing", "--set", "read_only=true", "--override")
    assert (changed.exit_code, changed.stdout, changed.stderr) == (0, f"{LOCATION}/changing\n", "ACTIVE\n")
    made = json.loads(run("connections", "show", "changing", "--json").stdout)
    assert made["connection"]["authOverrideEnabled"] is True
    assert made["connection"]["configVariables"] == [
        {"key": "database", "stringValue": "pets"},
        {"key": "read_only", "boolValue": True},
        {"key": "write_cap", "intValue": "1"},
    ]
    assert {"GET", "LIST"} == {each for kind in made["entityTypes"] for each in kind["operations"]}
    assert run("connections", "update", "changing", "--suspend").stderr.startswith("INACTIVE\n")
    assert refusal(run("connections", "call", "changing", "list_pet")).startswith("FAILED_PRECONDITION: ")
    assert run("connections", "update", "changing", "--resume").stderr == "ACTIVE\n"
    assert refusal(run("connections", "update", "changing", "--set", "file=x")).startswith("there is no 'file' ")
    assert refusal(run("connections", "update", "changing")).startswith("give what is to be changed: ")
    run("connections", "delete", "changing", "--yes")


def test_no_secret_is_kept_for_a_connection_that_cannot_be(run: Run) -> None:
    before = run("secrets", "list", "--json").stdout
    wrong = ("--connector", "postgresql", "--secret", "password", "--set", "nope=1")
    assert refusal(run("connections", "create", "never", *wrong, typed="x\n")).startswith("there is no 'nope' ")
    assert run("secrets", "list", "--json").stdout == before


@pytest.mark.parametrize(
    ("words", "message", "exit_code"),
    [
        (("connections", "create", "x", "--connector", "fax"), "NOT_FOUND: ", 2),
        (("connections", "create", "a/b", "--connector", "sqlite"), "'a/b' is neither an id nor projects/P/", 2),
        (("connections", "create", "X", "--connector", "sqlite", "--set", "database=pets"), "INVALID_ARGUMENT: ", 1),
        (("connections", "create", "x", "--connector", "sqlite"), "INVALID_ARGUMENT: ", 1),
        (
            ("connections", "create", "x", "--connector", "sqlite", "--set", "database"),
            "--set must be KEY=VALUE, not 'database'",
            2,
        ),
        (
            ("connections", "create", "x", "--connector", "sqlite", "--set", "file=a"),
            "there is no 'file' in such a connection; there are: database, tables, ",
            2,
        ),
        (
            ("connections", "create", "x", "--connector", "sqlite", "--set", "database=pets", "--auth", "magic"),
            "--auth magic is not among: AUTH_TYPE_UNSPECIFIED",
            2,
        ),
        (
            ("connections", "create", "x", "--connector", "sqlite", "--set", "database=a", "--set", "read_only=maybe"),
            "read_only must be true or false, not 'maybe'",
            2,
        ),
        (
            ("connections", "create", "x", "--connector", "postgresql", "--set", "database=a", "--set", "password=p"),
            "password is a secret: give it with --secret password",
            2,
        ),
        (
            ("connections", "create", "x", "--connector", "postgresql", "--secret", f"password={PASSWORD}"),
            "--secret password takes the name of a secret's version, or @FILE, or no value",
            2,
        ),
        (
            ("connections", "create", "x", "--connector", "postgresql", "--set", "database=d", "--secret", "password"),
            "--secret password: standard input has no line for it",
            2,
        ),
        (("connections", "show", "missing"), f"NOT_FOUND: Connection {LOCATION}/missing", 1),
        (("connections", "test", "missing"), f"NOT_FOUND: Connection {LOCATION}/missing", 1),
        (("connections", "call", "missing", "list_pet"), f"NOT_FOUND: Connection {LOCATION}/missing", 1),
        (("connections", "delete", "missing", "--yes"), f"NOT_FOUND: Connection {LOCATION}/missing", 1),
        (("connections", "call", "pets", "list_pet", "--input", "{"), "--input is not JSON: ", 2),
        (("connections", "call", "pets", "list_pet", "--input", "[]"), "--input must be a JSON object, such as ", 2),
        (("connections", "call", "pets", "list_cat"), "NOT_FOUND: there is no tool 'list_cat'", 1),
        (
            ("connections", "call", "pets", "list_pet", "--input", '{"filter": "nome = 1"}'),
            "INVALID_ARGUMENT: there is no column 'nome'; there are: id, name, weight",
            1,
        ),
    ],
)
def test_what_cannot_be_done_is_refused(
    run: Run, pets: str, words: tuple[str, ...], message: str, exit_code: int
) -> None:
    refused = run(*words, typed="")
    assert refusal(refused).startswith(message)
    assert getattr(refused.exception, "exit_code", None) == exit_code
    assert PASSWORD not in refusal(refused)
    assert "x" not in names(run)


def test_without_a_server_a_command_brings_its_own(tmp_path: Path) -> None:
    listed = CliRunner().invoke(app, ["connectors", "list", "--json", "--data-dir", str(tmp_path)])
    assert "sqlite" in [each["id"] for each in json.loads(listed.stdout)["connectors"]]
