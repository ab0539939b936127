"""`openplaybook agents delete`, of agents and of apps."""

import json
from pathlib import Path

import pytest

from openplaybook.cli.access import server_api
from openplaybook.jsonvalues import as_object

from .conftest import Run, refusal
from .packages import write_agent

LOCATION = "projects/p/locations/doomed"


@pytest.fixture
def agent(run: Run, tmp_path: Path) -> str:
    """Full name of an agent with a conversation."""
    name = run("agents", "import", str(write_agent(tmp_path, "Doomed"))).stdout.strip()
    assert run("chat", name, "--session", "one", "-m", "hello").exit_code == 0
    return name


@pytest.fixture
def app(run: Run, data_dir: Path) -> str:
    """Full name of an app with an agent and two conversations."""
    with server_api(data_dir=data_dir) as api:
        made = as_object(api.post(f"v1beta/{LOCATION}/apps?appId=doomed", {"displayName": "Doomed app"})["response"])
        name = str(made["name"])
        api.post(f"v1beta/{name}/agents?agentId=root", {"displayName": "Root", "instruction": "Greet."})
        api.patch(f"v1beta/{name}", {"name": name, "rootAgent": f"{name}/agents/root"}, updateMask="rootAgent")
    for session in ("one1", "two2"):
        assert run("chat", name, "--session", session, "-m", "hello").exit_code == 0
    return name


def listed(run: Run) -> list[str]:
    return [each["name"] for each in json.loads(run("agents", "list", "--json").output)["agents"]]


def test_what_goes_is_told_before_it_is_asked_and_no_deletes_nothing(run: Run, agent: str) -> None:
    result = run("agents", "delete", agent, typed="n\n")
    assert refusal(result) == "nothing was deleted"
    assert result.output == (
        f"{agent}\nDeleting the agent Doomed deletes 1 playbook, 1 tool and 1 conversation too.\n"
        "Delete it for good? [y/N]: n\n"
    )
    nobody = refusal(run("agents", "delete", agent, typed=""))
    assert nobody == "nothing was deleted: there was no answer; --yes deletes without asking"
    assert agent in listed(run)


def test_yes_deletes_an_agent_with_its_conversations(run: Run, agent: str) -> None:
    result = run("agents", "delete", agent, typed="y\n")
    assert result.output.endswith(f"{agent}: the agent Doomed is deleted, with 1 playbook, 1 tool and 1 conversation\n")
    assert agent not in listed(run)
    assert refusal(run("conversations", "list", agent)).startswith("NOT_FOUND")


def test_an_app_is_deleted_without_a_question_where_yes_is_given(run: Run, app: str) -> None:
    result = run("agents", "delete", "Doomed app", "--yes")
    assert (result.exit_code, result.output) == (
        0,
        f"{app}: the app Doomed app is deleted, with 1 agent and 2 conversations\n",
    )
    assert app not in listed(run)


def test_an_agent_that_is_not_there_cannot_be_deleted(run: Run) -> None:
    assert refusal(run("agents", "delete", "Nobody", "--yes")).startswith("no agent is called 'Nobody'")


def test_an_agent_with_nothing_in_it_is_deleted_alone(run: Run, data_dir: Path) -> None:
    with server_api(data_dir=data_dir) as api:
        made = {"displayName": "Bare", "defaultLanguageCode": "en", "timeZone": "Etc/UTC"}
        name = api.post(f"v3/{LOCATION}/agents", made)["name"]
    result = run("agents", "delete", "Bare", typed="y\n")
    assert "Deleting the agent Bare deletes nothing else." in result.output
    assert result.output.endswith(f"{name}: the agent Bare is deleted\n")
