"""Apps of CX Agent Studio by the same commands as agents."""

import json
from pathlib import Path

import pytest

from openplaybook.cli.access import server_api
from openplaybook.cli.chat.command import WAITING
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
    [line] = [line for line in run("agents", "list").output.splitlines() if line.endswith(f"  {app}")]
    agents = as_list(json.loads(run("agents", "list", "--json").output)["agents"])
    [told] = [each for each in map(as_object, agents) if each["name"] == app]
    start = {"kind": "agent", "name": f"{app}/agents/greeter", "displayName": "Greeter"}
    assert (told["displayName"], told["kind"], told["start"]) == ("Sky", "app", start)
    assert line.split()[:4] == ["Sky", "app", "agent", "Greeter"]
    assert line.split()[4:6] == told["changeTime"][:19].split("T")


def test_a_change_within_an_app_is_a_change_of_the_app(run: Run, app: str, data_dir: Path) -> None:
    with server_api(data_dir=data_dir) as api:
        path = f"v1beta/{app}/agents/greeter"
        changed = api.patch(path, {"name": f"{app}/agents/greeter", "instruction": "Wave."}, updateMask="instruction")
    agents = json.loads(run("agents", "list", "--json").output)["agents"]
    assert [each["changeTime"] for each in agents if each["name"] == app] == [changed["updateTime"]]


def test_an_app_is_talked_to_by_its_display_name(run: Run, app: str) -> None:
    result = run("chat", "Sky", "-m", "hello", "-m", "again")
    assert (result.exit_code, result.stdout) == (0, "agent: You said: hello\nagent: You said: again\n")


def test_a_client_function_is_asked_for_and_answered(run: Run, app: str) -> None:
    asked = run("chat", app, "-m", "weather in Paris")
    assert (asked.exit_code, asked.stdout) == (
        WAITING,
        '  ? the agent calls the client-side tool get_weather {"city": "Paris"}\n',
    )
    told = run("chat", app, "-m", "weather in Paris", "--result", '{"temperature": 23.5}')
    assert (told.exit_code, told.stdout.splitlines()[-1]) == (0, "agent: It is 23.5 degrees.")
    failed = run("chat", app, "-m", "weather in Paris", "--result", "error: no such city")
    assert failed.stdout.splitlines()[-1] == "agent: No weather: no such city"


def test_programs_talk_to_an_app_in_lines(run: Run, app: str) -> None:
    typed = '{"text": "weather in Paris"}\n{"output": {"temperature": 23.5}}\n'
    result = run("chat", app, "--json", "--session", "s1", typed=typed)
    session, asked, spoken, answered = lines(result.output)
    assert (session["type"], session["session"]) == ("session", f"{app}/sessions/s1")
    [call] = as_list(asked["calls"])
    call = as_object(call)
    assert (call["tool"], call["action"], call["input"]) == (
        f"{app}/tools/get_weather",
        "get_weather",
        {"city": "Paris"},
    )
    assert (spoken["type"], spoken["text"], spoken["speaker"]) == ("speech", "It is 23.5 degrees.", "Greeter")
    assert (answered["type"], answered["texts"], answered["calls"]) == ("answer", ["It is 23.5 degrees."], [])


def test_what_apps_have_not_is_refused(run: Run, app: str) -> None:
    told = "--client-tools and --language work only with Dialogflow CX agents"
    assert refusal(run("chat", app, "--client-tools", "-m", "hi")) == told


def test_an_app_is_validated_with_its_examples(run: Run, app: str, data_dir: Path) -> None:
    assert run("agents", "validate", app).output == "nothing is wrong\n"
    call = {"toolCall": {"tool": f"{app}/tools/get_weather", "args": {"city": 5}}}
    messages = [{"role": "user", "chunks": [{"text": "hi"}, call]}]
    with server_api(data_dir=data_dir) as api:
        example = {"displayName": "Odd", "entryAgent": f"{app}/agents/greeter", "messages": messages}
        made = api.post(f"v1beta/{app}/examples?exampleId=odd", example)
        result = run("agents", "validate", "Sky")
        shown = run("agents", "validate", "Sky", "--json")
        api.delete(f"v1beta/{made['name']}")
    detail = "$.messages[0].chunks[1].toolCall.args: does not fit the action 'get_weather': city must be string, got 5"
    assert (result.exit_code, result.output.splitlines()) == (0, [f"warning: Odd: {detail}", "1 warning"])
    finding = {"name": made["name"], "displayName": "Odd", "severity": "WARNING", "detail": detail}
    assert json.loads(shown.output) == {"name": app, "findings": [finding]}
