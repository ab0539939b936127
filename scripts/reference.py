"""Writes docs/reference.md: every setting and every command, from the command line's own descriptions."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

import typer

from openplaybook.cli.main import app
from openplaybook.server.settings import SETTINGS

PAGE = Path("docs/reference.md")

_Command: TypeAlias = Any
"""typer has a copy of click of its own, whose classes are not for others."""

_DEFAULT = re.compile(r"\s*\[(?:default: \(?(.*?)\)?|(required))\]$", re.DOTALL)

_HEAD = """# Settings and commands

This page is generated from the command line itself (`make docs`).

## Settings

Give a setting as an option of `openplaybook serve`, as a variable, or in `openplaybook.toml` in the working directory,
under the variable's name in lower case without `OPENPLAYBOOK_`. An option wins over a variable, and a variable over the
file. At its start, the server warns about variables that it does not know."""


def page() -> str:
    """The page's Markdown."""
    root: _Command = typer.main.get_command(app)
    commands = dict(_commands(root, "openplaybook"))
    lines = [_HEAD, *_settings(commands["openplaybook serve"]), "", "## Commands"]
    for path, command in commands.items():
        lines += _section(path, command)
    return "\n".join(lines) + "\n"


def _commands(group: _Command, path: str) -> Iterator[tuple[str, _Command]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _commands(command, f"{path} {name}")
        elif not command.hidden:
            yield f"{path} {name}", command


def _settings(serve: _Command) -> Iterator[str]:
    context = serve.make_context("openplaybook serve", [], resilient_parsing=True)
    options = {parameter.name: parameter for parameter in serve.get_params(context)}
    for name, setting in SETTINGS.items():
        if setting.heading:
            yield from ("", f"### {setting.heading}", "")
            yield from ("| option | variable | | default |", "|---|---|---|---|")
        option, text, default = _row(options[name], context)
        yield f"| {option} | `{setting.variable}` | {text} | {default} |"


def _section(path: str, command: _Command) -> Iterator[str]:
    context = command.make_context(path, [], resilient_parsing=True)
    usage = " ".join([path, *command.collect_usage_pieces(context)])
    yield from ("", f"### {path}", "", f"`{usage}`", "", _paragraphs(command.help or ""))
    if path == "openplaybook serve":
        yield from ("", "Its options are the settings above.")
        return
    cells = [_row(parameter, context) for parameter in command.get_params(context) if parameter.name != "help"]
    rows = [f"| {option} | {text} | {default} |" for option, text, default in cells if option]
    if rows:
        yield from ("", "| | | default |", "|---|---|---|", *rows)


def _row(parameter: _Command, context: _Command) -> tuple[str, str, str]:
    """An option or an argument, what it is, and its default; empty for what has no help."""
    record = parameter.get_help_record(context)
    if record is None:
        return "", "", ""
    spelled, text = record
    default = _DEFAULT.search(text)
    shown = "" if default is None else default[1] or default[2]
    return f"`{_cell(spelled)}`", _cell(_DEFAULT.sub("", text)), _cell(shown)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _paragraphs(text: str) -> str:
    return "\n\n".join(" ".join(part.split()) for part in text.replace("\b", "").split("\n\n"))


def main() -> None:
    """Rewrite the page below the working directory."""
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
