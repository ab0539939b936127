"""`openplaybook agents import` says of every playbook what comes of it on this server."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from openplaybook.cli.local_server import LocalServer
from openplaybook.cli.main import app
from openplaybook.jsonvalues import JsonObject
from openplaybook.server.settings import Settings
from openplaybook.services import playbook_verdicts
from openplaybook.workers.lanes import Lane

from .packages import write_agent

STORE = "projects/p/locations/global/collections/default_collection/dataStores/d"
PROSE = "Explain how clouds come about."


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("verdicts") / "data"
    with LocalServer(Settings(data_dir=folder)).running():
        yield folder


def run(data_dir: Path, folder: Path, *words: str) -> Result:
    return CliRunner().invoke(app, ["agents", "import", str(folder), *words, "--data-dir", str(data_dir)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An agent with a playbook of each kind."""
    folder = write_agent(tmp_path, "Mixed")
    playbooks: dict[str, JsonObject] = {
        "Poet": {"goal": "Write poems.", "instruction": {"steps": [{"text": PROSE}]}},
        "Desk": {
            "goal": "Help.",
            "instruction": {"steps": [{"text": "Use ${TOOL: crm}, ${TOOL: docs} or ${FLOW: Billing}."}]},
        },
        "Shop": {"goal": "Sell.", "instruction": {"steps": [{"text": "Tell orders with ${TOOL: orders}."}]}},
    }
    for name, playbook in playbooks.items():
        (folder / "playbooks" / name).mkdir()
        file = folder / "playbooks" / name / f"{name}.json"
        file.write_text(json.dumps({"name": f"id-{name}", "displayName": name, **playbook}))
    key = {"keyName": "X-Key", "requestLocation": "HEADER", "secretVersionForApiKey": "projects/p/secrets/k/versions/1"}
    text = "{openapi: 3.0.0, servers: [{url: 'https://a.example'}], paths: {/orders: {get: {operationId: listOrders}}}}"
    store = {"dataStoreConnections": [{"dataStoreType": "PUBLIC_WEB", "dataStore": STORE}]}
    connector = {"name": "projects/p/locations/l/connections/c", "actions": [{"connectionActionId": "a"}]}
    tools: dict[str, JsonObject] = {
        "crm": {"connectorSpec": connector},
        "docs": {"dataStoreSpec": store},
        "orders": {"openApiSpec": {"textSchema": text, "authentication": {"apiKeyConfig": key}}},
    }
    for name, tool in tools.items():
        (folder / "tools" / name).mkdir()
        (folder / "tools" / name / f"{name}.json").write_text(
            json.dumps({"name": f"id-{name}", "displayName": name, **tool})
        )
    return folder


def test_each_playbook_has_one_verdict_and_its_reasons(data_dir: Path, folder: Path) -> None:
    told = json.loads(run(data_dir, folder, "--json").stdout)
    verdicts = {each["displayName"]: each for each in told["playbooks"]}
    assert {each.pop("playbook").rpartition("/")[0] for each in verdicts.values()} == {f"{told['name']}/playbooks"}
    [secret] = verdicts["Shop"].pop("leansOn")
    assert secret.startswith("the tool orders: the secret version projects/p/secrets/k/versions/1 does not exist")
    assert verdicts == {
        "Start": {"displayName": "Start", "verdict": "RUNS", "clientFunctions": ["get_weather"]},
        "Poet": {
            "displayName": "Poet",
            "verdict": "NEEDS_MODEL",
            "needsModel": "it has no tool, no other playbook and no example that the offline model could go by",
        },
        "Desk": {
            "displayName": "Desk",
            "verdict": "LEANS_ON",
            "leansOn": [
                "the flow Billing",
                "the tool crm: there is no connection 'projects/p/locations/l/connections/c'; there are: none",
                f"the tool docs: there is no data store {STORE} here: calls fail until there is",
            ],
        },
        "Shop": {"displayName": "Shop", "verdict": "LEANS_ON"},
    }


def test_the_same_is_told_in_words(data_dir: Path, folder: Path) -> None:
    *lines, shop = run(data_dir, folder).stderr.splitlines()
    assert lines[lines.index("runs: Start (the client answers get_weather)") + 1 :] == [
        "needs a model (openplaybook serve --model …, docs/models.md):",
        "  Poet: it has no tool, no other playbook and no example that the offline model could go by",
        "depends on parts that are not run here:",
        "  Desk: the flow Billing; the tool crm: there is no connection 'projects/p/locations/l/connections/c'; "
        "there are: none; "
        f"the tool docs: there is no data store {STORE} here: calls fail until there is",
    ]
    assert shop.startswith("  Shop: the tool orders: the secret version projects/p/secrets/k/versions/1 does not exist")


def test_agents_of_an_app_have_verdicts_too(data_dir: Path, tmp_path: Path) -> None:
    files: dict[str, JsonObject] = {
        "app.json": {"displayName": "Clouds", "rootAgent": "front"},
        "agents/front/front.json": {
            "displayName": "front",
            "description": "Tell the weather.",
            "instruction": "Hand over to {@AGENT: poet} for poems on clouds.",
            "childAgents": ["poet"],
        },
        "agents/poet/poet.json": {
            "displayName": "poet",
            "description": "Writes poems on clouds.",
            "instruction": PROSE,
        },
        "agents/guard/guard.json": {"displayName": "guard", "beforeAgentCallbacks": [{"pythonCode": "def f(): ..."}]},
    }
    for path, content in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(json.dumps(content))
    told = json.loads(run(data_dir, tmp_path, "--json").stdout)
    found = {each["displayName"]: (each["verdict"], each.get("leansOn")) for each in told["playbooks"]}
    assert found == {
        "front": ("RUNS", None),
        "poet": ("NEEDS_MODEL", None),
        "guard": ("LEANS_ON", ["1 beforeAgentCallback"]),
    }


def test_with_a_model_of_its_own_nothing_needs_one(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    with LocalServer(Settings(data_dir=tmp_path / "data", model="openai:m")).running():
        told = json.loads(run(tmp_path / "data", folder, "--json").stdout)
    verdicts = {each["displayName"]: each for each in told["playbooks"]}
    assert verdicts["Poet"]["verdict"] == "RUNS"
    assert "needsModel" not in verdicts["Desk"]


def test_an_agent_that_takes_too_long_to_judge_is_imported_and_that_is_told(
    data_dir: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playbook_verdicts, "LARGE_AGENTS", Lane("judging", threads=0, waiting=1, seconds=0))
    told = json.loads(run(data_dir, folder, "--json").stdout)
    assert (told["displayName"], told["playbooks"]) == ("Mixed", [])
    assert told["notes"][-1]["message"] == (
        "it was not found out which playbooks run: the work on judging takes more than 0 s, waiting included"
    )


def test_judging_ends_itself_where_it_takes_too_long(
    data_dir: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playbook_verdicts, "MOST_S", 0.0)
    told = json.loads(run(data_dir, folder, "--json").stdout)
    assert (told["displayName"], told["playbooks"]) == ("Mixed", [])
    assert told["notes"][-1]["message"] == (
        "it was not found out which playbooks run: judging its playbooks takes more than 0 s"
    )
