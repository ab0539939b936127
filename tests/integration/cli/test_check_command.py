"""`openplaybook agents check`."""

import json
from pathlib import Path
from xml.etree import ElementTree

from typer.testing import CliRunner

from openplaybook.cli.errors import CommandError
from openplaybook.cli.main import app
from openplaybook.jsonvalues import JsonObject

from .conftest import Run
from .packages import write_agent

LISBON, RAIN = "what is the weather in Lisbon?", "will it rain?"


def asked(city: str, user: str, words: str, tool: str = "get_weather") -> JsonObject:
    """An example that calls the tool for a city."""
    call: JsonObject = {
        "tool": tool,
        "action": tool,
        "inputActionParameters": {"city": city},
        "outputActionParameters": {"temperature": 21},
    }
    actions: list[JsonObject] = [
        {"userUtterance": {"text": user}},
        {"toolUse": call},
        {"agentUtterance": {"text": words}},
    ]
    return {"displayName": f"Weather in {city}", "actions": actions, "conversationState": "OUTPUT_STATE_OK"}


def package(folder: Path, *examples: JsonObject) -> Path:
    """An agent with these examples."""
    agent = write_agent(folder, "Checked weather")
    place = agent / "playbooks" / "Start" / "examples"
    place.mkdir()
    for each in examples:
        (place / f"{each['displayName']}.json").write_text(json.dumps(each))
    return agent


def check(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["agents", "check", *words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


def test_examples_that_are_replayed_are_counted(tmp_path: Path, run: Run) -> None:
    agent = package(tmp_path, asked("Lisbon", LISBON, "It is 21 degrees in Lisbon."))
    line = "replayed  Start: Weather in Lisbon\n"
    shipped = f"{line}1 of 1 example is replayed; --held-out judges each without the example itself\n"
    assert check(str(agent)) == (0, shipped)
    name = run("agents", "import", str(agent)).stdout.strip()
    assert run("agents", "check", name).output == shipped


def test_what_is_not_replayed_is_told_with_its_reasons(tmp_path: Path) -> None:
    rain = asked("Porto", RAIN, "It is 21 degrees in Porto.")
    gone = asked("Faro", "in Faro?", "Fine.", tool="gone")
    agent, report = (
        package(tmp_path, asked("Lisbon", LISBON, "It is 21 degrees in Lisbon."), rain, gone),
        tmp_path / "r",
    )
    code, shown = check(str(agent), "--held-out", "--junit", str(report))
    assert code == 1
    assert "unusable  Start: Weather in Faro: it calls gone of gone, which the playbook cannot call\n" in shown
    assert (
        "different  Start: Weather in Porto: 1 of 1 turn\n"
        "  turn 1: will it rain?\n"
        '    - get_weather {"city": "Porto"}\n'
    ) in shown
    assert "    get_weather is not called\n    why: rule: not_understood\n" in shown
    suites = ElementTree.fromstring(report.read_bytes())
    assert (suites.get("tests"), suites.get("failures")) == ("3", "2")
    assert {case.get("name") for case in suites.iterfind("*/testcase[failure]")} == {
        "Weather in Porto",
        "Weather in Faro",
    }


def test_programs_get_json(tmp_path: Path) -> None:
    agent = package(tmp_path, asked("Lisbon", LISBON, "It is 21 degrees in Lisbon."))
    code, printed = check(str(agent), "--json")
    told = json.loads(printed)
    assert (code, told["agent"], told["replayed"], told["total"]) == (0, "Checked weather", 1, 1)
    [step, answer] = told["examples"][0]["turns"][0]["steps"]
    assert step["verdict"] == answer["verdict"] == "same"
    assert step["evidence"]["slots"][0]["value"] == "Lisbon"


def test_an_agent_that_cannot_be_read_ends_with_2(tmp_path: Path, run: Run) -> None:
    (tmp_path / "empty").mkdir()
    for said in (
        CliRunner().invoke(app, ["agents", "check", str(tmp_path / "empty")]),
        run("agents", "check", "nobody's agent"),
    ):
        assert isinstance(said.exception, CommandError)
        assert said.exception.exit_code == 2
