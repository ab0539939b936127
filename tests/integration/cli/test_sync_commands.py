"""`openplaybook agents diff` of packages and of agents of the server."""

import json
from pathlib import Path

import pytest

from .conftest import Run, refusal
from .packages import write_agent


@pytest.mark.proves("X2")
def test_an_imported_agent_does_not_differ_from_its_package(run: Run, tmp_path: Path) -> None:
    folder = write_agent(tmp_path, "Equal")
    name = run("agents", "import", str(folder)).stdout.strip()
    for other in (name, "Equal"):
        result = run("agents", "diff", str(folder), other)
        assert (result.exit_code, result.stdout) == (0, "no difference\n"), result.output


def test_what_differs_is_shown_and_told_by_the_exit_status(run: Run, tmp_path: Path) -> None:
    folder = write_agent(tmp_path, "Different")
    name = run("agents", "import", str(folder)).stdout.strip()
    start = folder / "playbooks" / "Start" / "Start.json"
    start.write_text(start.read_text().replace("Tell the weather.", "Tell it.\\nBriefly."))
    (folder / "tools" / "get_weather" / "get_weather.json").unlink()
    (folder / "tools" / "get_weather").rmdir()
    result = run("agents", "diff", name, str(folder))
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "changed  playbooks/Start",
        "  @@ -1,4 +1,6 @@",
        '   displayName: "Start"',
        '  -goal: "Tell the weather."',
        "  +goal: |",
        "  +  Tell it.",
        "  +  Briefly.",
        '   name: "00000000-0000-0000-0000-000000000000"',
        "   instruction:",
        "removed  tools/get_weather",
        "1 removed, 1 changed",
    ]
    as_json = run("agents", "diff", name, str(folder), "--json")
    assert as_json.exit_code == 1
    found = json.loads(as_json.stdout)["differences"]
    assert [(each["change"], each["file"]) for each in found] == [
        ("changed", "playbooks/Start/Start.json"),
        ("removed", "tools/get_weather/get_weather.json"),
    ]


def test_what_cannot_be_compared_ends_with_a_status_of_its_own(run: Run, tmp_path: Path) -> None:
    folder = write_agent(tmp_path, "One")
    app = tmp_path / "app"
    app.mkdir()
    (app / "app.json").write_text('{"displayName": "App"}')
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "agent.json").write_text('{\n"a" 1}')
    for other, said in (
        (str(app), f"{folder} is an agent of Dialogflow CX, {app} is an app of CX Agent Studio"),
        (str(tmp_path / "broken"), "agent.json: is not JSON: Expecting ':' delimiter (line 2, column 5)"),
        ("google:nobody", "google:nobody is neither google:projects/P/locations/L/agents/A nor google:projects/P/"),
        ("projects/p/locations/l/agents/none", "NOT_FOUND: Agent projects/p/locations/l/agents/none"),
    ):
        result = run("agents", "diff", str(folder), other)
        assert refusal(result).startswith(said)
        assert getattr(result.exception, "exit_code", None) == 2
