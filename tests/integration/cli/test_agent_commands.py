"""`openplaybook agents` and the names of agents."""

import io
import json
import zipfile
from pathlib import Path

from openplaybook.cli.access import server_api

from .conftest import Run, refusal
from .packages import START, write_agent


def imported(run: Run, folder: Path, name: str) -> str:
    result = run("agents", "import", str(write_agent(folder, name)))
    assert result.exit_code == 0, result.output
    return result.stdout.strip()


def test_an_imported_agent_is_listed_with_its_full_name(run: Run, tmp_path: Path) -> None:
    name = imported(run, tmp_path, "Listed")
    assert name.startswith("projects/local/locations/global/agents/")
    agents = json.loads(run("agents", "list", "--json").output)["agents"]
    [agent] = [agent for agent in agents if agent["name"] == name]
    assert (agent["displayName"], agent["kind"]) == ("Listed", "agent")
    start = {"kind": "playbook", "name": f"{name}/playbooks/{START}", "displayName": "Start"}
    assert agent["start"] == start
    head, *rows = [line.split("  ") for line in run("agents", "list").output.splitlines()]
    assert [cell.strip() for cell in head if cell] == ["NAME", "KIND", "START", "CHANGED (UTC)", "FULL NAME"]
    [row] = [[cell.strip() for cell in row if cell] for row in rows if row[-1] == name]
    assert row == ["Listed", "agent", "playbook Start", agent["changeTime"][:19].replace("T", " "), name]


def test_a_list_tells_when_a_playbook_was_changed(run: Run, tmp_path: Path, data_dir: Path) -> None:
    name = imported(run, tmp_path, "Changing")
    with server_api(data_dir=data_dir) as api:
        path = f"v3/{name}/playbooks/{START}"
        changed = api.patch(path, {"name": path.removeprefix("v3/"), "goal": "Anew."}, updateMask="goal")
    agents = json.loads(run("agents", "list", "--json").output)["agents"]
    assert [agent["changeTime"] for agent in agents if agent["name"] == name] == [changed["updateTime"]]


def test_an_agent_that_starts_with_a_flow_is_listed_with_it(run: Run, tmp_path: Path) -> None:
    folder = write_agent(tmp_path, "Flowing")
    agent = {"displayName": "Flowing", "defaultLanguageCode": "en", "timeZone": "Etc/UTC", "startFlow": "Welcome"}
    (folder / "agent.json").write_text(json.dumps(agent))
    flow = folder / "flows" / "Welcome"
    flow.mkdir(parents=True)
    (flow / "Welcome.json").write_text(json.dumps({"name": "f1", "displayName": "Welcome"}))
    name = run("agents", "import", str(folder)).stdout.strip()
    [line] = [line for line in run("agents", "list").output.splitlines() if name in line]
    assert "  flow f1 (playbook Start instead)  " in line
    agents = json.loads(run("agents", "list", "--json").output)["agents"]
    [start] = [agent["start"] for agent in agents if agent["name"] == name]
    assert start == {"kind": "flow", "name": f"{name}/flows/f1", "displayName": "f1", "inItsPlace": "Start"}


def test_an_agent_whose_export_does_not_say_what_it_is_called_is_called_like_its_folder(
    run: Run, tmp_path: Path
) -> None:
    folder = write_agent(tmp_path / "My shop 1.2", "")
    agent = json.loads(run("agents", "import", str(folder), "--json").output)
    assert agent["displayName"] == "My shop 1.2"


def test_an_agent_can_be_imported_anywhere(run: Run, tmp_path: Path) -> None:
    result = run("agents", "import", str(write_agent(tmp_path, "Elsewhere")), "--location", "projects/p/locations/eu")
    assert result.stdout.startswith("projects/p/locations/eu/agents/")


def test_an_exported_agent_can_be_imported_again(run: Run, tmp_path: Path) -> None:
    imported(run, tmp_path, "Travelling")
    package = tmp_path / "out.zip"
    assert run("agents", "export", "Travelling", "-o", str(package)).exit_code == 0
    with zipfile.ZipFile(package) as archive:
        assert "playbooks/Start/Start.json" in archive.namelist()
    again = json.loads(run("agents", "import", str(package), "--json").output)
    assert (again["displayName"], again["timeZone"]) == ("Travelling", "Europe/Paris")
    assert again["startPlaybook"].startswith(again["name"])


def test_a_tool_that_lacks_its_secret_in_the_package_is_named(run: Run, tmp_path: Path) -> None:
    folder = write_agent(tmp_path, "Unarmed")
    tool = folder / "tools" / "orders"
    tool.mkdir()
    key = {"keyName": "X-Key", "requestLocation": "HEADER"}
    spec = {
        "authentication": {"apiKeyConfig": key},
        "textSchema": "{openapi: 3.0.0, servers: [{url: 'https://a.example'}], paths: {/a: {get: {}}}}",
    }
    (tool / "orders.json").write_text(json.dumps({"name": "o", "displayName": "orders", "openApiSpec": spec}))
    result = run("agents", "import", str(folder))
    assert (result.exit_code, result.stdout.count("\n")) == (0, 1)
    assert result.stderr.splitlines() == [
        "secrets to set:",
        "  tools/orders/orders.json $.openApiSpec.authentication.apiKeyConfig.apiKey: the tool needs apiKey; store it "
        "as a secret, and set secretVersionForApiKey to projects/local/secrets/orders-api-key/versions/latest",
        "    $ openplaybook secrets set projects/local/secrets/orders-api-key",
        "to fix: orders: $.openApiSpec.authentication.apiKeyConfig.apiKey: is required, or secretVersionForApiKey in "
        "its place",
        "runs: Start (the client answers get_weather)",
    ]


def test_an_export_can_go_to_standard_output(run: Run, tmp_path: Path) -> None:
    name = imported(run, tmp_path, "Piped")
    package = run("agents", "export", name, "-o", "-").stdout_bytes
    assert json.loads(zipfile.ZipFile(io.BytesIO(package)).read("agent.json"))["displayName"] == "Piped"


def test_a_file_that_cannot_be_written_is_named(run: Run, tmp_path: Path) -> None:
    name = imported(run, tmp_path, "Homeless")
    said = refusal(run("agents", "export", name, "-o", str(tmp_path / "none" / "out.zip")))
    assert said == f"{tmp_path}/none/out.zip cannot be written: No such file or directory"


def test_a_display_name_that_two_agents_have_is_refused_with_both_names(run: Run, tmp_path: Path) -> None:
    names = {imported(run, tmp_path, "Twin"), imported(run, tmp_path, "Twin")}
    said = refusal(run("agents", "export", "Twin"))
    assert "several agents are called 'Twin'" in said
    assert all(name in said for name in names)


def test_an_unknown_agent_is_refused_with_those_that_are_there(run: Run, tmp_path: Path) -> None:
    imported(run, tmp_path, "Known")
    said = refusal(run("agents", "export", "Unknown"))
    assert said.startswith("no agent is called 'Unknown'; there are: ")
    assert "Known" in said
    imported(run, tmp_path, "Known")
    assert "Known (2)" in refusal(run("agents", "export", "Unknown"))


def test_a_full_name_of_no_agent_is_the_servers_to_refuse(run: Run) -> None:
    said = refusal(run("agents", "export", "projects/p/locations/global/agents/none"))
    assert said.startswith("NOT_FOUND: Agent projects/p/locations/global/agents/none")


def test_a_location_that_is_none_is_refused_with_its_form(run: Run, tmp_path: Path) -> None:
    folder = write_agent(tmp_path, "Nowhere")
    said = refusal(run("agents", "import", str(folder), "--location", "here"))
    assert said == "--location is 'here'; it must be projects/PROJECT/locations/LOCATION"


def test_a_package_that_cannot_be_restored_leaves_no_agent(run: Run, tmp_path: Path) -> None:
    folder = write_agent(tmp_path, "Broken")
    (folder / "playbooks" / "Start" / "Start.json").write_text("{")
    said = refusal(run("agents", "import", str(folder)))
    assert said.startswith("INVALID_ARGUMENT: playbooks/Start/Start.json: is not JSON: ")
    agents = json.loads(run("agents", "list", "--json").output)["agents"]
    assert "Broken" not in [agent["displayName"] for agent in agents]


def write_examples(folder: Path) -> None:
    """Add two examples to the agent in a folder: one calls an action that is not there, one gives a wrong value."""
    examples = folder / "playbooks" / "Start" / "examples"
    examples.mkdir()
    for name, use in {
        "Lost": {"action": "get_wether", "inputActionParameters": {"city": "Paris"}},
        "Odd": {"action": "get_weather", "inputActionParameters": {"city": 5}},
    }.items():
        actions = [{"userUtterance": {"text": "hi"}}, {"toolUse": {"tool": "get_weather", **use}}]
        example = {"name": name.lower(), "displayName": name, "languageCode": "en", "actions": actions}
        (examples / f"{name}.json").write_text(json.dumps(example))


LOST = (
    "Start, Lost: $.actions[1].toolUse.action: the tool 'get_weather' has no action 'get_wether'; "
    "did you mean 'get_weather'?"
)
ODD = (
    "Start, Odd: $.actions[1].toolUse.inputActionParameters: does not fit the action 'get_weather': "
    "city must be string, got 5"
)


def test_calls_in_examples_that_could_not_be_made_are_told_by_import_and_validate(run: Run, tmp_path: Path) -> None:
    folder = write_agent(tmp_path, "Misled")
    write_examples(folder)
    came = run("agents", "import", str(folder))
    to_mend = [line for line in came.stderr.splitlines() if line.startswith("to fix: ")]
    assert (came.exit_code, to_mend) == (0, [f"to fix: {LOST}", f"to fix: {ODD}"])
    name = came.stdout.strip()
    result = run("agents", "validate", "Misled")
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [f"error: {LOST}", f"warning: {ODD}", "1 error, 1 warning"]
    shown = json.loads(run("agents", "validate", name, "--json").stdout)
    assert shown["name"] == f"{name}/validationResult"
    assert [each["validationMessages"][0]["severity"] for each in shown["flowValidationResults"]] == [
        "ERROR",
        "WARNING",
    ]


def test_an_agent_in_order_is_valid(run: Run, tmp_path: Path) -> None:
    name = run("agents", "import", str(write_agent(tmp_path, "Orderly"))).stdout.strip()
    result = run("agents", "validate", name)
    assert (result.exit_code, result.stdout) == (0, "nothing is wrong\n")
