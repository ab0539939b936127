"""`openplaybook tools`: list an agent's tools, and try them."""

from typing import Annotated

import typer

from openplaybook.cli.errors import CommandError
from openplaybook.cli.options import AgentName, AsJson, DataDir
from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, loads

app = typer.Typer(help="List an agent's tools, and test them.", no_args_is_help=True)


@app.command("list")
def list_tools(
    agent: AgentName,
    tool: Annotated[
        str,
        typer.Argument(metavar="TOOL", help="Only this tool: its full name, display name or id.", show_default=False),
    ] = "",
    schemas: Annotated[bool, typer.Option("--schemas", help="Show the input schema of each action.")] = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """List an agent's tools and their actions, as the model sees them; for an app, also its toolsets.

    With --json, input and output schemas are included. What the system behind a connector says of its fields, which the
    model sees too, is in `connections show`.
    """
    from openplaybook.cli.access import server_api
    from openplaybook.cli.output import print_json
    from openplaybook.cli.resource_lookup import find_agent, find_tool
    from openplaybook.cli.tool_actions import listed_tools
    from openplaybook.cli.tool_text import show_tool

    with server_api(data_dir=data_dir) as api:
        owner = str(find_agent(api, agent)["name"])
        wanted = str(find_tool(api, owner, tool)["name"]) if tool else ""
        tools = [each for each in listed_tools(api, owner) if wanted in ("", each.resource["name"])]
    if as_json:
        print_json({"tools": [each.to_json() for each in tools]})
        return
    for each in tools:
        show_tool(each, schemas=schemas)


@app.command("test")
def try_tool(
    agent: AgentName,
    tool: Annotated[str, typer.Argument(metavar="TOOL", help="Full name, display name or id of the tool.")],
    action: Annotated[
        str,
        typer.Argument(
            metavar="ACTION",
            help="Action: an operationId, or the tool's name. A tool of an app needs none.",
            show_default=False,
        ),
    ] = "",
    input_json: Annotated[
        str, typer.Option("--input", help='Arguments as JSON; the request body is "requestBody".')
    ] = "{}",
    session_param: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE", help="Session parameter or variable; VALUE is JSON or text. May be repeated."
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Send nothing: show what would be sent.")] = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Call one action of a tool, and show the result.

    The call runs as in a conversation. Exit code 1 when it fails.
    """
    from openplaybook.cli.access import server_api
    from openplaybook.cli.output import print_json
    from openplaybook.cli.resource_lookup import find_agent, find_tool, is_app
    from openplaybook.cli.tool_text import print_tool_run

    arguments, parameters = _json_object(input_json, "--input"), _assignments(session_param or [])
    with server_api(data_dir=data_dir) as api:
        owner = str(find_agent(api, agent)["name"])
        name = str(find_tool(api, owner, tool)["name"])
        if is_app(name):
            asked = _app_request(name, action, arguments, parameters) | ({"dryRun": True} if dry_run else {})
            execution = _of_app(api.post(f"v1beta/{owner}:executeTool", asked))
        elif not action:
            raise CommandError("name an action: an operationId, or the tool's name", exit_code=2)
        else:
            request: JsonObject = {"action": action, "inputParameters": arguments, "sessionParameters": parameters}
            if dry_run:
                request["dryRun"] = True
            execution = api.post(f"v3/{name}:execute", request)
    if as_json:
        print_json(execution)
    else:
        print_tool_run(execution, is_dry=dry_run)
    raise typer.Exit(1 if "error" in execution else 0)


def _app_request(tool: str, action: str, arguments: JsonObject, variables: JsonObject) -> JsonObject:
    """An ExecuteToolRequest of CX Agent Studio."""
    chosen: JsonObject = {"tool": tool}
    if "/toolsets/" in tool:
        if not action:
            raise CommandError("name a tool of the toolset: an operationId", exit_code=2)
        chosen = {"toolsetTool": {"toolset": tool, "toolId": action}}
    return {**chosen, "args": arguments, **({"variables": variables} if variables else {})}


def _of_app(answer: JsonObject) -> JsonObject:
    """The answer of CX Agent Studio's ExecuteTool in the words of ours."""
    response = as_object(answer.get("response"))
    rest: JsonObject = {"sessionParameters": answer["variables"]} if answer.get("variables") else {}
    rest |= {"trace": answer["trace"]} if "trace" in answer else {}
    if "error" in response:
        return {"error": {"code": "FAILED", "message": str(response["error"])}, **rest}
    output: JsonValue = response.get("output", response)
    return {"outputParameters": output if isinstance(output, dict) else {"output": output}, **rest}


def _json_object(text: str, option: str) -> JsonObject:
    try:
        value: JsonValue = loads(text)
    except ValueError as error:
        raise CommandError(f"{option} is not JSON: {error}", exit_code=2) from error
    if not isinstance(value, dict):
        raise CommandError(f'{option} must be a JSON object, such as {{"petId": 3}}', exit_code=2)
    return as_object(value)


def _assignments(texts: list[str]) -> JsonObject:
    """`NAME=VALUE` pairs; `n=3` is a number, `n="3"` and `n=three` are text."""
    values: JsonObject = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not name or not sign:
            raise CommandError(f"--session-param must be NAME=VALUE, not {text!r}", exit_code=2)
        try:
            values[name] = loads(value)
        except ValueError:
            values[name] = value
    return values
