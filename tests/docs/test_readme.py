"""The README's blocks do what they say, against the demo that it starts; tests/packaging starts that as it says."""

import json
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
import yaml

from openplaybook.jsonvalues import JsonObject
from tests.docs.test_quickstarts import printed
from tests.e2e.kit.rest import Rest
from tests.e2e.kit.server import Server, clean_environment, running
from tests.kit.guides import README, block_of, each_block
from tests.kit.preloaded.commands import quick_python, searched
from tests.kit.sandboxed import need_sandbox

ORDERS: JsonObject = {
    "openapi": "3.0.0",
    "info": {"title": "Orders", "version": "1"},
    "paths": {
        "/pets/{orderId}": {
            "get": {
                "operationId": "getOrder",
                "parameters": [{"name": "orderId", "in": "path", "required": True, "schema": {"type": "integer"}}],
                "responses": {"200": {"description": "The order"}},
            }
        }
    },
}
"""An API of orders, which the demo's pets play."""

TURN = """
asked = {"session": "AGENT/sessions/r", "query_input": {"text": {"text": "show me pet 3"}, "language_code": "en"}}
print(sessions.detect_intent(request=asked).query_result.response_messages[0].text.text[0])
"""
NO_APP = """
from google.api_core.exceptions import NotFound
try:
    config = {"session": "projects/demo/locations/global/apps/none/sessions/s"}
    sessions.run_session(request={"config": config, "inputs": [{"text": "hello"}]})
except NotFound as error:
    print(error.message.rpartition(": ")[2])
"""


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("demo"), command="demo") as server:
        yield server


@pytest.fixture
def variables(demo: Server) -> Mapping[str, str]:
    """What a terminal has in which the commands find the demo."""
    path = searched(clean_environment()["PATH"])
    return {**clean_environment(), "PATH": path, "OPENPLAYBOOK_DATA_DIR": str(demo.log.parent / "data")}


def typed(program: str, folder: Path, variables: Mapping[str, str], said: str = "") -> str:
    """What commands print in a folder, and what is typed into them."""
    ran = subprocess.run(
        ["sh", "-euc", program],
        input=said,
        capture_output=True,
        text=True,
        cwd=folder,
        env=dict(variables),
        timeout=100,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr + ran.stdout
    return ran.stdout


def test_the_conversation_is_a_real_one(variables: Mapping[str, str], tmp_path: Path) -> None:
    command, _, shown = block_of(README, "text", "$ openplaybook chat").removeprefix("$ ").partition("\n")
    said = [line.split(": ", 2 if line.startswith("result of") else 1)[-1] for line in shown.splitlines() if asks(line)]
    help_line, _, told = typed(command, tmp_path, variables, "\n".join(said)).partition("\n")
    assert help_line.startswith("Talking to Pets.")
    assert told.removesuffix("you: \n").rstrip("\n") == shown.rstrip("\n")


def asks(line: str) -> bool:
    """Whether the line begins with a prompt."""
    return line.startswith(("you: ", "result of "))


def test_the_clients_reach_the_server(demo: Server, tmp_path: Path) -> None:
    dialogflow, ces = each_block(README, "python")
    program = dialogflow + TURN.replace("AGENT", demo.facts["Agent"]) + ces + NO_APP
    assert printed(program, [quick_python(), "-"], demo, tmp_path).splitlines() == [
        "Pet 3 is Luna, owned by Aisha, labels: cat and indoor.",
        "App projects/demo/locations/global/apps/none does not exist.",
    ]


def test_an_agent_is_imported_exported_compared_and_converted(
    demo: Server, variables: Mapping[str, str], tmp_path: Path
) -> None:
    program = block_of(README, "sh", "openplaybook agents import").splitlines(keepends=True)
    typed("openplaybook agents export Pets -o pets/", tmp_path, variables)
    settings = json.loads((tmp_path / "pets/agent.json").read_text())
    (tmp_path / "pets/agent.json").write_text(json.dumps({**settings, "displayName": "My agent"}))
    typed("cd pets && python -m zipfile -c ../my-export.zip *", tmp_path, variables)
    agent = typed(program[0], tmp_path, variables).split()[0].rstrip(":")
    rest = "".join(program[1:]).replace("projects/my-project/locations/us-central1/agents/ID", agent)
    google = {"OPENPLAYBOOK_GOOGLE_ENDPOINT": demo.http, "OPENPLAYBOOK_GOOGLE_ANONYMOUS": "1"}
    typed(rest, tmp_path, {**variables, **google})
    assert [(tmp_path / path).is_file() for path in ("my-agent/agent.json", "my-app/app.json")] == [True, True]


def test_an_api_becomes_a_tool(demo: Server, variables: Mapping[str, str], tmp_path: Path) -> None:
    program = block_of(README, "sh", "openplaybook openapi inspect")
    schema = yaml.safe_dump({**ORDERS, "servers": [{"url": demo.facts["Pets"].removesuffix("/pets")}]})
    (tmp_path / "orders.yaml").write_text(schema)
    (tmp_path / "answer.json").write_text('{"orderId": 3}')
    rest = Rest(demo.http)
    shop = {"displayName": "Shop", "defaultLanguageCode": "en", "timeZone": "Etc/UTC"}
    agent = rest("POST", "v3/projects/demo/locations/global/agents", shop)["name"]
    tool = {"displayName": "orders", "description": "Orders.", "openApiSpec": {"textSchema": schema}}
    rest("POST", f"v3/{agent}/tools", tool)
    told = typed(program, tmp_path, variables)
    assert "orders.yaml: 1 of 1 operations can be called." in told
    assert "operationId: getOrder" in told
    assert '"name": "Luna"' in told


def test_a_folder_of_documents_is_searched(variables: Mapping[str, str], tmp_path: Path) -> None:
    program = block_of(README, "sh", "openplaybook datastores ingest")
    (tmp_path / "handbook").mkdir()
    (tmp_path / "handbook/returns.md").write_text("# Returns\n\nYou can return shoes within 30 days of delivery.\n")
    told = typed(program, tmp_path, variables)
    assert "took 1 document\n" in told
    assert "You can return shoes within 30 days of delivery." in told


def test_code_runs_in_the_sandbox(variables: Mapping[str, str], tmp_path: Path) -> None:
    need_sandbox()
    program = block_of(README, "sh", "openplaybook code run")
    (tmp_path / "sales.csv").write_text("day,sold\nMon,3\nTue,5\n")
    (tmp_path / "plot.py").write_text("import pandas\nprint(pandas.read_csv('sales.csv').plot(x='day').get_xlabel())")
    told = typed(program, tmp_path, variables, "4 + 4")
    assert told.splitlines()[0] == "day"
    assert "agent: The result is 8." in told
    assert "ok    code: seccomp" in told
    assert (tmp_path / "out/figure_1.png").is_file()


def test_a_conversation_is_recorded_and_replayed(variables: Mapping[str, str], tmp_path: Path) -> None:
    program = block_of(README, "sh", "openplaybook record")
    typed("openplaybook chat Pets --session S -m 'show me pet 3'", tmp_path, variables)
    assert typed(program, tmp_path, variables).endswith("same  pets.yaml: 1 turn\n")
