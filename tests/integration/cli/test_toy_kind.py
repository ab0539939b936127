"""A kind of tool that only this test has goes the way of all kinds, and nothing but its record knows of it.

It is a lamp: `connectorSpec` and `connectorTool` hold what a lamp is, and the kind that has these fields otherwise is
left out. The commands talk to a server of this process, so all of them know it.
"""

import json
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from openplaybook.cli.access import server_api
from openplaybook.cli.api_client import ApiError
from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.recordings.recording_yaml import read_recording
from openplaybook.recordings.step_form import RecordedDecision
from openplaybook.resources.call_spellings import AS_GIVEN
from openplaybook.resources.ces.app_variables import secret_variables
from openplaybook.resources.tool_kinds import (
    CallCheck,
    ConversionNotes,
    ConvertedTool,
    KindField,
    SecretField,
    StoredKind,
    ToolMessage,
)
from openplaybook.tools.base import Action, Call, Failure, InvalidTool, Outcome, Problem, Success, Tool, ToolContext
from openplaybook.tools.connector import kind as connector
from openplaybook.tools.kind_registry import KINDS, register
from openplaybook.tools.tool_kind import ToolKind, ToolParts
from openplaybook.turns.agent.snapshot import secret_parameters

from .conftest import Run

LOCATION = "projects/p/locations/toys"
SECRET = "a secret of lamps"
SCRIPT = r"""
rules:
  - when: {after: desk_lamp, error: true}
    reply: {text: 'It broke: {{result.error.message}}'}
  - when: {after: desk_lamp}
    reply: {text: '{{result.lamp}} is at {{result.percent}} %.'}
  - when: {user: {matches: 'dim to (?P<percent>\w+)'}}
    reply: {calls: [{name: desk_lamp, arguments: {percent: '{{match.percent}}'}}]}
  - reply: {text: 'You said: {{user}}'}
"""
INPUT: JsonObject = {"type": "object", "properties": {"percent": {"type": "string"}}, "required": ["percent"]}


class Lamp(Tool):
    """Can be dimmed."""

    def __init__(self, resource: JsonObject, lamp: str) -> None:
        name = str(resource["displayName"])
        self._lamp = lamp
        self._action = Action(name, name, str(resource.get("name", "")), name, "Dims the lamp.", INPUT)

    def actions(self) -> Sequence[Action]:
        """One, named like the tool."""
        return [self._action]

    async def invoke(self, call: Call, context: ToolContext) -> Outcome:
        """Dims it."""
        given = await self.client_arguments(call, context)
        return given if isinstance(given, Failure) else Success({"lamp": self._lamp, "percent": given["percent"]})

    async def client_arguments(self, call: Call, context: ToolContext) -> JsonObject | Failure:
        """As given, where there is light in the end."""
        if call.arguments.get("percent") in ("none", None):
            return Failure("DARK", "percent must leave some light")
        return call.arguments

    async def check_result(self, action: Action, output: JsonObject) -> Sequence[str]:
        """No client gives one."""
        return ()


def build(resource: JsonObject, spec: JsonObject, parts: ToolParts) -> Lamp:
    if spec.get("name") not in ("desk", "old"):
        raise InvalidTool([Problem("$.connectorSpec.name", "is no lamp of ours")])
    return Lamp(resource, str(spec["name"]))


def check(
    resource: JsonObject, spec: JsonObject, parts: Callable[[], ToolParts], built: Callable[[], Tool]
) -> Sequence[Problem]:
    built()
    is_old = spec["name"] == "old"
    return [Problem("$.connectorSpec.name", "is an old lamp", is_error=False)] if is_old else ()


def converted(tool: JsonObject, name: str, place: str, notes: ConversionNotes) -> ConvertedTool:
    notes.changed(place, "shines in an app now")
    return ConvertedTool("connectorTool", ({"connection": as_object(tool["connectorSpec"])["name"]},))


LAMPS = ToolKind(
    StoredKind(
        name="lamp",
        noun="lamp",
        fields=(
            KindField(
                "connectorSpec",
                ToolMessage.TOOL,
                "lamp",
                secrets=(SecretField(("connectorSpec", "endUserAuthConfig", "oauth2AuthCodeConfig"), "oauthToken"),),
                credentials=("endUserAuthConfig",),
                free=frozenset({"endUserAuthConfig"}),
                form=AS_GIVEN,
            ),
            KindField(
                "connectorTool",
                ToolMessage.APP_TOOL,
                "lamp of an app",
                credentials=("authConfig",),
                toolbox_form=lambda message, document: {"connectorSpec": {"name": message.get("connection", "")}},
                toolbox_paths=(("$.connectorSpec.name", "{kind}.connection"),),
            ),
        ),
        call_check=CallCheck.ARGUMENTS,
        conversion=converted,
    ),
    {"connectorSpec": build},
    check=check,
)


@pytest.fixture(scope="module", autouse=True)
def lamps() -> Iterator[None]:
    """Registers the kind, by one line."""
    register([*(kind for kind in KINDS if kind is not connector.KIND), LAMPS])
    yield
    register()


@pytest.fixture(scope="module")
def agent(data_dir: Path, lamps: None) -> str:
    """Full name of an agent whose playbook uses a lamp, and shows a call of it."""
    with server_api(data_dir=data_dir) as api:
        made = {"displayName": "Lit", "defaultLanguageCode": "en", "timeZone": "Etc/UTC"}
        name = str(api.post(f"v3beta1/{LOCATION}/agents", made)["name"])
        tool = str(api.post(f"v3beta1/{name}/tools", lamp("desk"))["name"])
        playbook: JsonObject = {
            "displayName": "Desk",
            "goal": "Dim the lamp.",
            "instruction": {"steps": [{"text": "Use ${TOOL: desk_lamp}."}]},
            "referencedTools": [tool],
        }
        desk = str(api.post(f"v3beta1/{name}/playbooks", playbook)["name"])
        api.post(f"v3beta1/{desk}/examples", example(tool, {"percent": "20"}))
        api.patch(f"v3beta1/{name}", {"name": name, "startPlaybook": desk}, updateMask="startPlaybook")
        return name


def lamp(name: str) -> JsonObject:
    token = {"oauth2AuthCodeConfig": {"oauthToken": SECRET}}
    return {
        "displayName": "desk_lamp",
        "description": "Lights the desk.",
        "connectorSpec": {"name": name, "endUserAuthConfig": token},
    }


def example(tool: str, arguments: JsonObject) -> JsonObject:
    use: JsonObject = {
        "tool": tool,
        "action": "desk_lamp",
        "inputActionParameters": arguments,
        "outputActionParameters": {"lamp": "desk", "percent": "20"},
    }
    return {
        "displayName": f"with {', '.join(arguments)}",
        "actions": [{"userUtterance": {"text": "less light"}}, {"toolUse": use}],
        "conversationState": "OUTPUT_STATE_OK",
    }


def tool_of(data_dir: Path, agent: str) -> JsonObject:
    with server_api(data_dir=data_dir) as api:
        return next(each for each in api.list(f"v3beta1/{agent}/tools", "tools") if each["displayName"] == "desk_lamp")


def said(run: Run, agent: str, *options: str) -> str:
    """What comes of dimming the lamp."""
    lines = run("chat", agent, "-m", "dim to 20", *options).output.splitlines()
    return next(line.removeprefix("agent: ") for line in lines if line.startswith("agent: "))


def test_it_is_created_and_its_secret_is_shown_to_nobody(data_dir: Path, agent: str) -> None:
    spec = as_object(tool_of(data_dir, agent)["connectorSpec"])
    assert spec["name"] == "desk"
    assert SECRET not in json.dumps(spec)


def test_it_is_checked(data_dir: Path, agent: str) -> None:
    with server_api(data_dir=data_dir) as api:
        with pytest.raises(ApiError) as refused:
            api.post(f"v3beta1/{agent}/tools", {**lamp("sun"), "displayName": "other"})
        tool = tool_of(data_dir, agent)
        api.patch(
            f"v3beta1/{tool['name']}", {**tool, "connectorSpec": {"name": "old"}}, updateMask="connectorSpec.name"
        )
        found = as_object(api.get(f"v3beta1/{agent}/validationResult"))
        api.patch(
            f"v3beta1/{tool['name']}", {**tool, "connectorSpec": {"name": "desk"}}, updateMask="connectorSpec.name"
        )
    assert "tool.connectorSpec.name: is no lamp of ours" in str(refused.value)
    assert "is an old lamp" in json.dumps(found)


def test_its_calls_in_examples_are_checked(run: Run, data_dir: Path, agent: str) -> None:
    tool = str(tool_of(data_dir, agent)["name"])
    with server_api(data_dir=data_dir) as api:
        [desk] = api.list(f"v3beta1/{agent}/playbooks", "playbooks")
        made = api.post(f"v3beta1/{desk['name']}/examples", example(tool, {"brightness": 3}))
        found = json.dumps(api.get(f"v3beta1/{agent}/validationResult"))
        api.delete(f"v3beta1/{made['name']}")
    assert "does not fit the action 'desk_lamp': percent is required" in found


def test_its_declaration_is_listed(run: Run, agent: str) -> None:
    listed = run("tools", "list", agent, "--json")
    [told] = [tool for tool in json.loads(listed.output)["tools"] if tool["displayName"] == "desk_lamp"]
    assert told["kind"] == "lamp"
    assert [(action["action"], action["inputSchema"]) for action in told["actions"]] == [("desk_lamp", INPUT)]


def test_a_turn_calls_it_and_the_trace_tells_so(run: Run, agent: str) -> None:
    assert said(run, agent, "--session", "turn") == "desk is at 20 %."
    told = run("conversations", "show", agent, "turn", "--json").output
    assert '"desk_lamp"' in told
    assert '"percent": "20"' in told


def test_it_is_executed_by_itself(run: Run, agent: str) -> None:
    tried = run("tools", "test", agent, "desk_lamp", "desk_lamp", "--input", '{"percent": "5"}')
    assert json.loads(tried.output) == {"lamp": "desk", "percent": "5"}
    refused = run("tools", "test", agent, "desk_lamp", "desk_lamp", "--input", '{"percent": "none"}')
    assert (refused.exit_code, refused.output.strip()) == (1, "DARK: percent must leave some light")


def test_it_is_exported_without_its_secret_and_imported_with_it(
    run: Run, data_dir: Path, agent: str, tmp_path: Path
) -> None:
    package = tmp_path / "agent.zip"
    exported = run("agents", "export", agent, "-o", str(package))
    with zipfile.ZipFile(package) as archive:
        tool = json.loads(archive.read("tools/desk_lamp/desk_lamp.json"))
    assert (exported.exit_code, tool["connectorSpec"]) == (
        0,
        {"name": "desk", "endUserAuthConfig": {"oauth2AuthCodeConfig": {}}},
    )
    before = tool_of(data_dir, agent)
    replaced = run("agents", "import", str(package), "--replace")
    assert replaced.exit_code == 0, replaced.output
    assert "kept" not in replaced.output
    assert tool_of(data_dir, agent)["connectorSpec"] == before["connectorSpec"]
    imported = run("agents", "import", str(package)).stdout.strip()
    assert said(run, imported) == "desk is at 20 %."


def test_it_is_converted_into_an_app_and_works_there(run: Run, data_dir: Path, agent: str, tmp_path: Path) -> None:
    package = tmp_path / "app.zip"
    converted_to = run("agents", "convert", agent, "-o", str(package), "--json")
    notes = [note["message"] for note in json.loads(converted_to.output)["notes"]]
    assert "shines in an app now" in notes
    app = run("agents", "import", str(package), "--location", LOCATION).stdout.strip()
    with server_api(data_dir=data_dir) as api:
        [tool] = api.list(f"v1beta/{app}/tools", "tools")
        with pytest.raises(ApiError) as refused:
            api.post(
                f"v1beta/{app}/tools?toolId=dark",
                {"connectorTool": {"name": "dark", "connection": "sun", "action": {}}},
            )
    assert as_object(tool["connectorTool"]) == {"name": "desk_lamp", "connection": "desk"}
    assert "tool.connectorTool.connection: is no lamp of ours" in str(refused.value)
    assert "(lamp of an app)" in run("tools", "list", app).output
    assert said(run, app) == "desk is at 20 %."
    exported = tmp_path / "exported.zip"
    assert run("agents", "export", app, "-o", str(exported)).exit_code == 0
    again = run("agents", "import", str(exported), "--location", LOCATION).stdout.strip()
    assert run("tools", "test", again, "desk_lamp", "--input", '{"percent": "5"}').exit_code == 0


def test_what_its_authentication_reads_from_the_session_is_secret() -> None:
    token = {"oauth2AuthCodeConfig": {"oauthToken": "$session.params.key"}}
    variable = {"oauth2AuthCodeConfig": {"oauthToken": "$context.variables.key"}}
    assert secret_parameters([{"connectorSpec": {"name": "$session.params.name", "endUserAuthConfig": token}}]) == {
        "key"
    }
    assert secret_variables([{"connectorTool": {"authConfig": variable}}]) == {"key"}


def test_its_calls_are_recorded_and_replayed(run: Run, agent: str, tmp_path: Path) -> None:
    run("chat", agent, "-m", "dim to 20", "--session", "recorded")
    file = tmp_path / "lamp.yaml"
    assert run("record", agent, "--session", "recorded", "-o", str(file)).exit_code == 0
    [turn] = read_recording(file).turns
    [decided] = [step for step in turn.steps or () if isinstance(step, RecordedDecision) and step.calls]
    assert [(call.tool, call.arguments) for call in decided.calls or ()] == [("desk_lamp", {"percent": "20"})]
    assert run("replay", str(file), "--agent", agent).output == f"same  {file}: 1 turn\n"
    file.write_text(file.read_text().replace('percent: "20"', "percent: none", 1))
    differing = run("replay", str(file), "--agent", agent)
    assert (differing.exit_code, "percent must leave some light" in differing.output) == (1, True)
