"""How differences between agents are shown."""

from collections import Counter
from collections.abc import Sequence

import typer

from openplaybook.cli.output import harmless, print_json
from openplaybook.packages.report import NoteKind, Report
from openplaybook.sync.file_comparison import FileChange, FileDifference

_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


def print_differences(differences: Sequence[FileDifference], *, as_json: bool = False) -> None:
    """Every difference by its resource, with the lines of what changed, and how many there are."""
    if as_json:
        print_json({"differences": [difference.as_json() for difference in differences]})
        return
    for difference in differences:
        typer.secho(harmless(f"{difference.change.value:8} {difference.title}"), bold=True)
        for line in difference.lines:
            typer.secho(harmless(f"  {line}"), fg=_COLOURS.get(line[:1]))
    counts = Counter(difference.change for difference in differences)
    typer.echo(
        ", ".join(f"{counts[change]} {change.value}" for change in FileChange if counts[change]) or "no difference"
    )


def print_missing(report: Report) -> None:
    """What an agent that was sent needs on the other side, on standard error: packages hold no secrets."""
    for note in report.of(NoteKind.MISSING_SECRET):
        typer.echo(harmless(f"secret to set there: {note.place}"), err=True)
