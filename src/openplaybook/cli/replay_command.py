"""`openplaybook replay`: recorded conversations against the agent of today."""

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from openplaybook.cli.options import AsJson, DataDir
from openplaybook.recordings.matchers import WordMatch


class ToolAnswers(Enum):
    """Where the answers of tools come from."""

    RECORDED = "recorded"
    LIVE = "live"


def replay(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Recordings, or folders with recordings.")],
    agent: Annotated[
        str | None,
        typer.Option(
            metavar="AGENT|PACKAGE",
            help="An agent or app of the server, or a package of one: a zip file, or a folder with agent.json, "
            "app.json or app.yaml in it.",
            show_default="the server's agent that each recording names",
        ),
    ] = None,
    model: Annotated[
        str, typer.Option(help="recorded, or a model as for serve --model, such as offline.")
    ] = "recorded",
    tools: Annotated[ToolAnswers, typer.Option(help="Take tool results from the recording, or call the tools.")] = (
        ToolAnswers.RECORDED
    ),
    words: Annotated[
        WordMatch | None,
        typer.Option(help="How to compare the agent's replies.", show_default="as each recording says"),
    ] = None,
    junit: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a JUnit report to this file.")] = None,
    update: Annotated[bool, typer.Option("--update", help="Update the recordings to what happened now.")] = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Run recorded conversations against the current agent, and show the differences.

    By default, nothing is sent: the model's decisions and the tool results come from the recording.

    Exit code 0: no differences; 1: differences; 2: a recording or the agent cannot be read.
    """
    from openplaybook.cli.options import settings_of
    from openplaybook.cli.replay_run import ReplayRun, exit_code, show, write_junit

    replaying = ReplayRun(
        settings=settings_of(data_dir=data_dir),
        agent=agent,
        model="" if model == "recorded" else model,
        live_tools=tools is ToolAnswers.LIVE,
        words=words,
        update=update,
    )
    outcomes = replaying.outcomes(files)
    show(outcomes, as_json=as_json)
    if junit is not None:
        write_junit(junit, outcomes)
    raise typer.Exit(exit_code(outcomes))
