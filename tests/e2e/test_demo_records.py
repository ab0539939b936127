"""The demo agent looks into the database of its pets through a connection, which nothing can be written through."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from openplaybook.cli.errors import CommandError
from openplaybook.cli.main import app
from openplaybook.demo.demo_agent import RECORDS_CONNECTION
from openplaybook.jsonvalues import JsonObject, JsonValue
from tests.e2e.kit.rest import Rest, words
from tests.e2e.kit.server import Server, running

MILO = "Milo was at the vet on 2026-01-20 for check-up and weighed 4.1 kg."


def called(data_dir: Path, operation: str, **arguments: JsonValue) -> JsonValue | CommandError:
    """What an operation of the demo's connection gives, or its refusal."""
    given = ["--input", json.dumps(arguments), "--data-dir", str(data_dir)]
    result = CliRunner().invoke(app, ["connections", "call", RECORDS_CONNECTION, operation, *given])
    return result.exception if isinstance(result.exception, CommandError) else json.loads(result.stdout)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("demo"), command="demo") as started:
        yield started


@pytest.mark.proves("K1", "K8")
def test_the_demo_reads_the_records_of_its_pets_as_its_example_shows_and_writes_none(demo: Server) -> None:
    rest, agent, data_dir = Rest(demo.http), demo.facts["Agent"], demo.log.parent / "data"
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


def example_of(tool: str) -> JsonObject:
    """An example in which a word of the user is a value of a condition."""
    record: JsonObject = {"pet": "Milo", "reason": "check-up"}
    use: JsonObject = {
        "tool": tool,
        "action": "list_vet_records",
        "inputActionParameters": {"filter": "reason = 'check-up'"},
        "outputActionParameters": {"entities": [record]},
    }
    said: JsonObject = {"userUtterance": {"text": "which pets were there for check-up?"}}
    actions: list[JsonValue] = [said, {"toolUse": use}, {"agentUtterance": {"text": "There was Milo."}}]
    return {
        "displayName": "By reason",
        "actions": actions,
        "conversationState": "OUTPUT_STATE_OK",
        "languageCode": "en",
    }


@pytest.mark.proves("K8")
def test_an_example_shows_which_words_are_values_of_a_condition(demo: Server) -> None:
    rest = Rest(demo.http)
    agent = rest.agent("Records")
    listing: JsonObject = {
        "entityOperation": {"entityId": "vet_records", "operation": "LIST"},
        "outputFields": ["pet", "reason"],
    }
    tool = rest.tool(agent, "records", connectorSpec={"name": RECORDS_CONNECTION, "actions": [listing]})
    playbook = rest.start(agent, "List vet records with ${TOOL: records}.")
    rest("POST", f"v3/{playbook}/examples", example_of(tool))
    told = words(rest.say(f"{agent}/sessions/1", "which pets were there for teeth?"))
    assert [name for name in ("Bruno", "Hazel", "Luna", "Milo", "Oscar") if name in told] == ["Bruno", "Hazel"]
