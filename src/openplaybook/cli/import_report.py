"""What an import or a conversion has to tell, in groups."""

from collections.abc import Sequence

import typer

from openplaybook.cli.output import harmless
from openplaybook.jsonvalues import JsonObject

_GROUPS = {
    "PROBLEM": "to look at",
    "MISSING_FILE": "files that the package lacks",
    "MISSING_SECRET": "secrets to give",
    "CHANGED": "changed in meaning",
    "LEFT_OUT": "not carried over",
    "KEPT": "kept and exported again, not run here",
    "WITHHELD_SECRET": "secrets that are not written",
}
"""Heading of each kind of note, the most urgent first."""
_SHOWN = 20
"""Notes of a group; the rest is counted."""


def show_notes(notes: Sequence[JsonObject]) -> None:
    """Print notes by kind on standard error, each with its place and the command that mends it."""
    for kind, heading in _GROUPS.items():
        group = [note for note in notes if note.get("kind") == kind]
        if group:
            typer.secho(f"{heading}:", err=True, bold=True)
        for note in group[:_SHOWN]:
            typer.echo(harmless(f"  {note.get('place')}: {note.get('message')}"), err=True)
            if note.get("remedy"):
                typer.echo(harmless(f"    $ {note['remedy']}"), err=True)
        if len(group) > _SHOWN:
            typer.echo(f"  and {len(group) - _SHOWN} more; --json has them all", err=True)
