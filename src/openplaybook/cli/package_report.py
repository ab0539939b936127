"""What is said of a package that was imported, converted, compared or sent: notes, verdicts and differences."""

from collections import Counter
from collections.abc import Sequence

import typer

from openplaybook.cli.output import harmless, print_json
from openplaybook.jsonvalues import JsonObject, as_list
from openplaybook.packages.report import NoteJson, NoteKind, Report
from openplaybook.sync.file_comparison import FileChange, FileDifference

_GROUPS = {
    "PROBLEM": "to check",
    "MISSING_FILE": "files missing from the export",
    "MISSING_SECRET": "secrets to set",
    "CHANGED": "changed in meaning",
    "LEFT_OUT": "not carried over",
    "KEPT": "kept for export, not run here",
    "WITHHELD_SECRET": "secrets that are not written",
}
"""Heading of each kind of note, the most urgent first."""
_RUNS = "RUNS"
_VERDICTS = {
    "NEEDS_MODEL": "needs a model (openplaybook serve --model …, docs/models.md)",
    "LEANS_ON": "depends on parts that are not run here",
}
"""Heading of each other verdict on a playbook."""
_NAMED = 8
"""Names in a line; the rest is counted."""
_DIFF_COLOURS = {"+": "green", "-": "red", "@": "cyan"}
_SHOWN = 20
"""Notes of a group; the rest is counted."""


def show_notes(notes: Sequence[NoteJson]) -> None:
    """Print notes by kind on standard error, each with its place and the command that mends it."""
    for kind, heading in _GROUPS.items():
        group = [note for note in notes if note["kind"] == kind]
        if group:
            typer.secho(f"{heading}:", err=True, bold=True)
        for note in group[:_SHOWN]:
            typer.echo(harmless(f"  {note['place']}: {note['message']}"), err=True)
            if remedy := note.get("remedy"):
                typer.echo(harmless(f"    $ {remedy}"), err=True)
        if len(group) > _SHOWN:
            typer.echo(f"  and {len(group) - _SHOWN} more; --json has them all", err=True)


def show_verdicts(playbooks: Sequence[JsonObject]) -> None:
    """Print on standard error which playbooks run, which need a model, and what others lean on."""
    runs = [each for each in playbooks if each.get("verdict") == _RUNS]
    if runs:
        named = _listed([f"{each.get('displayName')}{_answered(each)}" for each in runs])
        typer.secho("runs: ", err=True, bold=True, nl=False)
        typer.echo(harmless(named), err=True)
    for kind, heading in _VERDICTS.items():
        group = [each for each in playbooks if each.get("verdict") == kind]
        if group:
            typer.secho(f"{heading}:", err=True, bold=True)
        for each in group[:_SHOWN]:
            typer.echo(harmless(f"  {each.get('displayName')}: {_why(each)}{_answered(each)}"), err=True)
        if len(group) > _SHOWN:
            typer.echo(f"  and {len(group) - _SHOWN} more; --json has them all", err=True)


def _why(verdict: JsonObject) -> str:
    leans, need = list(map(str, as_list(verdict.get("leansOn")))), verdict.get("needsModel")
    if not leans:
        return str(need)
    return _listed(leans, "; ") + (f"; and it needs a model: {need}" if need else "")


def _answered(verdict: JsonObject) -> str:
    functions = list(map(str, as_list(verdict.get("clientFunctions"))))
    return f" (the client answers {_listed(functions)})" if functions else ""


def _listed(names: Sequence[str], between: str = ", ") -> str:
    listed = between.join(names[:_NAMED])
    return f"{listed} and {len(names) - _NAMED} more" if len(names) > _NAMED else listed


def print_differences(differences: Sequence[FileDifference], *, as_json: bool = False) -> None:
    """Every difference by its resource, with the lines of what changed, and how many there are."""
    if as_json:
        print_json({"differences": [difference.as_json() for difference in differences]})
        return
    for difference in differences:
        typer.secho(harmless(f"{difference.change.value:8} {difference.title}"), bold=True)
        for line in difference.lines:
            typer.secho(harmless(f"  {line}"), fg=_DIFF_COLOURS.get(line[:1]))
    counts = Counter(difference.change for difference in differences)
    typer.echo(
        ", ".join(f"{counts[change]} {change.value}" for change in FileChange if counts[change]) or "no difference"
    )


def print_missing(report: Report) -> None:
    """What an agent that was sent needs on the other side, on standard error: packages hold no secrets."""
    for note in report.of(NoteKind.MISSING_SECRET):
        typer.echo(harmless(f"secret to set there: {note.place}"), err=True)
