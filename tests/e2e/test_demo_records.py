"""The demo agent looks into the database of its pets through a connection, which nothing can be written through."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from openplaybook.cli.errors import CommandError
from openplaybook.cli.main import app
from openplaybook.demo.demo_agent import RECORDS_CONNECTION
from tests.e2e.kit.rest import Rest, words
from tests.e2e.kit.server import running


@pytest.mark.proves("K1")
def test_the_demo_reads_the_records_of_its_pets_and_writes_none(tmp_path: Path) -> None:
    with running(tmp_path, command="demo") as server:
        rest, session = Rest(server.http), f"{server.facts['Agent']}/sessions/1"
        milo = words(rest.say(session, "when was Milo at the vet?"))
        assert milo == "Milo was at the vet on 2026-01-20 for check-up and weighed 4.1 kg."

        def call(operation: str, **arguments: str) -> object:
            given = ["--input", json.dumps(arguments), "--data-dir", str(tmp_path / "data")]
            result = CliRunner().invoke(app, ["connections", "call", RECORDS_CONNECTION, operation, *given])
            return result.exception if isinstance(result.exception, CommandError) else json.loads(result.stdout)

        listed = call("list_vet_records", filter="reason = 'teeth'")
        assert isinstance(listed, dict)
        assert [each["pet"] for each in listed["entities"]] == ["Bruno", "Hazel"]
        for refused in (
            call("delete_vet_records", entityId="Milo"),
            call("update_vet_records", filter="pet > ''", reason="x"),
        ):
            assert isinstance(refused, CommandError)
            assert str(refused).endswith("it takes: GET, LIST")
        assert words(rest.say(session, "when was Milo at the vet?")) == milo


@pytest.mark.proves("K8")
def test_an_example_is_what_makes_the_demo_look_there_and_say_it_well(tmp_path: Path) -> None:
    with running(tmp_path, command="demo") as server:
        rest, agent = Rest(server.http), server.facts["Agent"]
        [playbook] = rest("GET", f"v3/{agent}/playbooks")["playbooks"]
        examples = rest("GET", f"v3/{playbook['name']}/examples?pageSize=100")["examples"]
        [example] = [each for each in examples if each["displayName"] == "Vet record of a pet"]
        question, good = "what does the vet say about Milo?", "Milo was at the vet on 2026-01-20"
        assert words(rest.say(f"{agent}/sessions/with", question)).startswith(good)
        rest("DELETE", f"v3/{example['name']}")
        assert not words(rest.say(f"{agent}/sessions/without", question)).startswith(good)
