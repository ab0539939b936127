"""Apps of CX Agent Studio through `openplaybook agents`: import, export, and agents made into apps."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from openplaybook.cli.access import server_api
from openplaybook.jsonvalues import JsonObject

from .conftest import Run, refusal
from .packages import write_agent


def write_app(folder: Path, name: str, files: Mapping[str, JsonObject | str] | None = None) -> Path:
    """A folder with an app of that name: one agent, one client function."""
    contents: dict[str, JsonObject | str] = {
        "app.json": {"displayName": name, "rootAgent": "front"},
        "agents/front/front.json": {
            "displayName": "front",
            "instruction": "agents/front/instruction.txt",
            "tools": ["get_weather", "end_session"],
        },
        "agents/front/instruction.txt": "Use {@TOOL: get_weather}.\n",
        "tools/get_weather/get_weather.json": {
            "clientFunction": {
                "name": "get_weather",
                "parameters": {"type": "OBJECT", "required": ["city"], "properties": {"city": {"type": "STRING"}}},
            },
            "displayName": "get_weather",
        },
        **(files or {}),
    }
    for path, content in contents.items():
        file = folder / name / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content if isinstance(content, str) else json.dumps(content))
    return folder / name


def say(data_dir: Path, app: str, text: str) -> JsonObject:
    """The first output of an app's first turn."""
    session = f"{app}/sessions/one"
    with server_api(data_dir=data_dir) as api:
        body = {"config": {"session": session}, "inputs": [{"text": text}]}
        return api.post(f"v1beta/{session}:runSession", body)["outputs"][0]


def test_an_app_is_imported_and_answers(run: Run, tmp_path: Path, data_dir: Path) -> None:
    result = run("agents", "import", str(write_app(tmp_path, "Clouds")))
    assert (result.exit_code, result.stderr) == (0, "runs: front (the client answers get_weather)\n")
    name = result.stdout.strip()
    assert name.startswith("projects/local/locations/global/apps/")
    assert say(data_dir, name, "hello")["text"] == "You said: hello"
    call = say(data_dir, name, "weather in Rome")["toolCalls"]["toolCalls"][0]
    assert (call["displayName"], call["args"]) == ("get_weather", {"city": "Rome"})


def test_what_is_not_run_and_what_is_missing_is_told(run: Run, tmp_path: Path) -> None:
    folder = write_app(
        tmp_path,
        "Partial",
        {
            "tools/look/look.json": {"pythonFunction": {"name": "look", "pythonCode": "tools/look/code.py"}},
            "evaluations/e/e.json": {},
        },
    )
    result = run("agents", "import", str(folder))
    assert result.exit_code == 0
    told = result.stderr.splitlines()
    assert told[told.index("files missing from the export:") + 1] == (
        "  tools/look/look.json $.pythonFunction.pythonCode: "
        "the package has no file tools/look/code.py; the path is kept"
    )
    assert told[told.index("kept for export, not run here:") + 1].startswith("  evaluations: 1 file kept")
    notes = json.loads(run("agents", "import", str(folder), "--json").stdout)["notes"]
    assert {note["kind"] for note in notes} >= {"MISSING_FILE", "KEPT"}


def test_a_secret_that_is_not_there_is_told_with_the_command_that_keeps_it(run: Run, tmp_path: Path) -> None:
    secret = "projects/local/secrets/orders-key"
    key = {"keyName": "X-Key", "requestLocation": "HEADER", "apiKeySecretVersion": f"{secret}/versions/latest"}
    schema = "{openapi: 3.0.0, servers: [{url: 'https://a.example'}], paths: {/a: {get: {operationId: a}}}}"
    toolset = {
        "displayName": "orders",
        "openApiToolset": {"openApiSchema": schema, "apiAuthentication": {"apiKeyConfig": key}},
    }
    result = run("agents", "import", str(write_app(tmp_path, "Keyed", {"toolsets/orders/orders.json": toolset})))
    assert result.exit_code == 0
    told = result.stderr.splitlines()
    assert (told[0], told[2]) == ("secrets to set:", f"    $ openplaybook secrets set {secret}")
    assert told[1].startswith("  toolsets/orders/orders.json $.openApiToolset.apiAuthentication.apiKeyConfig.")


@pytest.mark.proves("X2")
def test_an_exported_folder_is_the_imported_one(run: Run, tmp_path: Path) -> None:
    folder = write_app(tmp_path, "Round", {"evaluations/e/e.json": '{"a":1}', "README.md": "# Mine\n"})
    name = run("agents", "import", str(folder)).stdout.strip()
    out = tmp_path / "out"
    assert run("agents", "export", name, "-o", f"{out}/").exit_code == 0
    for path in (path for path in folder.rglob("*") if path.is_file()):
        written = (out / path.relative_to(folder)).read_text()
        if path.suffix == ".json" and "evaluations" not in path.parts:
            assert json.loads(written).items() >= json.loads(path.read_text()).items(), path
        else:
            assert written == path.read_text(), path
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    again = run("agents", "import", str(out)).stdout.strip()
    assert run("agents", "export", again, "-o", str(out)).exit_code == 0
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before


def test_an_app_that_cannot_be_read_leaves_nothing(run: Run, tmp_path: Path, data_dir: Path) -> None:
    folder = write_app(tmp_path, "Broken", {"tools/get_weather/get_weather.json": "{\n'"})
    assert "tools/get_weather/get_weather.json: is not JSON" in refusal(run("agents", "import", str(folder)))
    with server_api(data_dir=data_dir) as api:
        apps = api.list("v1beta/projects/local/locations/global/apps", "apps")
        assert "Broken" not in [app["displayName"] for app in apps]


@pytest.mark.proves("X2")
def test_an_agent_of_dialogflow_becomes_an_app_that_answers(run: Run, tmp_path: Path, data_dir: Path) -> None:
    result = run("agents", "convert", str(write_agent(tmp_path, "Mover")), "-o", f"{tmp_path}/app/")
    assert result.exit_code == 0, result.output
    assert (tmp_path / "app" / "agents" / "Start" / "instruction.txt").read_text() == (
        "Tell the weather.\n\n- Use {@TOOL: get_weather}."
    )
    imported = run("agents", "import", str(tmp_path / "app"))
    assert (imported.exit_code, imported.stderr) == (0, "runs: Start (the client answers get_weather)\n")
    name = imported.stdout.strip()
    call = say(data_dir, name, "weather in Oslo")["toolCalls"]["toolCalls"][0]
    assert call["args"] == {"city": "Oslo"}


def test_an_agent_of_the_server_is_converted_by_its_name(run: Run, tmp_path: Path) -> None:
    agent = run("agents", "import", str(write_agent(tmp_path, "Here"))).stdout.strip()
    result = run("agents", "convert", agent, "-o", str(tmp_path / "here.zip"), "--json")
    assert json.loads(result.stdout)["app"]["displayName"] == "Here"
    app = run("agents", "import", str(tmp_path / "here.zip")).stdout.strip()
    assert refusal(run("agents", "convert", app)) == f"{app} is already an app of CX Agent Studio"


def test_a_report_and_a_package_do_not_go_to_the_same_place(run: Run, tmp_path: Path) -> None:
    said = refusal(run("agents", "convert", str(write_agent(tmp_path, "Both")), "-o", "-", "--json"))
    assert said == "--json and -o - both write to standard output; name a file with -o"
