"""The demo agent looks into the database of its pets through a connection, which nothing can be written through."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from openplaybook.cli.errors import CommandError
from openplaybook.cli.main import app
from openplaybook.demo.demo_agent import RECORDS_CONNECTION
from openplaybook.jsonvalues import JsonValue
from tests.e2e.kit.rest import Rest, words
from tests.e2e.kit.server import running

MILO = "Milo was at the vet on 2026-01-20 for check-up and weighed 4.1 kg."


def called(data_dir: Path, operation: str, **arguments: JsonValue) -> JsonValue | CommandError:
    """What an operation of the demo's connection gives, or its refusal."""
    given = ["--input", json.dumps(arguments), "--data-dir", str(data_dir)]
    result = CliRunner().invoke(app, ["connections", "call", RECORDS_CONNECTION, operation, *given])
    return result.exception if isinstance(result.exception, CommandError) else json.loads(result.stdout)


@pytest.mark.proves("K1", "K8")
def test_the_demo_reads_the_records_of_its_pets_as_its_example_shows_and_writes_none(tmp_path: Path) -> None:
    with running(tmp_path, command="demo") as server:
        rest, agent, data_dir = Rest(server.http), server.facts["Agent"], tmp_path / "data"
        assert words(rest.say(f"{agent}/sessions/1", "when was Milo at the vet?")) == MILO

        listed = called(data_dir, "list_vet_records", filter="reason = 'teeth'")
        assert isinstance(listed, dict)
        assert [each["pet"] for each in listed["entities"]] == ["Bruno", "Hazel"]
        writes = (("delete_vet_records", {"entityId": "Milo"}), ("update_vet_records", {"filter": "pet > ''"}))
        for operation, arguments in writes:
            assert str(called(data_dir, operation, **arguments)).endswith("it takes: GET, LIST")

        question = "what does the vet say about Milo?"
        assert words(rest.say(f"{agent}/sessions/2", question)) == MILO
        [playbook] = rest("GET", f"v3/{agent}/playbooks")["playbooks"]
        examples = rest("GET", f"v3/{playbook['name']}/examples?pageSize=100")["examples"]
        [example] = [each["name"] for each in examples if each["displayName"] == "Vet record of a pet"]
        rest("DELETE", f"v3/{example}")
        assert words(rest.say(f"{agent}/sessions/3", question)) != MILO
