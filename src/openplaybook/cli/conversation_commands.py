"""`openplaybook conversations`: what was said to agents, and what they did."""

from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from openplaybook.cli.errors import CommandError
from openplaybook.cli.options import AgentName, AsJson, DataDir

app = typer.Typer(help="List, show, export and delete conversations.", no_args_is_help=True)

ConversationId = Annotated[
    str,
    typer.Argument(metavar="CONVERSATION", help="Id of the conversation (that of its session), or its full name."),
]
FilterText = Annotated[
    str,
    typer.Option(
        "--filter",
        help="Filter, such as create_time > 2026-01-31T00:00:00Z AND metrics.has_end_interaction = true; for an app: "
        'start_time > "2026-01-31T00:00:00Z" AND turn_count > 2',
    ),
]


@app.command("list")
def list_conversations(
    agent: AgentName,
    filter_text: FilterText = "",
    limit: Annotated[int, typer.Option(min=1, help="How many to list, newest first.")] = 50,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """List the conversations with an agent, or an app, newest first."""
    from openplaybook.cli.access import server_api
    from openplaybook.cli.conversation_text import row
    from openplaybook.cli.output import print_json, print_rows
    from openplaybook.cli.resource_lookup import conversation_path, find_agent

    with server_api(data_dir=data_dir) as api:
        path = f"{conversation_path(str(find_agent(api, agent)['name']))}/conversations"
        conversations = list(
            islice(api.list(path, "conversations", page_size=min(limit, 100), filter=filter_text), limit)
        )
    if as_json:
        print_json({"conversations": conversations})
    elif conversations:
        print_rows([("BEGAN", "LASTED", "TURNS", "LANGUAGE", "CONVERSATION"), *map(row, conversations)])


@app.command("show")
def show_conversation(
    agent: AgentName, conversation: ConversationId, data_dir: DataDir = None, as_json: AsJson = False
) -> None:
    """Show a conversation: its messages, its tool calls, and the models that decided."""
    from openplaybook.cli.access import server_api, server_line
    from openplaybook.cli.app_conversation_text import show_app_conversation
    from openplaybook.cli.conversation_text import show
    from openplaybook.cli.output import print_json
    from openplaybook.cli.resource_lookup import conversation_path, find_agent, is_app

    with server_api(data_dir=data_dir) as api:
        name = _name(str(find_agent(api, agent)["name"]), conversation)
        resource = api.get(conversation_path(name))
    if as_json:
        print_json(resource)
    else:
        typer.secho(server_line(api), dim=True, err=True)
        (show_app_conversation if is_app(name) else show)(resource)


@app.command("export")
def export_conversations(
    agent: AgentName,
    output: Annotated[
        Path, typer.Option("-o", "--output", help="File to write once all is read; - is standard output.")
    ] = Path("-"),
    filter_text: FilterText = "",
    after: Annotated[
        str, typer.Option(metavar="CONVERSATION", help="Continue an interrupted export after this one.")
    ] = "",
    data_dir: DataDir = None,
) -> None:
    """Write conversations as JSON lines, one conversation per line, newest first."""
    from openplaybook.cli.access import server_api
    from openplaybook.cli.conversation_export import export
    from openplaybook.cli.resource_lookup import find_agent

    with server_api(data_dir=data_dir) as api:
        name = str(find_agent(api, agent)["name"])
        export(api, name, output, filter_text=filter_text, after=_name(name, after) if after else "")


@app.command("delete")
def delete_conversations(
    agent: AgentName,
    conversations: Annotated[list[str], typer.Argument(metavar="CONVERSATION…", help="Ids or full names.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    data_dir: DataDir = None,
) -> None:
    """Delete conversations: their sessions with all turns and files."""
    from openplaybook.cli.access import server_api
    from openplaybook.cli.resource_lookup import conversation_path, find_agent

    if not yes and not typer.confirm(f"Delete {', '.join(conversations)} with all turns and files?"):
        raise CommandError("nothing was deleted")
    with server_api(data_dir=data_dir) as api:
        name = str(find_agent(api, agent)["name"])
        for conversation in conversations:
            api.delete(conversation_path(_name(name, conversation)))


def _name(agent: str, conversation: str) -> str:
    return conversation if conversation.startswith("projects/") else f"{agent}/conversations/{conversation}"
