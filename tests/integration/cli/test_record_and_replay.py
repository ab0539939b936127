"""`openplaybook record` and `replay`: from a conversation to a file, and from the file to a verdict."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from openplaybook.recordings.recording_yaml import read_recording

from .conftest import Run, refusal
from .packages import write_agent

NAME = "Recorded weather"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_agent(tmp_path_factory.mktemp("agent"), NAME)


@pytest.fixture
def agent(run: Run, package: Path) -> str:
    """Full name of an agent of the test's own."""
    return run("agents", "import", str(package)).stdout.strip()


@pytest.fixture
def file(run: Run, agent: str, tmp_path: Path) -> Path:
    """A recording of a conversation with that agent."""
    lines = tmp_path / "lines.txt"
    lines.write_text('hello\nweather in Paris\n{"output": {"temperature": 23.5}}\n')
    made = run("record", agent, "--input", str(lines), "-o", str(tmp_path / "weather.yaml"), "--title", "Paris")
    assert made.exit_code == 0, made.output
    return tmp_path / "weather.yaml"


@pytest.mark.proves("X6")
def test_a_conversation_that_is_held_and_recorded_replays_the_same(run: Run, file: Path, package: Path) -> None:
    result = run("replay", str(file), "--agent", str(package))
    assert (result.exit_code, result.output) == (0, f"same  {file} (Paris): 3 turns\n")
    recording = read_recording(file)
    assert [turn.user for turn in recording.turns] == ["hello", "weather in Paris", None]
    assert recording.model == "scripted:script.yaml"


@pytest.mark.proves("X6")
def test_a_session_of_the_past_is_recorded_by_its_id(run: Run, agent: str, tmp_path: Path) -> None:
    run("chat", agent, "-m", "hello", "--session", "first")
    recorded = run("record", agent, "--session", "first", "-o", "-")
    again = run("record", agent, "--session", "first", "-o", "-")
    assert recorded.output == again.output
    assert "- user: hello\n" in recorded.output
    assert agent not in recorded.output
    file = tmp_path / "first.yaml"
    assert run("record", agent, "--session", "first", "-o", str(file)).output == f"{file}\n"
    assert file.read_text() == recorded.output


def test_a_session_that_is_not_there_is_refused(run: Run, agent: str) -> None:
    said = refusal(run("record", agent, "--session", "nobody", "-o", "-"))
    assert said == f"NOT_FOUND: Conversation {agent}/sessions/nobody does not exist"


def test_an_agent_of_the_server_is_replayed_as_it_is_now(run: Run, agent: str, file: Path) -> None:
    assert run("replay", str(file), "--agent", agent).exit_code == 0


@pytest.mark.proves("X6")
def test_a_difference_is_shown_for_people_for_programs_and_for_build_servers(
    run: Run, file: Path, package: Path, tmp_path: Path
) -> None:
    file.write_text(file.read_text().replace("city: Paris", "city: Rome", 1))
    options = ("replay", str(file), "--agent", str(package), "--model", f"scripted:{write_script(tmp_path)}")
    shown = run(*options, "--junit", str(tmp_path / "report.xml"))
    assert shown.exit_code == 1
    assert shown.output == (
        f"different  {file} (Paris): 1 of 3 turns\n"
        "  turn 2: weather in Paris\n"
        "    get_weather.get_weather $.city\n"
        "      - Rome\n"
        "      + Paris\n"
    )
    [found] = json.loads(run(*options, "--json").output)["files"]
    assert found["outcome"] == "different"
    where = "get_weather.get_weather $.city"
    assert found["turns"][1]["differences"] == [{"where": where, "expected": "Rome", "happened": "Paris"}]
    suites = ElementTree.parse(tmp_path / "report.xml").getroot()
    assert [suites.get(name) for name in ("tests", "failures", "errors")] == ["3", "1", "0"]
    assert [case.get("name") for case in suites.iterfind("*/testcase[failure]")] == ["turn 2: weather in Paris"]


def write_script(folder: Path) -> Path:
    """What the model of the recording did."""
    script = folder / "model.yaml"
    script.write_text(
        "rules:\n"
        "  - when: {after: get_weather}\n"
        "    reply: {text: 'It is {{result.temperature}} degrees.'}\n"
        "  - when: {user: {contains: weather}}\n"
        "    reply: {calls: [{name: get_weather, arguments: {city: Paris}}]}\n"
        "  - reply: {text: 'You said: {{user}}'}\n"
    )
    return script


def test_update_writes_what_happens_today(run: Run, file: Path, package: Path) -> None:
    before = file.read_text()
    file.write_text(before.replace("at: Start", "at: Elsewhere", 1))
    assert run("replay", str(file), "--agent", str(package), "--update").exit_code == 1
    assert file.read_text() == before


def test_a_folder_stands_for_the_recordings_in_it(run: Run, file: Path, package: Path) -> None:
    (file.parent / "broken.yaml").write_text("turns: 1\n")
    result = run("replay", str(file.parent), "--agent", str(package))
    assert result.exit_code == 2
    assert result.output.splitlines() == [
        f"unreadable  {file.parent / 'broken.yaml'}: is no recording: it has no member `recording: 1`",
        f"same  {file} (Paris): 3 turns",
    ]


def test_what_cannot_be_replayed_ends_with_2(run: Run, file: Path, package: Path, tmp_path: Path) -> None:
    nobody = run("replay", str(file), "--agent", "Nobody")
    assert refusal(nobody).startswith("no agent is called 'Nobody'; there are: ")
    assert refusal(nobody).endswith("; --agent takes a package, too")
    assert nobody.exception.exit_code == 2  # pyright: ignore
    (tmp_path / "none").mkdir()
    assert "contains no recordings" in refusal(run("replay", str(tmp_path / "none")))
    senseless = run("replay", str(file), "--agent", str(package), "--model", "nonsense")
    assert refusal(senseless).startswith("No model 'nonsense'.")


def test_ways_of_recording_exclude_each_other(run: Run) -> None:
    both = run("record", NAME, "--session", "a", "--test-cases", "-o", "x")
    assert refusal(both) == "give only one of --session, --input and --test-cases"


def test_a_conversation_held_by_hand_is_recorded(run: Run, agent: str, tmp_path: Path) -> None:
    made = run("record", agent, "-o", str(tmp_path / "hand.yaml"), typed="hello\n/quit\n")
    assert made.exit_code == 0, made.output
    assert [turn.user for turn in read_recording(tmp_path / "hand.yaml").turns] == ["hello"]


@pytest.mark.proves("X6")
def test_test_cases_of_a_package_become_recordings_that_replay(run: Run, package: Path, tmp_path: Path) -> None:
    case = {
        "displayName": "Greeting: plain",
        "testCaseConversationTurns": [
            {
                "userInput": {"input": {"text": {"text": "hello"}, "languageCode": "en"}},
                "virtualAgentOutput": {"textResponses": [{"text": ["you said hello!"]}]},
            }
        ],
    }
    copy = write_agent(tmp_path, NAME)
    (copy / "testCases").mkdir()
    (copy / "testCases" / "Greeting%3a plain.json").write_text(json.dumps(case))
    made = run("record", str(copy), "--test-cases", "-o", str(tmp_path / "cases"))
    expected = tmp_path / "cases" / "Greeting%3a plain.yaml"
    assert (made.exit_code, made.output) == (0, f"{expected}\n")
    bare = run("replay", str(expected), "--agent", str(copy))
    assert (bare.exit_code, "give one to replay it with" in bare.output) == (2, True)
    replayed = run("replay", str(expected), "--agent", str(copy), "--model", f"scripted:{write_script(tmp_path)}")
    assert (replayed.exit_code, replayed.output) == (0, f"same  {expected} (Greeting: plain): 1 turn\n")
    assert refusal(run("record", str(package), "--test-cases", "-o", "x")) == f"{package} has no test cases"
