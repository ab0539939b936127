"""`openplaybook record` and `replay` with apps of CX Agent Studio."""

import json
import zipfile
from base64 import b64decode
from pathlib import Path
from xml.etree import ElementTree

import pytest

from openplaybook.cli.access import server_api
from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.recordings.form import ClientCall, ClientResult, RecordedTurn
from openplaybook.recordings.recording_yaml import read_recording
from openplaybook.recordings.step_form import Enter, Leave, OtherEvent, RecordedCall, RecordedDecision, Say, Step
from tests.kit.sandboxed import need_sandbox

from .conftest import Run, refusal
from .packages import write_agent

pytestmark = [pytest.mark.proves("X1"), pytest.mark.proves("X6")]

LOCATION = "projects/p/locations/recorded"
SCRIPT = r"""
rules:
  - when: {user: {matches: 'weather in (?P<city>\w+)'}}
    reply: {calls: [{name: get_weather, arguments: {city: '{{match.city}}'}}]}
  - when: {user: {equals: two cities}, after: get_weather}
    reply: {text: 'I know both.'}
  - when: {after: get_weather, error: true}
    reply: {text: 'No weather: {{result.error.message}}'}
  - when: {after: get_weather}
    reply: {text: 'It is {{result.temperature}} degrees.'}
  - when: {user: {equals: two cities}}
    reply:
      calls:
        - {name: get_weather, arguments: {city: Oslo}}
        - {name: get_weather, arguments: {city: Rome}}
  - when: {user: {equals: order}}
    reply:
      calls:
        - {name: tally, arguments: {step: 3}}
        - {name: twice, arguments: {step: 2}}
  - when: {after: twice}
    reply: {text: '{{parameters.ordered}} are ordered.'}
  - when: {user: {matches: 'expert: (?P<question>.+)'}, playbook: Desk}
    reply: {calls: [{name: expert, arguments: {request: '{{match.question}}'}}]}
  - when: {playbook: Desk, after: expert}
    reply: {text: 'The expert says: {{result.result}}'}
  - when: {user: {equals: my bill}, playbook: Desk}
    reply: {text: 'Please wait.', calls: [{name: expert_2, arguments: {}}]}
  - when: {user: {equals: say rude}}
    reply: {text: 'You are a blockhead.'}
  - when: {user: {equals: goodbye}}
    reply: {text: Bye., calls: [{name: end_session, arguments: {session_escalated: true, reason: all is said}}]}
  - when: {playbook: expert}
    reply: {text: 'it depends on {{user}}'}
  - reply: {text: 'You said: {{user}}'}
"""
TALLY = '''
def tally(step: int) -> dict:
    """Counts what was ordered."""
    context.state["ordered"] = context.state["ordered"] + step
    return {"step": step, "ordered": context.state["ordered"]}
'''
TWICE = '''
def twice(step: int) -> dict:
    """Counts twice."""
    tools.tally({"step": step})
    tools.tally({"step": step})
    return {"done": True}
'''
WEATHER: JsonObject = {
    "name": "get_weather",
    "description": "Tells the weather of a city.",
    "parameters": {"type": "OBJECT", "properties": {"city": {"type": "STRING"}}},
}


REFUSES: JsonObject = {"respondImmediately": {"responses": [{"text": "Hm."}]}}


@pytest.fixture(scope="module")
def sandbox() -> None:
    """For tests whose app runs Python."""
    need_sandbox()


@pytest.fixture
def app(data_dir: Path, tmp_path: Path) -> str:
    """Full name of a new app with agents, tools of each kind, a variable and a guardrail."""
    with server_api(data_dir=data_dir) as api:

        def made(path: str, body: JsonObject) -> str:
            answer = api.post(f"v1beta/{path}", body)
            return str(as_object(answer.get("response", answer))["name"])

        ordered = {"name": "ordered", "description": "How many.", "schema": {"type": "INTEGER", "default": 0}}
        app = made(
            f"{LOCATION}/apps?appId=a{abs(hash(tmp_path))}",
            {"displayName": tmp_path.name, "variableDeclarations": [ordered], "toolExecutionMode": "SEQUENTIAL"},
        )
        tools = [
            made(f"{app}/tools?toolId=get_weather", {"clientFunction": WEATHER}),
            made(f"{app}/tools?toolId=tally", {"pythonFunction": {"name": "tally", "pythonCode": TALLY}}),
            made(f"{app}/tools?toolId=twice", {"pythonFunction": {"name": "twice", "pythonCode": TWICE}}),
        ]
        # Called as a tool and transferred to: both go by one name.
        expert = made(f"{app}/agents?agentId=expert", {"displayName": "expert", "instruction": "You know all."})
        billing = made(f"{app}/agents?agentId=billing", {"displayName": "Billing", "instruction": "You know bills."})
        asked = {"name": "expert", "description": "Asks the expert.", "agent": expert}
        tools.append(made(f"{app}/tools?toolId=ask_expert", {"agentTool": asked}))
        made(f"{app}/guardrails?guardrailId=polite", guardrail("polite", "blockhead", REFUSES))
        desk: JsonObject = {
            "displayName": "Desk",
            "instruction": "Help.",
            "tools": [*tools, f"{app}/tools/end_session"],
            "childAgents": [expert, billing],
        }
        root = made(f"{app}/agents?agentId=desk", desk)
        changed = {"name": app, "rootAgent": root, "guardrails": [f"{app}/guardrails/polite"]}
        api.patch(f"v1beta/{app}", changed, updateMask="rootAgent,guardrails")
    return app


def guardrail(name: str, banned: str, action: JsonObject) -> JsonObject:
    filter_ = {"bannedContents": [banned], "matchType": "SIMPLE_STRING_MATCH"}
    return {"displayName": name, "enabled": True, "contentFilter": filter_, "action": action}


def recorded(run: Run, app: str, folder: Path, *lines: str) -> Path:
    """The file of a conversation of these lines."""
    (folder / "lines.txt").write_text("\n".join(lines))
    made = run("record", app, "--input", str(folder / "lines.txt"), "-o", str(folder / "talk.yaml"))
    assert made.exit_code == 0, made.output
    return folder / "talk.yaml"


def steps(turn: RecordedTurn) -> list[Step]:
    return list(turn.steps or ())


ALL = (
    "weather in Oslo",
    '{"output": {"temperature": 7}}',
    "order",
    "expert: soup",
    "say rude",
    "you blockhead",
    "goodbye",
)


def exported(run: Run, app: str, path: Path) -> Path:
    """The app as a zip archive."""
    assert run("agents", "export", app, "-o", str(path)).exit_code == 0
    return path


def unpacked(run: Run, app: str, path: Path) -> Path:
    """The app as a folder."""
    with zipfile.ZipFile(exported(run, app, path.with_suffix(".zip"))) as archive:
        archive.extractall(path)
    return next(path.iterdir())


@pytest.mark.usefixtures("sandbox")
def test_a_conversation_with_an_app_replays_the_same_wherever_the_app_is(
    run: Run, app: str, data_dir: Path, tmp_path: Path
) -> None:
    file = recorded(run, app, tmp_path, *ALL)
    as_folder = unpacked(run, app, tmp_path / "app")
    assert (as_folder / "app.json").is_file()
    in_yaml = tmp_path / "yaml.zip"
    with server_api(data_dir=data_dir) as api:
        answer = api.finished(api.post(f"v1beta/{app}:exportApp", {"exportFormat": "YAML"}))
        in_yaml.write_bytes(b64decode(answer["appContent"]))
    with zipfile.ZipFile(in_yaml) as archive:
        assert any(path.endswith("/app.yaml") for path in archive.namelist())
    for agent in (app, tmp_path.name, exported(run, app, tmp_path / "app.zip"), as_folder, in_yaml):
        result = run("replay", str(file), "--agent", str(agent))
        assert (result.exit_code, result.output) == (0, f"same  {file}: 7 turns\n")


@pytest.mark.usefixtures("sandbox")
def test_a_recording_of_an_app_has_what_its_tools_agents_and_guardrails_did(run: Run, app: str, tmp_path: Path) -> None:
    asks, result, order, expert, rude, blockhead, bye = read_recording(recorded(run, app, tmp_path, *ALL)).turns
    assert asks.asks == [ClientCall(tool="get_weather", action="get_weather", arguments={"city": "Oslo"})]
    assert result.given_results == [ClientResult(tool="get_weather", action="get_weather", output={"temperature": 7})]
    [decided, said] = steps(order)
    assert decided == RecordedDecision(
        decides="Desk",
        calls=[
            RecordedCall(
                tool="tally",
                action="tally",
                arguments={"step": 3},
                output={"step": 3, "ordered": 3},
                sets={"ordered": 3},
            ),
            RecordedCall(
                tool="twice", action="twice", arguments={"step": 2}, output={"done": True}, sets={"ordered": 7}
            ),
        ],
    )
    assert (said, order.sets) == (RecordedDecision(decides="Desk", says="7 are ordered."), {"ordered": 7})
    assert steps(expert) == [
        RecordedDecision(decides="Desk", calls=[RecordedCall(tool="expert", arguments={"request": "soup"})]),
        Enter(enters="expert", inputs={"request": "soup"}),
        RecordedDecision(decides="expert", says="it depends on soup"),
        Leave(leaves="expert", state="OK", outputs={"result": "it depends on soup"}),
        RecordedDecision(decides="Desk", says="The expert says: it depends on soup"),
    ]
    refusal = Say(engine="Hm.", code="GUARDRAIL")
    assert steps(rude) == [
        RecordedDecision(decides="Desk", withheld="You are a blockhead."),
        OtherEvent(event="guardrail", data={"stage": "response", "guardrail": "polite"}),
        refusal,
    ]
    assert steps(blockhead) == [
        OtherEvent(event="guardrail", data={"stage": "input", "guardrail": "polite"}),
        refusal,
    ]
    ending = {"session_escalated": True, "reason": "all is said"}
    assert steps(bye) == [
        RecordedDecision(decides="Desk", says="Bye.", calls=[RecordedCall(end=True, arguments=ending)]),
        OtherEvent(event="end", data={"state": "ESCALATED", "outputs": ending}),
    ]


def test_a_transfer_to_an_agent_replays_also_where_a_tool_has_its_name(run: Run, app: str, tmp_path: Path) -> None:
    file = recorded(run, app, tmp_path, "my bill", "and now?")
    first, second = read_recording(file).turns
    assert steps(first) == [
        Enter(enters="Desk"),
        RecordedDecision(decides="Desk", says="Please wait.", calls=[RecordedCall(playbook="expert")]),
        OtherEvent(event="transition", data={"playbook": "expert", "inputs": {}}),
        RecordedDecision(decides="expert", says="it depends on my bill"),
    ]
    assert (first.at, second.at) == ("expert", "expert")
    assert run("replay", str(file), "--agent", app).output == f"same  {file}: 2 turns\n"


def test_results_that_come_together_or_in_another_order_replay_as_they_came(
    run: Run, app: str, data_dir: Path, tmp_path: Path
) -> None:
    with server_api(data_dir=data_dir) as api:

        def turn(session: str, *inputs: JsonObject) -> list[str]:
            """Ids of the calls that the client is asked for."""
            name = f"{app}/sessions/{session}"
            request: JsonObject = {"config": {"session": name}, "inputs": list(inputs)}
            outputs = api.post(f"v1beta/{name}:runSession", request)["outputs"]
            return [call["id"] for each in outputs for call in each.get("toolCalls", {}).get("toolCalls", [])]

        def results(*given: tuple[str, int]) -> JsonObject:
            told = [{"id": id_, "response": {"temperature": degrees}} for id_, degrees in given]
            return {"toolResponses": {"toolResponses": told}}

        oslo, rome = turn("together", {"text": "two cities"})
        turn("together", results((rome, 20), (oslo, 7)))
        oslo, rome = turn("apart", {"text": "two cities"})
        assert turn("apart", results((rome, 20))) == [oslo]
        assert turn("apart", {"variables": {"ordered": 5}}) == [oslo]
        turn("apart", results((oslo, 7)))
        text = api.get(f"v1/{app}/sessions/apart:record")["recording"]
        assert text == api.get(f"v1beta/{app}/sessions/apart:record")["recording"]
    both, apart = tmp_path / "together.yaml", tmp_path / "apart.yaml"
    for file in (both, apart):
        assert run("record", app, "--session", file.stem, "-o", str(file)).exit_code == 0
    assert apart.read_text() == text

    def weather(degrees: int, call: int | None = None) -> ClientResult:
        return ClientResult(tool="get_weather", action="get_weather", call=call, output={"temperature": degrees})

    assert [turn.given_results for turn in read_recording(both).turns] == [[], [weather(20, 2), weather(7)]]
    turns = read_recording(apart).turns
    assert [turn.given_results for turn in turns] == [[], [weather(20, 2)], [], [weather(7)]]
    assert (turns[2].silent, turns[2].parameters) == (True, {"ordered": 5})
    replayed = run("replay", str(both), str(apart), "--agent", app)
    assert replayed.output == f"same  {both}: 2 turns\nsame  {apart}: 4 turns\n"


def test_a_session_that_begins_with_a_history_another_agent_and_fakes_replays_the_same(
    run: Run, app: str, data_dir: Path, tmp_path: Path
) -> None:
    code = "def fake_get_weather(tool, input, callback_context):\n"
    code += "    return None if input['city'] == 'Rome' else {'temperature': 1}\n"
    before = [{"role": "user", "chunks": [{"text": "hello"}]}, {"role": "Desk", "chunks": [{"text": "Yes?"}]}]
    name = f"{app}/sessions/begun"
    config: JsonObject = {"session": name, "historicalContexts": before, "useToolFakes": True}
    with server_api(data_dir=data_dir) as api:
        faked = {"name": f"{app}/tools/get_weather", "toolFakeConfig": {"codeBlock": {"pythonCode": code}}}
        api.patch(f"v1beta/{app}/tools/get_weather", faked, updateMask="toolFakeConfig")
        api.post(f"v1beta/{name}:runSession", {"config": config, "inputs": [{"text": "two cities"}]})
        config = {"session": f"{app}/sessions/other", "entryAgent": f"{app}/agents/billing"}
        api.post(f"v1beta/{app}/sessions/other:runSession", {"config": config, "inputs": [{"text": "hello"}]})
    files = [tmp_path / "begun.yaml", tmp_path / "other.yaml"]
    for file in files:
        assert run("record", app, "--session", file.stem, "-o", str(file)).exit_code == 0
    [begun], [other] = (read_recording(file).turns for file in files)
    assert (begun.history, begun.fakes) == ([{"user": "hello"}, {"agent": "Yes?"}], True)
    assert begun.asks == [ClientCall(tool="get_weather", action="get_weather", arguments={"city": "Rome"})]
    assert (other.entry, other.at) == ("Billing", "Billing")
    replayed = run("replay", *map(str, files), "--agent", app)
    assert replayed.output == f"same  {files[0]}: 1 turn\nsame  {files[1]}: 1 turn\n"


@pytest.mark.parametrize(
    "action", [REFUSES, {"generativeAnswer": {"prompt": "Be kind."}}, {"transferAgent": {"agent": "Billing"}}]
)
def test_a_guardrail_replays_whatever_it_does_and_is_missed_when_it_is_not_there(
    run: Run, app: str, data_dir: Path, tmp_path: Path, action: JsonObject
) -> None:
    with server_api(data_dir=data_dir) as api:
        name = f"{app}/guardrails/polite"
        if "transferAgent" in action:
            action = {"transferAgent": {"agent": f"{app}/agents/billing"}}
        api.patch(f"v1beta/{name}", guardrail("polite", "blockhead", action), updateMask="action")
        file = recorded(run, app, tmp_path, "you blockhead", "say rude")
        assert run("replay", str(file), "--agent", app).output == f"same  {file}: 2 turns\n"
        api.patch(f"v1beta/{app}", {"name": app, "guardrails": []}, updateMask="guardrails")
    [found] = json.loads(run("replay", str(file), "--agent", app, "--json").output)["files"]
    # No model was asked where the guardrail refused what the user said.
    first = "the turn fails" if action is REFUSES else "guardrail input"
    assert [turn["differences"][0]["where"] for turn in found["turns"]] == [first, "guardrail response"]


@pytest.mark.usefixtures("sandbox")
def test_a_change_of_the_app_is_shown_and_can_be_taken_over(run: Run, app: str, tmp_path: Path) -> None:
    file = recorded(run, app, tmp_path, "say rude", "expert: soup", "order")
    folder = unpacked(run, app, tmp_path / "app")
    root = json.loads((folder / "app.json").read_text())
    del root["guardrails"]
    (folder / "app.json").write_text(json.dumps(root))
    (code,) = folder.rglob("tally/**/*.py")
    code.write_text(code.read_text().replace("step: int", "steps: int"))
    asked = ("replay", str(file), "--agent", str(folder))
    shown = run(*asked, "--junit", str(tmp_path / "report.xml"))
    assert shown.exit_code == 1
    assert shown.output.splitlines()[:9] == [
        f"different  {file}: 2 of 3 turns",
        "  turn 1: say rude",
        "    guardrail response",
        '      - {"guardrail": "polite", "stage": "response"}',
        "    the engine speaks GUARDRAIL",
        "      - the engine speaks GUARDRAIL",
        "    says",
        "      - Hm.",
        "      + You are a blockhead.",
    ]
    [found] = json.loads(run(*asked, "--json").output)["files"]
    assert found["turns"][2]["differences"][0]["where"] == "tally.tally fails"
    suite = ElementTree.parse(tmp_path / "report.xml").getroot()
    assert [suite.get(name) for name in ("tests", "failures", "errors")] == ["3", "2", "0"]
    run(*asked, "--update")
    assert run(*asked).output == f"same  {file}: 3 turns\n"


def test_an_agent_that_was_converted_to_an_app_is_replayed_as_one(run: Run, tmp_path: Path) -> None:
    package = write_agent(tmp_path, "Weather to convert")
    assert run("agents", "convert", str(package), "-o", str(tmp_path / "app.zip")).exit_code == 0
    app = run("agents", "import", str(tmp_path / "app.zip")).stdout.strip()
    assert "/apps/" in app
    file = recorded(run, app, tmp_path, "weather in Rome", '{"error": "no network"}')
    assert run("replay", str(file), "--agent", str(tmp_path / "app.zip")).output == f"same  {file}: 2 turns\n"
    assert run("replay", str(file)).output == f"same  {file}: 2 turns\n"


def test_what_cannot_be_recorded_of_an_app_is_refused(run: Run, app: str, tmp_path: Path) -> None:
    nobody = run("record", app, "--session", "nobody", "-o", "-")
    assert refusal(nobody) == f"NOT_FOUND: Conversation {app}/sessions/nobody does not exist"
    language = run("record", app, "--language", "de", "--session", "a", "-o", "-")
    assert refusal(language) == "--language is for agents of Dialogflow CX"
    cases = run("record", app, "--test-cases", "-o", str(tmp_path))
    assert "this command is for agents of Dialogflow CX" in refusal(cases)
