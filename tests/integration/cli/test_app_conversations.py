"""`openplaybook conversations` with apps of CX Agent Studio."""

import json
from pathlib import Path

import pytest

from openplaybook.cli.access import server_api
from openplaybook.jsonvalues import as_object

from .conftest import Run, refusal

LOCATION = "projects/p/locations/talks"
SCRIPT = r"""
rules:
  - when: {after: get_weather}
    reply: {text: 'It is {{result.temperature}} degrees.'}
  - when: {after: double}
    reply: {text: 'It is {{result.result}}.'}
  - when: {user: {equals: double}}
    reply: {text: 'Let me see.', calls: [{name: double, arguments: {number: 4}}]}
  - when: {user: {matches: 'weather in (?P<city>\w+)'}}
    reply: {calls: [{name: get_weather, arguments: {city: '{{match.city}}'}}]}
  - when: {user: {equals: transfer}, playbook: Root}
    reply: {text: 'Please wait.', calls: [{name: Helper, arguments: {}}]}
  - reply: {text: 'You said: {{user}}'}
"""
PYTHON = 'def double(number: int) -> dict:\n    """Doubles a number."""\n    return {"result": number * 2}\n'
WEATHER = {
    "clientFunction": {
        "name": "get_weather",
        "description": "Tells the weather of a city.",
        "parameters": {"type": "OBJECT", "properties": {"city": {"type": "STRING"}}},
    }
}


@pytest.fixture
def app(run: Run, data_dir: Path, tmp_path: Path) -> str:
    """Full name of a new app with three conversations: one-1, two-2 and three-3."""
    with server_api(data_dir=data_dir) as api:
        path = f"v1beta/{LOCATION}/apps?appId=a{abs(hash(tmp_path))}"
        name = str(as_object(api.post(path, {"displayName": tmp_path.name})["response"])["name"])
        api.post(f"v1beta/{name}/tools?toolId=get_weather", WEATHER)
        double = {"pythonFunction": {"name": "double", "pythonCode": PYTHON}}
        api.post(f"v1beta/{name}/tools?toolId=double", double)
        api.post(f"v1beta/{name}/agents?agentId=helper", {"displayName": "Helper", "instruction": "Help."})
        root = {
            "displayName": "Root",
            "instruction": "Greet.",
            "childAgents": [f"{name}/agents/helper"],
            "tools": [f"{name}/tools/get_weather", f"{name}/tools/double"],
        }
        api.post(f"v1beta/{name}/agents?agentId=root", root)
        api.patch(f"v1beta/{name}", {"name": name, "rootAgent": f"{name}/agents/root"}, updateMask="rootAgent")
    for id_ in ("one-1", "two-2", "three-3"):
        assert run("chat", name, "--session", id_, "-m", f"I am {id_}").exit_code == 0
    return name


def exported(path: Path) -> list[str]:
    """Ids of the conversations in a file."""
    return [json.loads(line)["name"].rsplit("/", 1)[1] for line in path.read_text().splitlines()]


def test_conversations_with_an_app_are_listed_newest_first(run: Run, app: str) -> None:
    head, *lines = run("conversations", "list", app).stdout.splitlines()
    assert head.split() == ["BEGAN", "LASTED", "TURNS", "LANGUAGE", "CONVERSATION"]
    assert [(line.split()[3], line.split()[-1]) for line in lines] == [("1", "three-3"), ("1", "two-2"), ("1", "one-1")]
    listed = json.loads(run("conversations", "list", app, "--json", "--limit", "2").stdout)["conversations"]
    assert [one["name"] for one in listed] == [f"{app}/conversations/{id_}" for id_ in ("three-3", "two-2")]
    assert run("conversations", "list", app, "--filter", "turn_count > 1").stdout == ""


@pytest.mark.proves("S1")
def test_a_conversation_with_an_app_reads_like_one(run: Run, app: str) -> None:
    words = ("-m", "weather in Oslo", "--result", '{"temperature": 7}', "-m", "double", "-m", "transfer")
    assert run("chat", app, "--session", "talk-1", *words).exit_code == 0
    head, *lines = run("conversations", "show", app, "talk-1").stdout.splitlines()
    assert head.startswith("talk-1  ")
    assert head.endswith(", 4 turns, model scripted:script.yaml")
    assert [line[9:] if line[2:3] == ":" else line.strip() for line in lines] == [
        "user: weather in Oslo",
        'asks: get_weather {"city": "Oslo"}',
        'user: [result of get_weather] {"temperature": 7}',
        "Root: It is 7 degrees.",
        "user: double",
        "Root: Let me see.",
        'double {"number": 4} -> {"result": 8}',
        "Root: It is 8.",
        "user: transfer",
        "Root: Please wait.",
        "→ Helper has taken over",
        "Helper: You said: transfer",
    ]
    assert json.loads(run("conversations", "show", app, "talk-1", "--json").stdout)["turnCount"] == 4


def test_conversations_with_an_app_are_exported_and_go_on_where_it_broke_off(
    run: Run, app: str, tmp_path: Path
) -> None:
    target, side = tmp_path / "all.jsonl", tmp_path / "all.jsonl.part"
    assert run("conversations", "export", app, "-o", str(target)).stdout == f"{target}: 3 conversations\n"
    assert exported(target) == ["three-3", "two-2", "one-1"]
    whole = target.read_text().splitlines(keepends=True)
    side.write_text(whole[0] + whole[1][:40])
    result = run("conversations", "export", app, "-o", str(target), "--after", "three-3")
    assert result.stdout == f"{target}: 2 conversations\n"
    assert target.read_text() == "".join(whole)


def test_a_deleted_conversation_with_an_app_is_gone(run: Run, app: str) -> None:
    assert run("conversations", "delete", app, "two-2", "--yes").exit_code == 0
    lines = run("conversations", "list", app).stdout.splitlines()[1:]
    assert [line.split()[-1] for line in lines] == ["three-3", "one-1"]
    assert refusal(run("conversations", "show", app, "two-2")).startswith("NOT_FOUND: Conversation ")
