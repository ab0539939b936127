"""Apps of CX Agent Studio by the same commands as agents."""

import json
from pathlib import Path

import pytest

from openplaybook.cli.access import server_api
from openplaybook.cli.chat.script import WAITING
from openplaybook.jsonvalues import JsonObject, as_list, as_object

from .conftest import Run, refusal

LOCATION = "projects/p/locations/studio"
WEATHER = {
    "clientFunction": {
        "name": "get_weather",
        "description": "Tells the weather of a city.",
        "parameters": {"type": "OBJECT", "properties": {"city": {"type": "STRING"}}},
    }
}

pytestmark = pytest.mark.proves("S1")


@pytest.fixture(scope="module")
def app(data_dir: Path) -> str:
    """Full name of an app `Sky` whose agent has a client function."""
    with server_api(data_dir=data_dir) as api:
        made = as_object(api.post(f"v1beta/{LOCATION}/apps?appId=sky", {"displayName": "Sky"})["response"])
        app = str(made["name"])
        api.post(f"v1beta/{app}/tools?toolId=get_weather", WEATHER)
        agent = {"displayName": "Greeter", "instruction": "Greet.", "tools": [f"{app}/tools/get_weather"]}
        api.post(f"v1beta/{app}/agents?agentId=greeter", agent)
        root = {"name": app, "rootAgent": f"{app}/agents/greeter"}
        api.patch(f"v1beta/{app}", root, updateMask="rootAgent")
        return app


def lines(output: str) -> list[JsonObject]:
    return [json.loads(line) for line in output.splitlines()]


def test_apps_are_listed_with_the_agents(run: Run, app: str) -> None:
    listed = run("agents", "list").output.splitlines()
    assert [line.split() for line in listed if app in line] == [["Sky", app]]
    agents = as_list(json.loads(run("agents", "list", "--json").output)["agents"])
    assert [as_object(each)["displayName"] for each in agents if as_object(each)["name"] == app] == ["Sky"]


def test_an_app_is_talked_to_by_its_display_name(run: Run, app: str) -> None:
    result = run("chat", "Sky", "-m", "hello", "-m", "again")
    assert (result.exit_code, result.output) == (0, "agent: You said: hello\nagent: You said: again\n")


def test_a_client_function_is_asked_for_and_answered(run: Run, app: str) -> None:
    asked = run("chat", app, "-m", "weather in Paris")
    assert (asked.exit_code, asked.output) == (
        WAITING,
        '  ? the agent asks this client for get_weather {"city": "Paris"}\n',
    )
    told = run("chat", app, "-m", "weather in Paris", "--result", '{"temperature": 23.5}')
    assert (told.exit_code, told.output.splitlines()[-1]) == (0, "agent: It is 23.5 degrees.")
    failed = run("chat", app, "-m", "weather in Paris", "--result", "error: no such city")
    assert failed.output.splitlines()[-1] == "agent: No weather: no such city"


def test_programs_talk_to_an_app_in_lines(run: Run, app: str) -> None:
    typed = '{"text": "weather in Paris"}\n{"output": {"temperature": 23.5}}\n'
    result = run("chat", app, "--json", "--session", "s1", typed=typed)
    session, asked, answered = lines(result.output)
    assert session == {"type": "session", "session": f"{app}/sessions/s1"}
    [call] = as_list(asked["calls"])
    call = as_object(call)
    assert (call["tool"], call["action"], call["input"]) == (
        f"{app}/tools/get_weather",
        "get_weather",
        {"city": "Paris"},
    )
    assert (answered["type"], answered["texts"], answered["calls"]) == ("answer", ["It is 23.5 degrees."], [])


def test_what_apps_have_not_is_refused(run: Run, app: str) -> None:
    told = "--client-tools and --language are for agents of Dialogflow CX"
    assert refusal(run("chat", app, "--client-tools", "-m", "hi")) == told
    assert refusal(run("conversations", "list", app)) == (
        f"{app} is an app of CX Agent Studio; this command is for agents of Dialogflow CX"
    )
