"""`openplaybook chat`: by message, by line and by hand."""

import json
from pathlib import Path

import pytest

from openplaybook.cli.chat.command import WAITING
from openplaybook.jsonvalues import JsonObject

from .conftest import Run, refusal
from .packages import write_agent

WEATHER = '{"temperature": 23.5}'
CITY = {"name": "city", "in": "query", "required": True, "schema": {"type": "string"}}
WEATHER_API = {
    "openapi": "3.0.3",
    "info": {"title": "Weather", "version": "1"},
    "servers": [{"url": "https://weather.example"}],
    "paths": {"/now": {"get": {"operationId": "get_weather", "parameters": [CITY], "responses": {}}}},
}


@pytest.fixture(scope="module")
def agent_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_agent(tmp_path_factory.mktemp("agent"), "Weather")


@pytest.fixture
def agent(run: Run, agent_folder: Path) -> str:
    """Full name of an agent of the test's own."""
    return run("agents", "import", str(agent_folder)).stdout.strip()


def lines(output: str) -> list[JsonObject]:
    return [json.loads(line) for line in output.splitlines()]


def test_a_message_is_answered(run: Run, agent: str) -> None:
    result = run("chat", agent, "-m", "hello", "-m", "again")
    assert (result.exit_code, result.stdout) == (0, "agent: You said: hello\nagent: You said: again\n")


def test_a_function_tool_that_nobody_answers_gives_its_own_exit_code(run: Run, agent: str) -> None:
    result = run("chat", agent, "-m", "weather in Paris")
    assert result.exit_code == WAITING
    assert result.stdout == '  ? the agent calls the client-side tool get_weather {"city": "Paris"}\n'
    assert result.stderr.splitlines()[-1] == "the conversation waits for the result; --result gives it"


def test_a_result_given_with_the_message_is_used_when_it_is_asked_for(run: Run, agent: str) -> None:
    result = run("chat", agent, "-m", "hello", "-m", "weather in Paris", "--result", WEATHER)
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == "agent: It is 23.5 degrees."


def test_an_error_can_be_given_as_result(run: Run, agent: str) -> None:
    result = run("chat", agent, "-m", "weather in Paris", "--result", "error: no such city")
    assert result.stdout.splitlines()[-1] == "agent: No weather: no such city"


def test_a_result_without_a_message_is_refused(run: Run, agent: str) -> None:
    assert refusal(run("chat", agent, "--result", WEATHER)) == "--result requires --message"


def test_a_session_can_be_gone_on_with(run: Run, agent: str) -> None:
    run("chat", agent, "-m", "weather in Paris", "--session", "s1")
    told = run("chat", agent, "-m", "hello", "--session", "s1", "--json")
    assert lines(told.output)[0].items() >= {"type": "session", "session": f"{agent}/sessions/s1"}.items()


def test_a_model_that_fails_ends_a_script_with_what_it_said(run: Run, agent: str) -> None:
    result = run("chat", agent, "-m", "fail")
    assert result.exit_code == 1
    assert "the model is away" in refusal(result)


def test_programs_talk_in_lines(run: Run, agent: str) -> None:
    typed = '{"text": "weather in Paris"}\n\n{"output": {"temperature": 23.5}}\n{"text": "bye"}\n'
    result = run("chat", agent, "--json", typed=typed)
    assert result.exit_code == 0
    answers = [line for line in lines(result.output) if line["type"] == "answer"]
    assert [answer["texts"] for answer in answers] == [[], ["It is 23.5 degrees."], ["You said: bye"]]
    assert answers[0]["calls"][0]["input"] == {"city": "Paris"}


def test_a_line_that_cannot_be_used_is_answered_with_an_error_and_the_next_is_read(run: Run, agent: str) -> None:
    typed = 'hello\n{"output": {}}\n{"words": 1}\n{"error": "late"}\n{"text": "fail"}\n{"text": "still here"}\n'
    result = run("chat", agent, "--json", typed=typed)
    assert result.exit_code == 1
    told = [line for line in lines(result.output) if line["type"] in ("error", "answer")]
    assert [line["type"] for line in told] == ["error"] * 5 + ["answer"]
    assert told[0]["message"].startswith("the line is not JSON")
    assert told[1]["message"] == told[3]["message"] == "no tool call is waiting for a result"
    assert told[5]["texts"] == ["You said: still here"]


def test_a_person_is_asked_for_words_and_for_results(run: Run, agent: str) -> None:
    typed = "hello\nweather in Paris\nwarm\n" + WEATHER + "\n\n/params\n/help\n/huh\nfail\n/quit\n"
    result = run("chat", agent, typed=typed)
    assert result.exit_code == 0
    for shown in (
        "Talking to Weather.",
        "you: hello\nagent: You said: hello",
        "you: /help\n/params shows the session parameters",
        "error: not JSON",
        "agent: It is 23.5 degrees.",
        "unknown command /huh.",
        "error: UNAVAILABLE: The model gave no decision (MODEL_UNAVAILABLE): the model is away",
    ):
        assert shown in result.output, result.output
    assert result.output.count("result of get_weather (JSON, or error: …): ") == 2


def test_the_end_of_input_ends_the_conversation(run: Run, agent: str) -> None:
    assert run("chat", agent, typed="").exit_code == 0


@pytest.mark.proves("C1")
def test_a_person_can_make_the_calls_of_the_servers_tools(run: Run, tmp_path: Path) -> None:
    folder = write_agent(tmp_path, "Weather")
    tool = folder / "tools/get_weather/get_weather.json"
    server_side = {key: value for key, value in json.loads(tool.read_text()).items() if key != "functionSpec"}
    tool.write_text(json.dumps({**server_side, "openApiSpec": {"textSchema": json.dumps(WEATHER_API)}}))
    agent = run("agents", "import", str(folder)).stdout.strip()
    result = run("chat", agent, "--client-tools", "-m", "weather in Paris", "--result", WEATHER)
    assert result.stdout.splitlines() == [
        '  ? the agent calls the client-side tool get_weather {"city": "Paris"}',
        "agent: It is 23.5 degrees.",
    ]


def test_what_the_server_remarks_is_shown(run: Run, tmp_path: Path) -> None:
    folder = write_agent(tmp_path, "Hooked")
    (playbook,) = folder.glob("playbooks/*/*.json")
    handler = {"lifecycleStage": "pre-action-selection", "fulfillment": {"webhook": "stock"}}
    playbook.write_text(json.dumps({**json.loads(playbook.read_text()), "handlers": [{"lifecycleHandler": handler}]}))
    hooked = run("agents", "import", str(folder)).stdout.strip()
    said, remark = run("chat", hooked, "-m", "hello").stdout.splitlines()
    assert said == "agent: You said: hello"
    assert remark == "  ! HANDLER: Handler 0 of Start: webhook stock is not run."
    *_, answer = lines(run("chat", hooked, "-m", "hello", "--json").output)
    assert [f"  ! {notice}" for notice in answer["notices"]] == [remark]


def test_payloads_and_the_end_of_the_conversation_are_shown(run: Run, tmp_path: Path) -> None:
    folder = write_agent(tmp_path, "Till")
    (playbook,) = folder.glob("playbooks/*/*.json")
    told = {"messages": [{"text": {"text": ["Bye."]}}, {"payload": {"stars": 5}}]}
    handler = {"lifecycleStage": "pre-action-selection", "fulfillment": told, "targetPage": "END_SESSION"}
    resource = {**json.loads(playbook.read_text()), "handlers": [{"lifecycleHandler": handler}]}
    playbook.write_text(json.dumps(resource))
    till = run("agents", "import", str(folder)).stdout.strip()
    result = run("chat", till, "-m", "hello")
    shown = 'agent: Bye.\n  the agent sends {"payload": {"stars": 5}}\n  the conversation has ended\n'
    assert result.stdout == shown


def test_what_stands_in_a_fence_is_said_at_once(run: Run, agent: str) -> None:
    result = run("chat", agent, typed="```python\nfor n in range(3):\n    print(n)\n```\nhello\n```\nopen to the end")
    assert "you: ```python\n...  for n in range(3):\n...      print(n)\n...  ```\n" in result.output
    assert "agent: You said: ```python\nfor n in range(3):\n    print(n)\n```\n" in result.output
    assert "agent: You said: hello\n" in result.output
    assert "agent: You said: ```\nopen to the end\n" in result.output
