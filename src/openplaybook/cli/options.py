"""Options that several commands share, and how they become settings."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from openplaybook.jsonvalues import JsonValue

if TYPE_CHECKING:
    from openplaybook.server.settings import Settings

DataDir: TypeAlias = Annotated[
    Path | None,
    typer.Option(help="Directory of the server's data.", show_default="the platform's user data directory"),
]
ModelName: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--model",
        help="Model: offline, openai:NAME, google:NAME, anthropic:NAME, … or scripted:FILE.",
        show_default="offline",
    ),
]
Host: TypeAlias = Annotated[str | None, typer.Option(help="Address to listen on.", show_default="127.0.0.1")]
Port: TypeAlias = Annotated[int | None, typer.Option(help="REST port; 0 takes a free one.", show_default="8080")]
GrpcPort: TypeAlias = Annotated[int | None, typer.Option(help="gRPC port; 0 takes a free one.", show_default="8081")]
LogLevel: TypeAlias = Annotated[
    str | None, typer.Option(help="Log level: debug, info, warning or error.", show_default="info")
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON.")]
AgentName: TypeAlias = Annotated[
    str, typer.Argument(metavar="AGENT", help="Full name of the agent or app, or its display name if it is unique.")
]
PackageOutput: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FILE|FOLDER|-",
        help="Zip file; a folder if it exists or the name ends with /; - is standard output.",
        show_default="DISPLAY NAME.zip",
    ),
]


def settings_of(**flags: JsonValue) -> "Settings":
    """The settings with these flags, variables and file, after warnings of unread variables. Raises `SettingsError`."""
    from openplaybook.server.settings import load_settings, unknown_variables

    for sentence in unknown_variables(os.environ):
        typer.secho(f"warning: {sentence}", fg="yellow", err=True)
    return load_settings(flags, os.environ)
