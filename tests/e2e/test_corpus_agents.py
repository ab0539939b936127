"""Agents that strangers exported: each is imported, judged, talked to, and its tools are reached.

Without a folder of exported agents (`OPENPLAYBOOK_CORPUS`) nothing of this is tested.
"""

import io
import json
import os
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from openplaybook.egress.address_policy import AddressPolicy
from openplaybook.egress.http_transport import HttpTransport
from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.tools.toolbox import Toolbox
from openplaybook.wire.messages import ApiMessage
from tests.e2e.kit.google import Google
from tests.e2e.kit.rest import LOCATION
from tests.e2e.kit.server import running
from tests.e2e.kit.shop import said, to_json
from tests.kit.api_from_schema import DescribedApi, api_from_schema
from tests.kit.background import Background
from tests.kit.made_values import made_value

CORPUS = os.environ.get("OPENPLAYBOOK_CORPUS", "")
AGENTS = sorted(path.parent for path in Path(CORPUS or "/nowhere").glob("agents/*/agent.json"))

APPS = sorted(path.parent for path in Path(CORPUS or "/nowhere").glob("agents/*/app.json"))

pytestmark = pytest.mark.skipif(not AGENTS, reason="OPENPLAYBOOK_CORPUS names no folder of exported agents")
each_agent = pytest.mark.parametrize("folder", AGENTS, ids=lambda folder: folder.name)
each_app = pytest.mark.parametrize("folder", APPS, ids=lambda folder: folder.name)


@dataclass(frozen=True)
class FoundTool:
    """A tool of an export that can be called."""

    name: str
    """Display name."""
    schema: Path | None
    """Its OpenAPI description; None for a function tool."""
    document: JsonObject


def tools_of(folder: Path) -> list[FoundTool]:
    """The OpenAPI and function tools of an export."""
    found: list[FoundTool] = []
    for path in sorted(folder.glob("tools/*/*.json")):
        document = as_object(json.loads(path.read_bytes()))
        schemas = sorted([*path.parent.glob("schema.*")])
        if schemas:
            found.append(FoundTool(document["displayName"], schemas[0], document))
        elif "functionSpec" in document:
            found.append(FoundTool(document["displayName"], None, document))
    return found


def zipped(folder: Path, texts: dict[str, str]) -> bytes:
    """The export as one archive, with other texts in place of some of its files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                name = path.relative_to(folder).as_posix()
                archive.writestr(name, texts.get(name, path.read_bytes()))
    return buffer.getvalue()


def imported(google: Google, name: str, package: bytes) -> str:
    """The name of a new agent made of a package."""
    agent = google.Agent(display_name=name[:60], default_language_code="en", time_zone="Etc/UTC")
    made: str = google("Agents").create_agent(parent=LOCATION, agent=agent).name
    google("Agents").restore_agent(request={"name": made, "agent_content": package}).result()
    return made


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory, background: Background) -> Iterator[Google]:
    """A client of CX Agent Studio at a server that has the offline model only."""
    with running(tmp_path_factory.mktemp("studio")) as server:
        clients = Google("v1beta", "grpc", server, background, package="ces")
        yield clients
        clients.close()


@pytest.fixture(scope="module")
def offline(tmp_path_factory: pytest.TempPathFactory, background: Background) -> Iterator[Google]:
    """A client of a server that has the offline model only."""
    with running(tmp_path_factory.mktemp("offline")) as server:
        clients = Google("v3beta1", "grpc", server, background)
        yield clients
        clients.close()


@pytest.fixture(scope="module")
def scripted(tmp_path_factory: pytest.TempPathFactory, background: Background) -> Iterator[Google]:
    """A client of a server whose model calls whatever the user names, with the arguments in a session parameter."""
    folder = tmp_path_factory.mktemp("scripted")
    tools = sorted({tool.name for export in AGENTS for tool in tools_of(export)})
    actions = sorted({action for export in AGENTS for tool in tools_of(export) for action in declared(tool)})
    rules = [
        {
            "when": {"user": {"equals": f"{tool}.{action}"}},
            "reply": {"calls": [{"name": f"{tool}.{action}", "arguments": "{{parameters.arguments}}"}]},
        }
        for tool in tools
        for action in actions
    ]
    after: JsonObject = {"when": {"after": "*"}, "reply": {"text": "It was called."}}
    (folder / "script.yaml").write_text(yaml.safe_dump({"rules": [after, *rules]}))
    flags = ["--model", f"scripted:{folder / 'script.yaml'}"]
    with running(folder, *flags, OPENPLAYBOOK_EGRESS_ALLOW="127.0.0.0/8") as server:
        clients = Google("v3beta1", "grpc", server, background)
        yield clients
        clients.close()


def declared(tool: FoundTool, text: str = "") -> dict[str, JsonObject]:
    """What the tool's actions take, by their names."""
    specification = (
        {"openApiSpec": {"textSchema": text or tool.schema.read_text()}}
        if tool.schema
        else {"functionSpec": tool.document["functionSpec"]}
    )
    toolbox = Toolbox(HttpTransport(AddressPolicy(())))
    built = toolbox.build({"name": "tools/t", "displayName": tool.name, "description": "", **specification})
    return {action.action: action.input_schema for action in built.actions()}


@pytest.mark.proves("X2")
@each_agent
def test_an_exported_agent_is_imported_judged_and_answers_without_a_model(offline: Google, folder: Path) -> None:
    agent = imported(offline, folder.name, zipped(folder, {}))
    judged = offline("Agents").validate_agent(request={"name": agent})
    for result in judged.flow_validation_results:
        assert result.name.startswith(agent), result
        assert all(len(message.detail) > 20 for message in result.validation_messages), result
    query = {"text": {"text": "Hello"}, "language_code": "en"}
    answered = offline("Sessions").detect_intent(request={"session": f"{agent}/sessions/s", "query_input": query})
    assert "".join(said(answered)) != ""


@pytest.mark.proves("X2")
@each_app
def test_an_exported_app_is_imported_and_answers_without_a_model(studio: Google, folder: Path) -> None:
    operation = studio("AgentService").import_app(
        request={"parent": LOCATION, "display_name": folder.name[:60], "app_content": zipped(folder, {})}
    )
    app = operation.result().name
    session = {"config": {"session": f"{app}/sessions/s"}, "inputs": [{"text": "Hello"}]}
    [*_, last] = studio("SessionService").run_session(request=session).outputs
    assert (last.text != "", last.turn_completed, last.turn_index) == (True, True, 1)


@pytest.mark.proves("X2")
@pytest.mark.parametrize("folder", [folder for folder in AGENTS if tools_of(folder)], ids=lambda folder: folder.name)
def test_a_playbook_of_an_exported_agent_reaches_its_tools(
    scripted: Google, background: Background, folder: Path
) -> None:
    reached = 0
    for tool in tools_of(folder):
        assert tool.schema is not None  # no export at hand has a function tool
        with background.entered(api_from_schema(tool.schema.read_text())) as api:
            text = {tool.schema.relative_to(folder).as_posix(): api.text}
            agent = imported(scripted, folder.name, zipped(folder, text))
            for playbook in using(scripted, agent, tool.name):
                for action, schema in declared(tool, api.text).items():
                    reach(scripted, playbook, tool, action, schema, api)
                    reached += 1
    assert reached > 0


def using(google: Google, agent: str, tool: str) -> list[ApiMessage]:
    """The playbooks of the agent that name the tool."""
    names = [found.name for found in google("Tools").list_tools(parent=agent) if found.display_name == tool]
    return [each for each in google("Playbooks").list_playbooks(parent=agent) if names[0] in each.referenced_tools]


def reach(
    google: Google, playbook: ApiMessage, tool: FoundTool, action: str, schema: JsonObject, api: DescribedApi
) -> None:
    """One turn in the playbook, in which the model calls the action; the API has to get it and to be heard."""
    arguments = made_value(schema, f"{tool.name} {action}")
    agent = playbook.name.rpartition("/playbooks/")[0]
    answered = google("Sessions").detect_intent(
        request={
            "session": f"{agent}/sessions/{action[:20]}-{playbook.name[-12:]}",
            "query_input": {"text": {"text": f"{tool.name}.{action}"}, "language_code": "en"},
            "query_params": {"current_playbook": playbook.name, "parameters": {"arguments": arguments}},
        }
    )
    assert said(answered) == ["It was called."]
    used = [
        to_json(each.tool_use)
        for each in answered.query_result.generative_info.action_tracing_info.actions
        if "tool_use" in each
    ]
    operation = api.operations[action]
    assert [(each["action"], each["outputActionParameters"]) for each in used] == [
        (action, {operation.status: operation.body})
    ]
    assert api.objections(action) == []
