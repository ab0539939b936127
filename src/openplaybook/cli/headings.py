"""Help of a command with many options, in parts with headings."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from typer.core import TyperCommand

if TYPE_CHECKING:
    from typer._click import Context, HelpFormatter


def with_headings(headings: Mapping[str, str]) -> type[TyperCommand]:
    """A kind of command whose help sets a heading above each option named here, by its parameter."""

    class Command(TyperCommand):
        def format_options(self, ctx: "Context", formatter: "HelpFormatter") -> None:
            parts: dict[str, list[tuple[str, str]]] = {}
            heading = "Options"
            for parameter in self.get_params(ctx):
                heading = headings.get(parameter.name or "", heading)
                record = parameter.get_help_record(ctx)
                if record is not None:
                    parts.setdefault("Options" if parameter.name == "help" else heading, []).append(record)
            for title, records in parts.items():
                with formatter.section(title):
                    formatter.write_dl(records)

    return Command
