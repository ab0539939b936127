"""`openplaybook chat` and `conversations show` where playbooks hand the conversation to each other."""

import json
from pathlib import Path

import pytest

from openplaybook.cli.access import server_api
from openplaybook.jsonvalues import JsonObject, as_object

from .conftest import Run

SCRIPT = r"""
rules:
  - when: {user: {equals: task}, playbook: Start}
    reply: {text: 'Handing over.', calls: [{name: Helper, arguments: {}}]}
  - when: {user: {equals: route}, playbook: Start}
    reply: {text: 'Routing.', calls: [{name: Router, arguments: {}}]}
  - when: {after: missing}
    reply: {text: 'here it is'}
  - when: {user: {equals: twice}}
    reply: {text: 'let me look', calls: [{name: missing, arguments: {}}]}
  - when: {user: {equals: quietly}, playbook: Start}
    reply: {text: 'one moment', calls: [{name: Router, arguments: {}}]}
  - when: {user: {equals: quietly}, playbook: Router}
    reply: {text: 'www.example.Com.Au is it'}
  - when: {user: {equals: transfer}, playbook: Root}
    reply: {text: 'Please wait.', calls: [{name: Helper, arguments: {}}]}
  - when: {playbook: Helper}
    reply: {text: 'I am Helper.'}
  - when: {playbook: Router}
    reply: {text: 'I am Router.'}
  - reply: {text: 'Welcome.'}
"""


def playbook(id: str, title: str, kind: str, *steps: str) -> JsonObject:
    return {
        "name": id,
        "displayName": title,
        "playbookType": kind,
        "goal": "Help.",
        "instruction": {"steps": [{"text": step} for step in steps]},
    }


@pytest.fixture
def agent(run: Run, tmp_path: Path) -> str:
    """Full name of an agent whose start playbook gives the word to a task and to a routine."""
    files = {
        "agent.json": {
            "displayName": "Relay",
            "defaultLanguageCode": "en",
            "timeZone": "Etc/UTC",
            "startPlaybook": "Start",
        },
        "playbooks/Start/Start.json": playbook("s", "Start", "ROUTINE", "${PLAYBOOK: Helper}", "${PLAYBOOK: Router}"),
        "playbooks/Helper/Helper.json": playbook("h", "Helper", "TASK", "Help."),
        "playbooks/Router/Router.json": playbook("r", "Router", "ROUTINE", "Help."),
    }
    for path, content in files.items():
        file = tmp_path / "Relay" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(content))
    return run("agents", "import", str(tmp_path / "Relay")).stdout.strip()


def test_replies_are_apart_however_their_words_begin_and_end(run: Run, agent: str) -> None:
    assert run("chat", agent, "-m", "quietly").stdout.splitlines() == [
        "agent: one moment",
        "  → Router has taken over",
        "agent (Router): www.example.Com.Au is it",
    ]


def test_the_words_before_and_after_a_call_are_apart(run: Run, agent: str) -> None:
    words = ["agent: let me look", "agent: here it is"]
    assert run("chat", agent, "--session", "twice", "-m", "twice").stdout.splitlines()[:2] == words
    shown = run("conversations", "show", agent, "twice").stdout.splitlines()
    assert [line.strip() for line in shown if "agent: " in line] == words


@pytest.mark.parametrize(
    ("word", "first", "who"), [("task", "Handing over.", "Helper"), ("route", "Routing.", "Router")]
)
def test_two_replies_are_apart_and_who_took_over_is_told(run: Run, agent: str, word: str, first: str, who: str) -> None:
    result = run("chat", agent, "--session", word, "-m", word, "-m", "hello")
    assert result.stdout.splitlines() == [
        f"agent: {first}",
        f"  → {who} has taken over",
        f"agent ({who}): I am {who}.",
        f"agent: I am {who}.",
    ]
    head, *lines = run("conversations", "show", agent, word).stdout.splitlines()
    assert head.endswith(" 2 turns, en, model scripted:script.yaml")
    assert [line[9:].strip() for line in lines] == [
        f"user: {word}",
        f"agent: {first}",
        f"→ {who} has taken over",
        f"agent ({who}): I am {who}.",
        "user: hello",
        f"agent: I am {who}.",
    ]


def test_programs_are_told_who_took_over_and_which_model_decided(run: Run, agent: str) -> None:
    _, *lines = map(json.loads, run("chat", agent, "-m", "task", "--json").stdout.splitlines())
    assert lines[-1]["handovers"] == [{"who": "Helper", "how": "entered"}]
    assert lines[-1]["models"] == ["scripted:script.yaml"]
    assert lines[-1]["texts"] == ["Handing over.", "I am Helper."]
    spoken = [line for line in lines if line["type"] == "speech"]
    said = {(line["reply"], line["speaker"]) for line in spoken}
    assert said == {(1, "Start"), (2, "Helper")}
    kinds = [line["type"] for line in lines]
    assert lines[kinds.index("handover")] == {"type": "handover", "who": "Helper", "how": "entered"}
    assert [line["reply"] for line in lines[: kinds.index("handover")]] == [1] * kinds.index("handover")


def test_the_server_is_told_once_and_the_model_where_it_is_another(run: Run, agent: str, data_dir: Path) -> None:
    result = run("chat", agent, "-m", "hello", "-m", "again")
    with server_api(data_dir=data_dir) as api:
        assert result.stderr.splitlines() == [f"server: {api.base_url}", "  model: scripted:script.yaml"]
        shown = run("conversations", "show", agent, "none")
        assert (shown.exit_code, shown.stdout) == (1, "")
        first = json.loads(run("chat", agent, "-m", "hello", "--json").stdout.splitlines()[0])
        assert first["server"] == api.base_url


def test_a_transfer_between_agents_of_an_app_is_told(run: Run, data_dir: Path) -> None:
    with server_api(data_dir=data_dir) as api:
        made = as_object(
            api.post("v1beta/projects/p/locations/l/apps?appId=relay", {"displayName": "Relay"})["response"]
        )
        app = str(made["name"])
        api.post(f"v1beta/{app}/agents?agentId=helper", {"displayName": "Helper", "instruction": "Help."})
        root = {"displayName": "Root", "instruction": "Greet.", "childAgents": [f"{app}/agents/helper"]}
        api.post(f"v1beta/{app}/agents?agentId=root", root)
        api.patch(f"v1beta/{app}", {"name": app, "rootAgent": f"{app}/agents/root"}, updateMask="rootAgent")
    result = run("chat", app, "-m", "transfer")
    assert result.stdout.splitlines() == [
        "agent: Please wait.",
        "  → Helper has taken over",
        "agent (Helper): I am Helper.",
    ]
    assert result.stderr.splitlines()[-1] == "  model: scripted:script.yaml"
