"""The services as Google's own clients see them: both versions, both transports."""

import asyncio
import importlib
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import closing

import pytest
import uvicorn
from google.api_core import exceptions
from google.protobuf import field_mask_pb2

from openplaybook.wire.grpc_server import GrpcServer
from openplaybook.wire.messages import ApiMessage
from openplaybook.wire.rest import RestApp
from tests.integration.services.clients import Clients
from tests.integration.services.peers import LOCATION, Caller

pytestmark = pytest.mark.proves("X1")


@pytest.fixture(params=[(v, t) for v in ("v3", "v3beta1") for t in ("rest", "grpc")], ids="-".join)
async def clients(request: pytest.FixtureRequest, call: Caller) -> AsyncIterator[Clients]:
    version, transport = request.param
    grpc_server = GrpcServer(call.registry, address="127.0.0.1:0", max_message_bytes=1_000_000)
    grpc_port = await grpc_server.start()
    app = RestApp(call.registry, max_body_bytes=1_000_000)
    server = uvicorn.Server(uvicorn.Config(app, interface="asgi3", lifespan="off", log_config=None))
    listener = socket.create_server(("127.0.0.1", 0))
    with closing(listener):
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        library = importlib.import_module(f"google.cloud.dialogflowcx_{version}")
        yield Clients(library, transport, listener.getsockname()[1], grpc_port)
        server.should_exit = True
        await serving
    await grpc_server.stop(0)


async def _run(conversation: Callable[[], None]) -> None:
    """Google's clients block, so they talk in a thread of their own."""
    await asyncio.to_thread(conversation)


def _agent(clients: Clients) -> ApiMessage:
    agent = clients.library.Agent(display_name="Zoo", default_language_code="en", time_zone="UTC")
    return clients("Agents").create_agent(parent=LOCATION, agent=agent)


async def test_agents_are_created_listed_changed_and_deleted(clients: Clients) -> None:
    def conversation() -> None:
        agents = clients("Agents")
        made = [_agent(clients) for _ in range(3)]
        assert agents.get_agent(name=made[0].name) == made[0]
        listed = agents.list_agents(request={"parent": LOCATION, "page_size": 2})
        assert [agent.name for agent in listed] == [agent.name for agent in made]
        changed = clients.library.Agent(name=made[0].name, display_name="Park")
        mask = field_mask_pb2.FieldMask(paths=["display_name"])
        made[0].display_name = "Park"
        assert agents.update_agent(agent=changed, update_mask=mask) == made[0]
        agents.delete_agent(name=made[0].name)
        with pytest.raises(exceptions.NotFound, match=f"Agent {made[0].name} does not exist"):
            agents.get_agent(name=made[0].name)

    await _run(conversation)


async def test_playbooks_tools_and_examples_work_together(clients: Clients) -> None:
    def conversation() -> None:
        library, agent = clients.library, _agent(clients)
        specification = library.Tool.FunctionTool(input_schema={"type": "object", "required": ["city"]})
        tool = clients("Tools").create_tool(
            parent=agent.name,
            tool=library.Tool(display_name="Weather", description="Tells", function_spec=specification),
        )
        assert tool.tool_type == library.Tool.ToolType.CUSTOMIZED_TOOL
        assert tool.function_spec == specification
        step = library.Playbook.Step(text="Use ${TOOL: Weather}")
        instruction = library.Playbook.Instruction(steps=[step])
        playbook = clients("Playbooks").create_playbook(
            parent=agent.name,
            playbook=library.Playbook(display_name="Greeter", goal="Help", instruction=instruction),
        )
        assert list(playbook.referenced_tools) == [tool.name]
        use = library.ToolUse(tool=tool.name, action="Weather", input_action_parameters={"city": "Paris"})
        example = clients("Examples").create_example(
            parent=playbook.name,
            example=library.Example(
                display_name="First",
                actions=[library.Action(tool_use=use)],
                conversation_state=library.OutputState.OUTPUT_STATE_OK,
            ),
        )
        assert [one.name for one in clients("Examples").list_examples(parent=playbook.name)] == [example.name]
        with pytest.raises(exceptions.BadRequest, match="set force to remove it there too") as refused:
            clients("Tools").delete_tool(name=tool.name)
        assert refused.value.reason == "TOOL_IN_USE"
        clients("Tools").delete_tool(request={"name": tool.name, "force": True})
        assert list(clients("Examples").get_example(name=example.name).actions) == []

    await _run(conversation)


async def test_faults_are_told_in_the_same_way_over_both_transports(clients: Clients) -> None:
    def conversation() -> None:
        library, agent = clients.library, _agent(clients)
        playbooks = clients("Playbooks")
        playbooks.create_playbook(parent=agent.name, playbook=library.Playbook(display_name="A", goal="g"))
        with pytest.raises(exceptions.Conflict, match="display_name 'A' is already used by"):
            playbooks.create_playbook(parent=agent.name, playbook=library.Playbook(display_name="A", goal="g"))
        with pytest.raises(exceptions.BadRequest, match=r"Required but not given: playbook\.goal") as refused:
            playbooks.create_playbook(parent=agent.name, playbook=library.Playbook(display_name="B"))
        assert (refused.value.reason, refused.value.domain) == ("MISSING_FIELDS", "openplaybook")
        with pytest.raises(exceptions.BadRequest, match="page_token does not come from this list"):
            playbooks.list_playbooks(request={"parent": agent.name, "page_token": "x"})
        mask = field_mask_pb2.FieldMask(paths=["no_such"])
        with pytest.raises(exceptions.BadRequest, match="Agent has no field 'no_such'"):
            clients("Agents").update_agent(agent=agent, update_mask=mask)

    await _run(conversation)


async def test_an_agent_is_exported_and_restored(clients: Clients) -> None:
    def conversation() -> None:
        library, agents = clients.library, clients("Agents")
        source, target = _agent(clients), _agent(clients)
        playbook = library.Playbook(display_name="Greeter", goal="Help")
        clients("Playbooks").create_playbook(parent=source.name, playbook=playbook)
        operation = agents.export_agent(request={"name": source.name, "data_format": "JSON_PACKAGE"})
        content = operation.result(timeout=20).agent_content
        agents.restore_agent(request={"name": target.name, "agent_content": content}).result(timeout=20)
        restored = list(clients("Playbooks").list_playbooks(parent=target.name))
        assert [playbook.display_name for playbook in restored] == ["Greeter"]

    await _run(conversation)


async def test_settings_versions_and_the_draft_are_there(clients: Clients) -> None:
    def conversation() -> None:
        library, agent = clients.library, _agent(clients)
        agents, name = clients("Agents"), f"{agent.name}/generativeSettings"
        settings = library.GenerativeSettings(
            name=name, language_code="en", llm_model_settings=library.LlmModelSettings(model="m")
        )
        assert agents.update_generative_settings(generative_settings=settings) == settings
        assert agents.get_generative_settings(name=name, language_code="en") == settings
        [draft] = clients("Environments").list_environments(parent=agent.name)
        assert draft.name == f"{agent.name}/environments/-"
        playbooks = clients("Playbooks")
        playbook = playbooks.create_playbook(
            parent=agent.name, playbook=library.Playbook(display_name="Greeter", goal="Help")
        )
        version = playbooks.create_playbook_version(parent=playbook.name, playbook_version={"description": "one"})
        assert version.playbook == playbook
        playbooks.delete_playbook_version(name=version.name)
        assert list(playbooks.list_playbook_versions(parent=playbook.name)) == []
        assert agents.validate_agent(request={"name": agent.name}).name == f"{agent.name}/validationResult"
        located = agents.list_locations(request={"name": "projects/p"})
        assert "projects/p/locations/global" in [location.name for location in located.locations]

    await _run(conversation)


@pytest.mark.proves("B1")
async def test_every_agent_has_the_code_interpreter(clients: Clients) -> None:
    def conversation() -> None:
        agent, tools = _agent(clients).name, clients("Tools")
        [tool] = tools.list_tools(parent=agent)
        assert (tool.name, tool.display_name) == (f"{agent}/tools/df-code-interpreter-tool", "code-interpreter")
        assert tool.tool_type == clients.library.Tool.ToolType.BUILTIN_TOOL
        assert tools.get_tool(name=tool.name) == tool
        with pytest.raises((exceptions.FailedPrecondition, exceptions.BadRequest), match="cannot be deleted"):
            tools.delete_tool(name=tool.name)
        with pytest.raises(exceptions.NotFound):
            list(tools.list_tool_versions(parent=tool.name))

    await _run(conversation)
