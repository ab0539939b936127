"""Tools and toolsets of apps."""

import pytest

from openplaybook.resources.ces.system_tools import SYSTEM_TOOLS
from openplaybook.wire.errors import Code
from tests.integration.services.ces.studio import CODE, Studio
from tests.integration.services.peers import LOCATION

APP = f"{LOCATION}/apps/zoo"
OPENAPI = "paths: {/pets: {get: {operationId: listPets}}}"

pytestmark = pytest.mark.proves("S1")


@pytest.mark.parametrize(
    ("tool", "display_name"),
    [
        ({"clientFunction": {"name": "weather", "description": "d"}}, "weather"),
        ({"openApiTool": {"name": "pets", "openApiSchema": OPENAPI}}, "pets"),
        ({"openApiTool": {"openApiSchema": OPENAPI}}, "listPets"),
        ({"pythonFunction": {"pythonCode": CODE}}, "add"),
        ({"googleSearchTool": {"name": "search"}}, "search"),
    ],
)
async def test_a_tool_is_called_what_its_function_or_operation_is(
    studio: Studio, tool: dict[str, object], display_name: str
) -> None:
    app = await studio.app()
    made = await studio("CreateTool", {"parent": app, "tool": {**tool, "displayName": "given"}})
    assert made["displayName"] == display_name
    again = await studio.refusal("CreateTool", {"parent": app, "tool": tool})
    assert again == (Code.ALREADY_EXISTS, f"display_name {display_name!r} is already used by {made['name']}")


async def test_a_python_function_is_described_by_its_docstring(studio: Studio) -> None:
    tool = await studio.python_tool(await studio.app(), description="given")
    assert tool["pythonFunction"] == {"pythonCode": CODE, "description": "Adds two numbers."}


async def test_a_tool_of_no_kind_or_of_one_that_is_not_made_is_refused(studio: Studio) -> None:
    app = await studio.app()

    async def refusal(tool: dict[str, object]) -> tuple[Code, str]:
        return await studio.refusal("CreateTool", {"parent": app, "tool": tool})

    code, message = await refusal({})
    assert (code, message[:41]) == (
        Code.INVALID_ARGUMENT,
        "tool: has no kind; set one of openApiTool",
    )
    assert await refusal({"mcpTool": {"name": "m", "serverAddress": "https://m.example"}}) == (
        Code.INVALID_ARGUMENT,
        "tool.mcpTool: such tools come with an MCP toolset and cannot be created separately",
    )
    assert await refusal({"systemTool": {"name": "end_session"}}) == (
        Code.INVALID_ARGUMENT,
        "tool.systemTool: every app has the system tools already; agents name them in their tools",
    )
    assert await refusal({"clientFunction": {"name": "end_session"}}) == (
        Code.INVALID_ARGUMENT,
        "tool.clientFunction.name: 'end_session' is the name of a system tool",
    )


async def test_what_is_wrong_is_told_where_the_client_wrote_it(studio: Studio) -> None:
    app = await studio.app()
    broken = {"openApiTool": {"name": "pets", "openApiSchema": "broken"}}
    assert await studio.refusal("CreateTool", {"parent": app, "tool": broken}) == (
        Code.INVALID_ARGUMENT,
        "tool.openApiTool.openApiSchema (line 1): is no OpenAPI document",
    )
    assert await studio.refusal(
        "CreateToolset", {"parent": app, "toolset": {"openApiToolset": {"openApiSchema": "broken"}}}
    ) == (Code.INVALID_ARGUMENT, "toolset.openApiToolset.openApiSchema (line 1): is no OpenAPI document")
    await studio.toolset(app, openApiToolset={"openApiSchema": "odd"})
    assert studio.warnings == ["toolset.openApiToolset.openApiSchema: is odd"]


async def test_a_toolset_of_no_kind_is_refused(studio: Studio) -> None:
    assert await studio.refusal("CreateToolset", {"parent": await studio.app(), "toolset": {}}) == (
        Code.INVALID_ARGUMENT,
        "toolset: has no kind; set one of openApiToolset, connectorToolset, mcpToolset",
    )


async def test_system_tools_are_read_and_listed_where_they_are_asked_for(studio: Studio) -> None:
    app = await studio.app()
    await studio.tool(app)
    assert await studio.names("ListTools", app, "tools") == ["weather"]
    listed = await studio.names("ListTools", app, "tools", filter="include_system_tools=true")
    assert listed == ["weather", *SYSTEM_TOOLS]
    name = f"{APP}/tools/end_session"
    assert await studio("GetTool", {"name": name}) == {
        "name": name,
        "displayName": "end_session",
        "systemTool": {"name": "end_session", "description": SYSTEM_TOOLS["end_session"]},
    }


async def test_system_tools_are_not_made_changed_or_deleted(studio: Studio) -> None:
    app = await studio.app()
    name = f"{APP}/tools/end_session"
    function = {"clientFunction": {"name": "f"}}

    def refused(tool: str, done: str) -> tuple[Code, str]:
        return Code.FAILED_PRECONDITION, f"{tool} is a system tool: it cannot be {done}"

    made = await studio.refusal("CreateTool", {"parent": app, "toolId": "end_session", "tool": function})
    assert made == refused("end_session", "made")
    assert await studio.refusal("UpdateTool", {"tool": {"name": name, **function}}) == refused(name, "changed")
    assert await studio.refusal("DeleteTool", {"name": name}) == refused(name, "deleted")
