"""`openplaybook agents import --replace`: an agent of the server is brought up to its folder."""

import json
from pathlib import Path

import pytest

from openplaybook.cli.access import server_api
from openplaybook.cli.errors import CommandError
from openplaybook.jsonvalues import JsonObject, as_object

from .conftest import Run, refusal
from .packages import write_agent

PLAYBOOK = "playbooks/Start/Start.json"


def edited(folder: Path, file: str, **changes: object) -> None:
    path = folder / file
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def imported(run: Run, folder: Path, *options: str) -> str:
    result = run("agents", "import", str(folder), *options)
    assert result.exit_code == 0, result.output
    return result.stdout.strip()


def resource(data_dir: Path, path: str) -> JsonObject:
    with server_api(data_dir=data_dir) as api:
        return api.get(path)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A package whose display name no other test has."""
    return write_agent(tmp_path, f"Bound {tmp_path.name}")


def test_the_agent_of_the_same_name_becomes_what_the_folder_holds(run: Run, folder: Path, data_dir: Path) -> None:
    name = imported(run, folder)
    run("chat", name, "--session", "before", "-m", "hello")
    edited(folder, PLAYBOOK, goal="Tell the time.")
    result = run("agents", "import", str(folder), "--replace")
    assert result.exit_code == 0, result.output
    told = result.stdout.splitlines()
    assert told[0] == "changed  playbooks/Start"
    assert any(line.strip().startswith("+") and "Tell the time." in line for line in told)
    assert told[-2:] == ["1 changed", f"{name}: changed"]
    [playbook] = resource(data_dir, f"v3/{name}/playbooks")["playbooks"]
    assert as_object(playbook)["goal"] == "Tell the time."
    assert "before" in run("conversations", "list", name).output


def test_a_folder_that_says_the_same_changes_nothing(run: Run, folder: Path, data_dir: Path) -> None:
    name = imported(run, folder)
    before = resource(data_dir, f"v3/{name}/playbooks")
    assert imported(run, folder, "--replace") == f"{name}: nothing to change"
    assert resource(data_dir, f"v3/{name}/playbooks") == before


def test_another_agent_is_chosen_by_name_and_takes_the_folders_name(run: Run, folder: Path, tmp_path: Path) -> None:
    name = imported(run, write_agent(tmp_path / "other", "Old name"))
    told = json.loads(imported(run, folder, "--replace", "--agent", "Old name", "--json"))
    assert (told["name"], told["displayName"]) == (name, folder.name)
    assert [(each["change"], each["file"]) for each in told["differences"]] == [("changed", "agent.json")]


def test_what_is_gone_from_the_folder_is_gone_from_the_agent(run: Run, folder: Path, data_dir: Path) -> None:
    name = imported(run, folder)
    (folder / "tools/get_weather/get_weather.json").unlink()
    edited(folder, PLAYBOOK, instruction={"steps": [{"text": "Say hello."}]})
    told = imported(run, folder, "--replace").splitlines()
    assert "removed  tools/get_weather" in told
    assert told[-2] == "1 removed, 1 changed"
    tools = resource(data_dir, f"v3/{name}/tools")["tools"]
    assert [tool["displayName"] for tool in tools if tool["toolType"] != "BUILTIN_TOOL"] == []


def test_versions_of_what_is_still_there_stay_and_others_go(run: Run, folder: Path, data_dir: Path) -> None:
    name = imported(run, folder)
    with server_api(data_dir=data_dir) as api:
        [playbook] = api.get(f"v3/{name}/playbooks")["playbooks"]
        [tool] = [tool for tool in api.get(f"v3/{name}/tools")["tools"] if tool["displayName"] == "get_weather"]
        saved = api.post(f"v3/{playbook['name']}/versions", {"description": "first"})
        api.post(f"v3beta1/{tool['name']}/versions", {"displayName": "first"})
        edited(folder, PLAYBOOK, goal="Tell the time.", instruction={"steps": [{"text": "Say hello."}]})
        (folder / "tools/get_weather/get_weather.json").unlink()
        imported(run, folder, "--replace")
        assert api.get(f"v3/{playbook['name']}/versions")["playbookVersions"] == [saved]
        api.post(f"v3/{saved['name']}:restore", {})
        assert api.get(f"v3/{playbook['name']}")["goal"] == "Tell the weather."
        with pytest.raises(CommandError, match="does not exist"):
            api.get(f"v3beta1/{tool['name']}/versions/1")


def test_a_restore_by_the_api_removes_versions_as_google_does(run: Run, folder: Path, data_dir: Path) -> None:
    name = imported(run, folder)
    with server_api(data_dir=data_dir) as api:
        [playbook] = api.get(f"v3/{name}/playbooks")["playbooks"]
        api.post(f"v3/{playbook['name']}/versions", {"description": "first"})
        content = api.finished(api.post(f"v3/{name}:export", {"dataFormat": "JSON_PACKAGE"}))["agentContent"]
        api.finished(api.post(f"v3/{name}:restore", {"agentContent": content}))
        assert api.get(f"v3/{playbook['name']}/versions") == {}


def test_a_paused_session_and_its_conversation_continue(run: Run, folder: Path, data_dir: Path) -> None:
    name = imported(run, folder)
    [tool] = [tool for tool in resource(data_dir, f"v3/{name}/tools")["tools"] if tool["displayName"] == "get_weather"]

    def said(query: JsonObject) -> JsonObject:
        with server_api(data_dir=data_dir) as api:
            turn = {"queryInput": {**query, "languageCode": "en"}}
            return api.post(f"v3/{name}/sessions/paused:detectIntent", turn)["queryResult"]

    paused = said({"text": {"text": "weather in Rome"}})
    assert paused["responseMessages"][-1]["toolCall"]["action"] == "get_weather"
    # The package has neither the tool nor the instructions that the session was paused with.
    edited(folder, PLAYBOOK, instruction={"steps": [{"text": "Say hello."}]})
    (folder / "tools/get_weather/get_weather.json").unlink()
    imported(run, folder, "--replace")
    result = {"tool": tool["name"], "action": "get_weather", "outputParameters": {"temperature": 21}}
    resumed = said({"toolCallResult": result})
    assert resumed["responseMessages"][-1]["text"]["text"] == ["It is 21 degrees."]
    assert said({"text": {"text": "thanks"}})["responseMessages"][-1]["text"]["text"] == ["You said: thanks"]
    [conversation] = resource(data_dir, f"v3beta1/{name}/conversations")["conversations"]
    turns = resource(data_dir, f"v3beta1/{conversation['name']}")["interactions"]
    assert len(turns) == 3


def test_a_secret_in_a_tool_stays_unless_the_folder_sends_it_elsewhere(run: Run, folder: Path, data_dir: Path) -> None:
    key = {"keyName": "X-Key", "requestLocation": "HEADER"}
    document = {
        "openapi": "3.0.3",
        "info": {"title": "t", "version": "1"},
        "servers": [{"url": "https://api.example"}],
        "paths": {"/pets": {"get": {"operationId": "pets", "responses": {}}}},
    }
    tool: JsonObject = {
        "name": "pets",
        "displayName": "Pets",
        "description": "Pets",
        "openApiSpec": {"authentication": {"apiKeyConfig": {**key, "apiKey": "planted-key"}}},
    }
    at = folder / "tools/Pets"
    at.mkdir()
    (at / "Pets.json").write_text(json.dumps(tool))
    (at / "schema.yaml").write_text(json.dumps(document))
    name = imported(run, folder)

    def has_key() -> bool:
        spec = resource(data_dir, f"v3/{name}/tools/pets")["openApiSpec"]
        return "apiKey" in spec["authentication"]["apiKeyConfig"]

    edited(
        folder, "tools/Pets/Pets.json", openApiSpec={"authentication": {"apiKeyConfig": key}}, description="All pets"
    )
    told = run("agents", "import", str(folder), "--replace")
    assert has_key()
    assert told.exit_code == 0
    assert "planted" not in told.output
    assert "secrets to set" not in told.output
    edited(folder, "tools/Pets/schema.yaml", servers=[{"url": "https://evil.example"}])
    told = run("agents", "import", str(folder), "--replace")
    assert not has_key()
    assert "tools/Pets/Pets.json $.openApiSpec.authentication.apiKeyConfig.apiKey: the stored secret is not kept" in (
        told.output
    )


def test_a_broken_folder_changes_nothing(run: Run, folder: Path, data_dir: Path) -> None:
    name = imported(run, folder)
    (folder / PLAYBOOK).write_text('{"displayName": "Start",\n "goal" 3}')
    said = refusal(run("agents", "import", str(folder), "--replace"))
    assert PLAYBOOK in said
    assert "line 2" in said
    [playbook] = resource(data_dir, f"v3/{name}/playbooks")["playbooks"]
    assert as_object(playbook)["goal"] == "Tell the weather."


def test_an_app_is_brought_up_to_its_folder_under_its_own_name(run: Run, tmp_path: Path, data_dir: Path) -> None:
    folder = tmp_path / "app"
    agent = folder / "agents/Root"
    agent.mkdir(parents=True)
    title = f"Sky {tmp_path.name}"
    (folder / "app.json").write_text(json.dumps({"displayName": title, "rootAgent": "Root"}))
    (agent / "Root.json").write_text(json.dumps({"displayName": "Root", "instruction": "agents/Root/instruction.txt"}))
    (agent / "instruction.txt").write_text("Greet.\n")
    name = imported(run, folder)
    (agent / "instruction.txt").write_text("Greet by name.\n")
    told = imported(run, folder, "--replace").splitlines()
    assert told[0] == "changed  agents/Root (instruction.txt)"
    assert told[-1] == f"{name}: changed"
    [root] = resource(data_dir, f"v1beta/{name}/agents")["agents"]
    assert as_object(root)["instruction"].strip() == "Greet by name."
    said = refusal(run("agents", "import", str(folder), "--replace", "--agent", "projects/p/locations/l/agents/a"))
    assert said == "projects/p/locations/l/agents/a is no app, and the package holds one"


def test_a_paused_session_of_an_app_continues(run: Run, tmp_path: Path, data_dir: Path) -> None:
    folder = tmp_path / "app"
    files: dict[str, JsonObject] = {
        "app.json": {"displayName": f"Sky {tmp_path.name}", "rootAgent": "Root"},
        "agents/Root/Root.json": {"displayName": "Root", "instruction": "Use the tool.", "tools": ["get_weather"]},
        "tools/get_weather/get_weather.json": {
            "displayName": "get_weather",
            "clientFunction": {"name": "get_weather", "description": "The weather.", "parameters": {"type": "OBJECT"}},
        },
    }
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(json.dumps(content))
    name = imported(run, folder)
    session = f"{name}/sessions/paused"

    def sent(given: JsonObject) -> JsonObject:
        with server_api(data_dir=data_dir) as api:
            body = {"config": {"session": session}, "inputs": [given]}
            return api.post(f"v1beta/{session}:runSession", body)["outputs"][0]

    [call] = sent({"text": "weather in Rome"})["toolCalls"]["toolCalls"]
    (folder / "tools/get_weather/get_weather.json").unlink()
    edited(folder, "agents/Root/Root.json", tools=[], instruction="Greet.")
    imported(run, folder, "--replace")
    response = {"id": call["id"], "tool": call["tool"], "response": {"temperature": 21}}
    assert sent({"toolResponses": {"toolResponses": [response]}})["text"] == "It is 21 degrees."
    assert sent({"text": "thanks"})["text"] == "You said: thanks"


def test_what_does_not_say_which_agent_is_refused(run: Run, folder: Path) -> None:
    said = refusal(run("agents", "import", str(folder), "--replace"))
    assert said.startswith(f"no agent is called '{folder.name}'; ")
    assert said.endswith("; name one with --agent, or create a new one without --replace")
    imported(run, folder)
    imported(run, folder)
    assert f"several agents are called '{folder.name}'" in refusal(run("agents", "import", str(folder), "--replace"))
    assert refusal(run("agents", "import", str(folder), "--agent", "x")) == "--agent requires --replace"
    elsewhere = run("agents", "import", str(folder), "--replace", "--location", "projects/p/locations/l")
    assert refusal(elsewhere) == "--location is for new agents; with --replace name the agent with --agent"
