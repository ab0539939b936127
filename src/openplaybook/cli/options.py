"""Options that several commands share, and how options become settings."""

import os
from collections.abc import Callable, Mapping
from functools import wraps
from inspect import Parameter, Signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer
from typer.core import TyperCommand
from typer.models import OptionInfo

from openplaybook.jsonvalues import JsonValue
from openplaybook.server.settings import SETTINGS, Settings, load_settings, unknown_variables

if TYPE_CHECKING:
    from typer._click import Context, HelpFormatter


def setting_option(name: str, default: str = "") -> OptionInfo:
    """The option of a setting; `default` is shown in place of the setting's own."""
    setting = SETTINGS[name]
    return typer.Option(setting.flag, help=setting.help, show_default=default or setting.default or True)


DataDir: TypeAlias = Annotated[Path | None, setting_option("data_dir")]
ModelName: TypeAlias = Annotated[str | None, setting_option("model")]
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

Flags: TypeAlias = Mapping[str, JsonValue]
"""What the command line says of settings, by their names; None where it says nothing."""


def with_settings(
    *names: str, defaults: Mapping[str, str] | None = None
) -> Callable[[Callable[[Flags], None]], Callable[..., None]]:
    """Makes a command of a function of flags: an option for each of these settings, in this order.

    `defaults` are shown in place of the settings' own.
    """

    def decorate(run: Callable[[Flags], None]) -> Callable[..., None]:
        @wraps(run)
        def command(**flags: JsonValue) -> None:
            run(flags)

        parameters = [
            Parameter(
                name,
                Parameter.KEYWORD_ONLY,
                default=None,
                annotation=Annotated[
                    SETTINGS[name].values.option_type | None, setting_option(name, (defaults or {}).get(name, ""))
                ],
            )
            for name in names
        ]
        # This is what Typer reads a command's options from.
        vars(command)["__signature__"] = Signature(parameters)
        return command

    return decorate


class SettingsCommand(TyperCommand):
    """A command whose help has the headings of the settings above its options."""

    def format_options(self, ctx: "Context", formatter: "HelpFormatter") -> None:
        """Write the options, in parts."""
        parts: dict[str, list[tuple[str, str]]] = {}
        heading = "Options"
        for parameter in self.get_params(ctx):
            setting = SETTINGS.get(parameter.name or "")
            heading = "Options" if setting is None else setting.heading or heading
            record = parameter.get_help_record(ctx)
            if record is not None:
                parts.setdefault(heading, []).append(record)
        for title, records in parts.items():
            with formatter.section(title):
                formatter.write_dl(records)


def settings_of(**flags: JsonValue) -> Settings:
    """The settings with these flags, variables and file, after warnings of unread variables. Raises `SettingsError`."""
    for sentence in unknown_variables(os.environ):
        typer.secho(f"warning: {sentence}", fg="yellow", err=True)
    return load_settings(flags, os.environ)
